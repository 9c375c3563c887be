import { calicoImages, isCalicoImage } from "../../addons/calicoImages";
import { calicoRelease } from "../../addons/calicoReleases";
import type { Problem } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import { present } from "capz-windows-kit/present";

/**
 * Calico's operator takes digests of all its images or of none (addons/calicoImages.ts). Those of another release are a
 * problem, too: an ImageSet stays in the cluster, and with one of another name the operator stops (tigera/operator v1.42.3
 * pkg/controller/utils/imageset).
 */
export function imageDigestRules(settings: Settings): Problem[] {
  const { addons, imageDigests = {}, kubernetesVersion, platform } = settings;
  const given = Object.keys(imageDigests);
  if (platform.cni !== "calico" || !given.some(isCalicoImage)) {
    return [];
  }
  const release = calicoRelease({ ...addons, kubernetesVersion });
  const missing = calicoImages(release).filter((image) => !given.includes(image));
  return present(
    missing.length !== 0 && {
      path: "imageDigests",
      uses: ["imageDigests", "addons.calicoVersion", "kubernetesVersion", "flavor"],
      problem: `Calico's operator takes digests of all its images or of none, and would no longer change anything without those of ${missing.join(", ")}`,
      allowed: `digests of all images of Calico ${release}; in a cluster that has never had them, also none of an image of Calico`,
      write: "npm run images -- NAME --digests --write # which writes them all",
    },
  );
}
