import type { KubernetesObject } from "capz-types";
import type { ImageDigests } from "capz-windows-platform/workloads/imageDigests";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { calicoReleaseIn } from "./calicoReleases";

/**
 * What the operator installs for the Installation that this program delivers, by digest. With an ImageSet it wants a digest
 * of each of these, used or not, and renders nothing without one (tigera/operator v1.38.13, v1.40.15 and v1.42.3:
 * GetReference in pkg/render/{node,typha,csi,windows,apiserver}.go, pkg/render/kubecontrollers and
 * pkg/controller/certificatemanager; names in pkg/components/calico.go).
 */
const names = [
  ...["apiserver", "cni", "cni-windows", "csi", "key-cert-provisioner", "kube-controllers", "node"],
  ...["node-driver-registrar", "node-windows", "pod2daemon-flexvol", "typha"],
];

const repository = "quay.io/calico/";

/** With the tags of a release of Calico. */
export const calicoImages = (release: string): string[] =>
  names.map((name) => `${repository}${name}:${release}`);

/** Whether a reference is one of these, in any release. */
export const isCalicoImage = (image: string): boolean =>
  names.some((name) => image.startsWith(`${repository}${name}:`));

/** The digests for the operator; it looks for this name, and for names of images without their registry. */
export function calicoImageSet(release: string, digests: ImageDigests = {}): KubernetesObject | undefined {
  const images = calicoImages(release).map((image) => ({
    image: image.slice("quay.io/".length, image.lastIndexOf(":")),
    digest: digests[image],
  }));
  return images.some(({ digest }) => digest === undefined)
    ? undefined
    : {
        apiVersion: "operator.tigera.io/v1",
        kind: "ImageSet",
        metadata: { name: `calico-${release}` },
        spec: { images },
      };
}

/** The images that an operator in a YAML stream installs: with the digests of its ImageSet, or with their tags. */
export function imagesOfOperator(text: string, objects: readonly KubernetesObject[]): string[] {
  const release = calicoReleaseIn(text);
  if (release === undefined) {
    return [];
  }
  const set = objects.find(
    ({ kind, metadata }) => kind === "ImageSet" && metadata.name === `calico-${release}`,
  );
  if (set === undefined) {
    return calicoImages(release);
  }
  return list(at(set, "spec", "images")).map(
    (one) => `quay.io/${textAt(one, "image")}:${release}@${textAt(one, "digest")}`,
  );
}
