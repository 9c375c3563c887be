import { imagesOfOperator } from "../../../addons/calicoImages";
import { pinnedManifestOf } from "../../../addons/catalogue";
import { staticPodsOf } from "../../../platform/manifests/staticPods";
import { parseReference } from "../../../platform/workloads/imageReferences";
import { partOf, withDigests } from "../../../platform/cluster/artifacts";
import { optionalFields } from "../../../tools/without";
import { at, ownValue, textAt } from "../../../tools/untyped";
import { imagesOfPods, imagesOfStream } from "../../../config/policy/images";
import type { KubernetesObject } from "../../../capi/types";
import type { Plan } from "./plan";
import { shortType } from "./resourceTypes";
import { present } from "../../../tools/present";

/** The software that a stack deploys, as far as its plan says so. */

export interface Material {
  readonly kind:
    "container image" | "chart" | "manifest" | "provider" | "machine image" | "Kubernetes" | "AKS";
  /** Of a container image without tag and digest. */
  readonly name: string;
  /** A tag of a container image; "" where there is none. */
  readonly version: string;
  /** 64 hexadecimal digits, where the stack fixes the content. */
  readonly sha256?: string;
  /** URL of a file, of a repository of charts, or of OCI artifacts; owner and name on GitHub. */
  readonly source?: string;
  /** What of the stack uses it, sorted. */
  readonly usedBy: readonly string[];
}

export interface Materials {
  readonly materials: readonly Material[];
  /** What is deployed, too, but not in the plan. */
  readonly unknown: readonly string[];
}

type Planned = Pick<Plan, "objects" | "cluster" | "resources" | "settings">;

const imageUse = (image: string, by: string): Material => {
  const { name, tag, digest } = parseReference(image);
  const [, sha256] = /^sha256:([0-9a-f]{64})$/.exec(digest) ?? [];
  return {
    kind: "container image",
    name,
    version: tag,
    usedBy: [by],
    ...(sha256 === undefined ? {} : { sha256 }),
  };
};

