import { minor } from "semver";
import { partsWithoutDigest } from "capz-windows-platform/cluster/artifacts";
import type { PodSecurityLevel } from "capz-windows-platform/cluster/podSecurity";
import type { Argument } from "capz-windows-platform/cluster/argumentValues";
import type { Program } from "capz-windows-platform/cluster/programSettings";
import { otherRegistries } from "capz-windows-platform/cluster/kubeadmRegistries";
import { kubeletArgumentsIn } from "capz-windows-platform/cluster/nodeFiles";
import type { Placed } from "capz-windows-platform/cluster/rights";
import { rangesOfAnyone } from "capz-windows-platform/network/addressing";
import type { Encryption } from "capz-windows-platform/encryption/keys";
import { capzImage, type CapzImage } from "capz-windows-platform/machines/images";
import { staticPodsOf } from "capz-windows-platform/manifests/staticPods";
import type { Finding } from "capz-windows-kit/finding";
import type { Warning } from "capz-windows-kit/problem";
import { nodeImages } from "../nodeImages";
import { poolsOf, windowsPoolsOf } from "../pools";
import { credentialWarnings, fileCredentials } from "../rules/credentials";
import { argumentsOf } from "../rules/programArguments";
import { versionsOf } from "../rules/releases";
import type { Settings } from "../settings";
import { pathText } from "../steps";
import { imagesBelow, imagesOfPods, isWithoutDigest, type ImageAt } from "./images";
import { present } from "capz-windows-kit/present";
import { at } from "capz-windows-kit/untyped";

/**
 * What the policies know of a stack. There are two readers: `factsOf` reads the stack file, and policy/ reads what a program
 * registers, for organisations that do not want to rely on the stack file.
 */

export interface FactPlace {
  /** Key of the stack file. */
  readonly path: string;
  /** The resource that says so, where resources are read. */
  readonly urn?: string;
}

/** What a policy finds at a place. */
export type Found = Warning & Pick<FactPlace, "urn"> & Pick<Finding, "summary">;

export interface ControlPlane extends FactPlace {
  /** `undefined` where it is not known yet, in a preview. */
  readonly replicas: number | undefined;
  readonly isKnown: boolean;
  readonly encryption?: Encryption | undefined;
  readonly audit?: { readonly policy?: unknown; readonly policyFile?: string | undefined } | undefined;
  /** `undefined` for a cluster whose kubelets cannot have other certificates. */
  readonly kubeletCertificates?: string | undefined;
}

/** Functions, because a rule reads only what it is about. */
export interface Facts {
  /** Who reaches the API server and SSH. */
  readonly access: () => readonly (FactPlace & { readonly cidrs: readonly string[] })[];
  readonly managementClusters: () => readonly (FactPlace & {
    readonly isPublic: boolean;
    readonly hasEntra: boolean;
  })[];
  readonly controlPlanes: () => readonly ControlPlane[];
  /** What keeps a stack together, and may be deleted. */
  readonly unprotected: () => readonly FactPlace[];
  readonly kubernetes: () => readonly (FactPlace & { readonly minor: number })[];
  readonly vmSizes: () => readonly (FactPlace & { readonly vmSize: string })[];
  /** Managed OS disks whose type is written. */
  readonly osDisks: () => readonly (FactPlace & { readonly type: string })[];
  /** Where Azure's inbound NAT rules lead to machines. */
  readonly natRules: () => readonly FactPlace[];
  readonly windows: () => readonly (FactPlace & { readonly release: string })[];
  readonly machineImages: () => readonly (FactPlace & {
    readonly image: CapzImage;
    readonly isWindows: boolean;
  })[];
  readonly images: () => readonly (ImageAt & Pick<FactPlace, "urn">)[];
  /** Images without a digest, of a stack that asks for digests. */
  readonly withoutDigest: () => readonly string[];
  /** Keys of charts and providers without a digest, of a stack that asks for their digests. */
  readonly artifactsWithoutDigest: () => readonly string[];
  /** Load balancers of the sample that everybody can open. */
  readonly openSamples: () => readonly FactPlace[];
  /** The objects that the stack brings along, each with its key. */
  readonly ownObjects: () => readonly Placed[];
  /** Arguments of the cluster's programs that the stack brings along, each with its key. */
  readonly programArguments: () => readonly (FactPlace & {
    readonly program: Program;
    readonly argument: Argument;
  })[];
  /** Files that pools bring along; `file` is the path on the node. */
  readonly nodeFiles: () => readonly (FactPlace & { readonly file: string })[];
  /** The pods in these that kubelets run. */
  readonly staticPods: () => readonly Placed[];
  /** Registries that supply the control plane in place of Kubernetes' own. */
  readonly registries: () => readonly (FactPlace & { readonly registry: string })[];
  /** Whether the CNI is the program's Calico. */
  readonly installsCalico: () => boolean;
  /** The namespaces whose pods may reach Azure's metadata service; `undefined` where all may. */
  readonly metadataNamespaces: () => readonly string[] | undefined;
  /** Manifests that no policy reads. */
  readonly unreadManifests: () => readonly FactPlace[];
  /** What the API server enforces where no label of a namespace says otherwise. */
  readonly podSecurity: () => PodSecurityLevel | undefined;
  readonly credentials: () => readonly Found[];
}

/** What a stack file does not say itself. */
export interface BesideStackFile {
  /** Images in the objects of its plan; none where there is no plan. */
  readonly images?: readonly string[] | undefined;
  /** The objects of the files in extraManifests, by the name of their manifest. */
  readonly files?: Readonly<Record<string, readonly unknown[]>> | undefined;
}

const kubeadmConfigSpec = ["KubeadmControlPlane", "spec", "kubeadmConfigSpec"];

