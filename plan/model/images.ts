import { pinnedManifestOf } from "../../addons/catalogue";
import type { PinnedManifest } from "../../addons/pinnedManifest";
import { imagesOfPods, imagesOfStream } from "../../config/policy/images";
import { staticPodsOf } from "capz-windows-platform/manifests/staticPods";
import { present } from "capz-windows-kit/present";
import { at, textAt } from "capz-windows-kit/untyped";
import type { Plan } from "./plan";

/** The images that a stack deploys, as far as its plan says so. */

/** What kubeadm runs with the version of the cluster (kubeadm v1.35 app/images/images.go, GetKubernetesImage). */
const kubeadmImages = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy"];

export const imagesOfKubeadm = ({ management }: Plan["objects"]): string[] =>
  management
    .filter(({ object }) => object.kind === "KubeadmControlPlane")
    .flatMap(({ object }) => {
      const configuration = at(object, "spec", "kubeadmConfigSpec", "clusterConfiguration");
      const repository = textAt(configuration, "imageRepository") || "registry.k8s.io";
      return kubeadmImages.map((name) => `${repository}/${name}:${textAt(object, "spec", "version")}`);
    });

/** The published manifests that a stack downloads; one of the stack file has its digest as version. */
export function pinnedManifests({ cluster, settings }: Pick<Plan, "cluster" | "settings">): PinnedManifest[] {
  const ofAddons = cluster.addons.map(({ name, versions: [version = ""] }) =>
    pinnedManifestOf(name, version),
  );
  const own = Object.entries(settings.extraManifests).map(
    ([name, { url, sha256 }]) =>
      url !== undefined && sha256 !== undefined && { name, url, sha256, version: sha256.slice(0, 12) },
  );
  return present(...ofAddons, ...own);
}

/** Whole references of the container images in the objects of a stack, sorted. What kubeadm runs is in none. */
export const imagesInObjects = ({ management, workload, sample }: Plan["objects"]): string[] =>
  [
    ...new Set(
      [...management, ...sample]
        .flatMap(({ object }) => [object, ...staticPodsOf(object)])
        .flatMap((object) => imagesOfPods(object).map(({ image }) => image))
        .concat(workload.flatMap(({ text, objects }) => imagesOfStream(text, objects))),
    ),
  ].sort();

/** What a stack that asks for digests cannot have by digest; what could is a finding of a policy. */
export const digestWarnings = ({ imageDigests, clusterApi }: Plan["settings"]): string[] =>
  present(
    imageDigests !== undefined &&
      `imageDigests: no digests are possible for ${[
        ...(clusterApi.install ? ["images of charts and of Cluster API's providers"] : []),
        "what kubeadm and containerd choose (kube-apiserver, kube-controller-manager, kube-scheduler, kube-proxy on Linux, etcd, CoreDNS, pause)",
      ].join(", ")}`,
    clusterApi.digests !== undefined &&
      (clusterApi.componentsRepository === undefined
        ? "clusterApi.digests: what `pulumi up` verifies of the providers' manifests, the Cluster API operator downloads again later, by their versions, and compares with nothing"
        : `clusterApi.digests: no digests are possible for the manifests in ${clusterApi.componentsRepository}, which the Cluster API operator takes by their tags`),
  );