const titleOf = ({ kind, metadata: { namespace, name } }: KubernetesObject): string =>
  `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;

const imagesOf = (object: KubernetesObject): Material[] =>
  imagesOfPods(object).map(({ image }) => imageUse(image, titleOf(object)));

const staticImages = (machines: KubernetesObject): Material[] =>
  staticPodsOf(machines)
    .flatMap((pod) => imagesOfPods(pod))
    .map(({ image }) => imageUse(image, `static pods of ${titleOf(machines)}`));

/** What kubeadm runs with the version of the cluster (kubeadm v1.35 app/images/images.go, GetKubernetesImage). */
const kubeadmImages = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy"];

const ofKubeadm = (machines: KubernetesObject): Material[] =>
  machines.kind === "KubeadmControlPlane"
    ? kubeadmImages.map((name) => {
        const configuration = at(machines, "spec", "kubeadmConfigSpec", "clusterConfiguration");
        const repository = textAt(configuration, "imageRepository") || "registry.k8s.io";
        return imageUse(`${repository}/${name}:${textAt(machines, "spec", "version")}`, titleOf(machines));
      })
    : [];

/** Where the operator finds the manifests of a provider (Cluster API v1.14 cmd/clusterctl/client/config/providers_client.go). */
const repositories: Readonly<Record<string, string>> = {
  "cluster-api": "kubernetes-sigs/cluster-api",
  kubeadm: "kubernetes-sigs/cluster-api",
  azure: "kubernetes-sigs/cluster-api-provider-azure",
};

const artifactOf = (installedBy: string, { clusterApi }: Planned["settings"]) =>
  withDigests(clusterApi).find(({ part }) => part === ownValue(partOf, installedBy));

/** The digest of a chart or a provider, where the stack file has it. */
const digestOf = (installedBy: string, settings: Planned["settings"]): Pick<Material, "sha256"> =>
  optionalFields({ sha256: artifactOf(installedBy, settings)?.sha256 });

const providers = (object: KubernetesObject, settings: Planned["settings"]): Material[] =>
  present(
    object.apiVersion.startsWith("operator.cluster.x-k8s.io/") && {
      ...{ kind: "provider", name: `${object.kind} ${object.metadata.name}`, usedBy: [titleOf(object)] },
      version: textAt(object, "spec", "version"),
      ...digestOf(object.kind, settings),
      source: textAt(object, "spec", "fetchConfig", "oci") || (repositories[object.metadata.name] ?? ""),
    },
  );

function manifests({ cluster, settings }: Planned): Material[] {
  const ofAddons = cluster.addons.flatMap(({ name, versions: [version = ""] }): Material[] => {
    const pinned = pinnedManifestOf(name, version);
    return present(
      pinned !== undefined && {
        ...{ kind: "manifest", name: pinned.name, version, sha256: pinned.sha256 },
        source: pinned.url,
        usedBy: [name],
      },
    );
  });
  const own = Object.entries(settings.extraManifests).flatMap(([name, { url, sha256 }]): Material[] =>
    url === undefined || sha256 === undefined
      ? []
      : [{ kind: "manifest", name, version: "", sha256, source: url, usedBy: [`extraManifests.${name}`] }],
  );
  return [...ofAddons, ...own];
}

const machines = ({ cluster: { controlPlane, pools } }: Planned): Material[] =>
  [
    ...(controlPlane === undefined ? [] : [{ ...controlPlane, by: "control plane" }]),
    ...pools.map((pool) => ({ ...pool, by: `pool ${pool.name}` })),
  ].flatMap(({ image, version, by }): Material[] => {
    // A Marketplace URN, a gallery with its definition and a version, or an ARM ID, perhaps with a version.
    const [, name = image, imageVersion = ""] =
      /^(\/.+)\/versions\/([^/]+)$/.exec(image) ?? /^([^/].*)[:/]([^:/]+)$/.exec(image) ?? [];
    return [
      { kind: "machine image", name, version: imageVersion, usedBy: [by] },
      { kind: "Kubernetes", name: "kubernetes", version, source: "kubernetes/kubernetes", usedBy: [by] },
    ];
  });

const managed = ({ resources }: Planned): Material[] =>
  resources
    .filter(({ type, custom }) => custom && shortType(type) === "ManagedCluster")
    .map(({ name, inputs }) => ({
      ...{ kind: "AKS", name: "azure-kubernetes-service", version: textAt(inputs, "kubernetesVersion") },
      usedBy: [name],
    }));

/** The same thing once, with all its users; sorted, so that equal plans give equal texts. */
function united(uses: readonly Material[]): Material[] {
  const found = new Map<string, Material>();
  for (const use of uses) {
    const key = JSON.stringify([use.kind, use.name, use.version, use.sha256]);
    found.set(key, { ...use, usedBy: [...(found.get(key)?.usedBy ?? []), ...use.usedBy] });
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => ({ ...one, usedBy: [...new Set(one.usedBy)].sort() }));
}

/** Whether an operator makes the pods of Calico, and it is not known which. */
const hasOperator = ({ workload }: Plan["objects"]): boolean =>
  workload.some(
    ({ text, objects }) =>
      objects.some(({ kind }) => kind === "Installation") && imagesOfOperator(text, objects).length === 0,
  );

function unknownOf({ objects, cluster }: Planned, found: readonly Material[]): string[] {
  const namesOf = (all: readonly Material[]): string => all.map(({ name }) => name).join(", ");
  /** Their images are in no plan. */
  const opaque = (kind: Material["kind"], before: string, ofAll: string): string[] => {
    const all = found.filter((one) => one.kind === kind);
    const open = all.filter(({ sha256 }) => sha256 === undefined);
    const digests =
      open.length === 0 ? "" : `, and the digests of ${open.length === all.length ? ofAll : namesOf(open)}`;
    return all.length === 0 ? [] : [`Container images of ${before}${namesOf(all)}${digests}`];
  };
  const missing = objects.workload.flatMap(
    ({ text }) => /^# (\S+ \S+): not in this plan\n# url: /m.exec(text)?.[1] ?? [],
  );
  return present(
    ...opaque("chart", "the charts ", "these charts"),
    ...opaque("provider", "", "their manifests"),
    missing.length > 0 &&
      `Container images in ${[...new Set(missing)].sort().join(", ")}, unless CAPZ_WINDOWS_MANIFEST_CACHE has them`,
    hasOperator(objects) && "Container images of Calico that its operator installs",
    ...(cluster.controlPlane === undefined
      ? []
      : [
          "Container images of etcd, CoreDNS and pause, which kubeadm and containerd choose",
          "Software in the machine images: the operating system, containerd, kubelet",
        ]),
  );
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

export function materialsOf(plan: Planned): Materials {
  const { management, workload, sample, releases } = plan.objects;
  const own = [...management, ...sample].map(({ object }) => object);
  const materials = united([
    ...[...own, ...workload.flatMap((stream) => stream.objects)].flatMap(imagesOf),
    ...workload.flatMap(({ text, objects }) =>
      imagesOfOperator(text, objects).map((image) => imageUse(image, "Installation default")),
    ),
    ...own.flatMap((object) => [
      ...staticImages(object),
      ...ofKubeadm(object),
      ...providers(object, plan.settings),
    ]),
    ...releases.map(({ name, inputs }): Material => ({
      // Its chart can be the path of an archive.
      ...{ kind: "chart", name: textAt(inputs, "name"), version: textAt(inputs, "version"), usedBy: [name] },
      ...digestOf(textAt(inputs, "name"), plan.settings),
      source:
        textAt(inputs, "repositoryOpts", "repo") ||
        (artifactOf(textAt(inputs, "name"), plan.settings)?.url.replace(/\/index\.yaml$/, "") ?? ""),
    })),
    ...manifests(plan),
    ...machines(plan),
    ...managed(plan),
  ]);
  return { materials, unknown: unknownOf(plan, materials) };
}