/** The files of all pools, each at its path in the stack file. */
const filesOf = (settings: Settings) =>
  poolsOf(settings).flatMap(({ path, pool }) =>
    pool.files.map(({ path: file, content }, index) => ({ path: `${path}.files[${index}]`, file, content })),
  );

/** The facts of a stack file. */
export const factsOf = (
  settings: Settings,
  { images: deployed = [], files = {} }: BesideStackFile = {},
): Facts => {
  const { access, addons, controlPlane, extraManifests, management, network, protect, sampleWorkload } =
    settings;
  const nodeFiles = filesOf(settings);
  return {
    // The security group of a private API server leaves public networks out.
    access: () =>
      network.apiServer?.private === true
        ? []
        : [{ path: "access.allowedCidrs", cidrs: access.allowedCidrs }],
    managementClusters: () =>
      present(
        management.kind === "aks" && {
          path: "management",
          isPublic:
            (management.authorizedCidrs.length === 0 ||
              rangesOfAnyone(management.authorizedCidrs) !== undefined) &&
            management.network?.apiServer.private !== true,
          hasEntra: management.entra !== undefined,
        },
      ),
    controlPlanes: () => [
      {
        path: "controlPlane",
        isKnown: true,
        replicas: controlPlane.replicas,
        encryption: controlPlane.encryption,
        audit: controlPlane.audit,
        kubeletCertificates:
          settings.platform.cloudProvider === "external" ? settings.kubeletCertificates : undefined,
      },
    ],
    unprotected: () => (protect ? [] : [{ path: "protect" }]),
    kubernetes: () => versionsOf(settings).map(({ path, version }) => ({ path, minor: minor(version) })),
    vmSizes: () => [
      { path: "controlPlane.vmSize", vmSize: controlPlane.vmSize },
      ...poolsOf(settings).map(({ path, pool: { vmSize } }) => ({ path: `${path}.vmSize`, vmSize })),
      ...present(management.kind === "aks" && { path: "management.nodeSize", vmSize: management.nodeSize }),
    ],
    osDisks: () =>
      poolsOf(settings).flatMap(({ path, pool: { osDiskType } }) =>
        present(osDiskType !== undefined && { path: `${path}.osDiskType`, type: osDiskType }),
      ),
    natRules: () => (network.apiServer?.private === true ? [] : [{ path: "network.apiServer" }]),
    windows: () =>
      windowsPoolsOf(settings).map(({ path, pool }) => ({
        path: `${path}.windowsServer`,
        release: pool.windowsServer,
      })),
    machineImages: () =>
      nodeImages(settings).map(({ path, image, node, version }) => ({
        path: `${path}.image`,
        image: capzImage(image, node, version),
        isWindows: node.os === "windows",
      })),
    images: () => [
      ...imagesBelow({ addons, sampleWorkload }),
      ...Object.entries(extraManifests).flatMap(([name, { objects }]) =>
        imagesOfPods(objects ?? [], ["extraManifests", name, "objects"]),
      ),
    ],
    withoutDigest: () => (settings.imageDigests === undefined ? [] : deployed.filter(isWithoutDigest)),
    artifactsWithoutDigest: () => partsWithoutDigest(settings.clusterApi),
    openSamples: () =>
      sampleWorkload?.serviceType === "LoadBalancer" &&
      !sampleWorkload.internal &&
      rangesOfAnyone(access.allowedCidrs) !== undefined
        ? [{ path: "sampleWorkload.internal" }]
        : [],
    ownObjects: () =>
      Object.entries(extraManifests).flatMap(([name, { objects = [] }]) => [
        ...objects.map((object, index) => ({
          object,
          path: pathText(["extraManifests", name, "objects", index]),
        })),
        ...(files[name] ?? []).map((object) => ({
          object,
          path: pathText(["extraManifests", name, "file"]),
        })),
      ]),
    programArguments: () => [
      ...argumentsOf(settings).flatMap(({ program, path, all }) =>
        all.map((argument, index) => ({ path: `${path}[${index}]`, program, argument })),
      ),
      ...nodeFiles.flatMap(({ path, file, content = "" }) =>
        kubeletArgumentsIn(file, content).map((argument) => ({
          path,
          program: "kubelet" as const,
          argument,
        })),
      ),
      ...poolsOf(settings).flatMap(({ path, pool }) => {
        const port = pool.kubelet?.configuration?.readOnlyPort;
        return present(
          typeof port === "number" && {
            path: `${path}.kubelet.configuration.readOnlyPort`,
            program: "kubelet" as const,
            argument: { name: "read-only-port", value: String(port) },
          },
        );
      }),
    ],
    nodeFiles: () => nodeFiles.map(({ path, file }) => ({ path, file })),
    staticPods: () =>
      nodeFiles.flatMap(({ path, file, content }) =>
        staticPodsOf({ spec: { files: [{ path: file, content }] } }).map((object) => ({ path, object })),
      ),
    registries: () =>
      otherRegistries(at(controlPlane.overrides, ...kubeadmConfigSpec)).map(({ path, registry }) => ({
        path: ["controlPlane.overrides", ...kubeadmConfigSpec, path].join("."),
        registry,
      })),
    installsCalico: () => settings.platform.cni.startsWith("calico"),
    metadataNamespaces: () =>
      addons.azureMetadata.blocked ? addons.azureMetadata.allowedNamespaces : undefined,
    unreadManifests: () =>
      Object.entries(extraManifests).flatMap(([name, { url }]) =>
        present(url !== undefined && { path: pathText(["extraManifests", name, "url"]) }),
      ),
    podSecurity: () => controlPlane.podSecurity?.enforce,
    credentials: () => [...credentialWarnings(settings), ...fileCredentials(files)],
  };
};
