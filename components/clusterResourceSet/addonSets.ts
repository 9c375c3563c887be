import {
  calicoLinuxManifest,
  calicoOperatorManifest,
  defaultCalicoVersion,
} from "../../addons/calicoReleases";
import type { AzureDiskVersion, AzureFileVersion, DefaultStorageClass } from "../../addons/storage/csi";
import { gmsaCrdManifest, type GmsaVersion } from "../../addons/gmsa";
import type { PinnedManifest } from "../../addons/pinnedManifest";
import type { NodeProxy } from "../../bootstrap/egress";
import { addonLabels } from "../../platform/cluster/addonLabels";
import type { KubernetesObject } from "../../capi/types";
import type { Platform } from "../../platform/cluster/platform";
import { vxlanMtu } from "../../platform/network/mtu";
import type { AzureMetadataArgs } from "../../addons/azureMetadata";
import { calicoResources } from "../../addons/calico";
import { calicoManifestResources } from "../../older/addons/calicoManifests";
import { cloudProviderAzureObjects } from "../../addons/cloudProviderAzure";
import { flannelObjects } from "../../older/addons/flannel";
import { kubeProxyWindowsObjects } from "../../addons/kubeProxyWindows";
import { kubeProxyWinsObjects } from "../../older/addons/kubeProxyWins";
import { gmsaResources } from "../../addons/gmsa";
import { hnsRemediationObjects } from "../../addons/hnsRemediation";
import { hostProcessBaseVersion } from "../../addons/windowsPods";
import { windowsExporterObjects } from "../../addons/windowsExporter";
import { windowsMtuObjects } from "../../addons/windowsMtu";
import { windowsWorkloadObjects, type WindowsWorkloadsArgs } from "../../addons/windowsWorkloads";
import { metricsServerObjects } from "../../addons/metricsServer";
import { azureDiskObjects } from "../../addons/storage/azureDisk";
import { azureFileObjects } from "../../addons/storage/azureFile";
import { extraSets, type ExtraManifest, type ExtraSet } from "./extraSets";
import type { ClusterResourceSetArgs } from "./manifests";
import { toYamlStream } from "../../platform/manifests/yamlStream";
import { loadPinnedManifest } from "../../addons/pinnedManifest";

export interface AddonSetsArgs {
  /** Download nothing; a placeholder stands for what the cache does not have. */
  readonly offline: boolean;
  /** Folder in which verified manifests are kept. Default: none, so each run downloads them. */
  readonly manifestCache?: string | undefined;
  readonly clusterName: string;
  readonly namespace: string;
  readonly platform: Platform;
  /** With leading v. */
  readonly kubernetesVersion: string;
  readonly controlPlaneReplicas: number;
  /** Nodes beside the control plane on which a Linux pod without tolerations always finds a place. Default: 0. */
  readonly linuxWorkers?: number | undefined;
  readonly apiServerHost: string;
  readonly apiServerPort: number;
  readonly podCidr: string;
  readonly serviceCidr: string;
  /**
   * Whether the program waits for the API server, so that add-ons that need it can be created afterwards. Default:
   * true.
   */
  readonly wait?: boolean | undefined;
  /** MTU of the VNET in bytes. */
  readonly networkMtu: number;
  /** Proxy of the add-ons that call Azure's API. Default: none. */
  readonly proxy?: NodeProxy | undefined;
  readonly calicoVersion?: string | undefined;
  /** Prefix length of the blocks that Calico's operator has nodes get. Default: calicoBlock. */
  readonly calicoBlockSize?: number | undefined;
  /** Whether machines have more than one network interface. Default: false. */
  readonly severalInterfaces?: boolean | undefined;
  /** With Calico's operator. Default: no policy. */
  readonly azureMetadata?: AzureMetadataArgs | undefined;
  /** kube-proxy for Windows. Default: true. */
  readonly kubeProxyWindows?: boolean | undefined;
  readonly flannelImage?: string | undefined;
  readonly flannelWindowsImage?: string | undefined;
  readonly kubeProxyWindowsImage?: string | undefined;
  readonly cloudProviderAzureTag?: string | undefined;
  /** RuntimeClasses and policies for workloads on Windows nodes. Default: none. */
  readonly windowsWorkloads?: WindowsWorkloadsArgs | undefined;
  /** Default: no disks. */
  readonly azureDisk?: OptionalAddon<AzureDiskVersion> | undefined;
  /** Default: no shares. */
  readonly azureFile?: OptionalAddon<AzureFileVersion> | undefined;
  /** Default: none. */
  readonly defaultStorageClass?: DefaultStorageClass | undefined;
  /** Default: no metrics. */
  readonly metricsServer?: OptionalAddon<string> | undefined;
  /** Default: no metrics of Windows nodes. */
  readonly windowsExporter?:
    (OptionalAddon<string> & { readonly allowedCidrs: readonly string[] }) | undefined;
  /** Default: nodes whose HNS crashed are not repaired. */
  readonly hnsRemediation?: { readonly enabled: boolean; readonly intervalSeconds: number } | undefined;
  /** Default: no group managed service accounts. */
  readonly gmsa?: (OptionalAddon<GmsaVersion> & { readonly randomHostnames: boolean }) | undefined;
  /** Manifests of the user's own, by name. Default: none. */
  readonly extraManifests?: Readonly<Record<string, ExtraManifest>> | undefined;
  /** Folder to which the paths of their files are relative. Default: the current one. */
  readonly rootDir?: string | undefined;
}

/** An add-on that a cluster can do without. */
export interface OptionalAddon<Version> {
  readonly enabled: boolean;
  readonly version: Version;
}

/** One add-on. The role is its logical name: the same in every stack, whatever the cluster is called. */
export interface AddonSet extends ClusterResourceSetArgs {
  readonly role:
    | "calico"
    | "flannel"
    | "kube-proxy-windows"
    | "windows-mtu"
    | "cloud-provider-azure"
    | "azure-disk"
    | "azure-file"
    | "metrics-server"
    | "windows-exporter"
    | "hns-remediation"
    | "gmsa"
    | "windows-workloads";
}

export interface AddonSets {
  readonly beforeCluster: AddonSet[];
  /**
   * Created when the API server answers. Cluster API waits longer after each failed attempt, even while there is no API
   * server, finally up to 10 minutes: too long for custom resources whose CRDs come with the set itself.
   */
  readonly afterApiServer: (AddonSet | ExtraSet)[];
  /** The user's own, to be made after all others; where one of them brings the CNI, they are among those above. */
  readonly afterNetwork: ExtraSet[];
}

/**
 * The add-ons of a cluster, one ClusterResourceSet each. Calico's manifest is taken from the cache folder, or downloaded
 * and verified; an offline plan does without it. With a CNI of the users' there is neither.
 * @throws ManifestMismatchError when what came is not what was pinned
 */
export async function addonSets(args: AddonSetsArgs): Promise<AddonSets> {
  const { clusterName, namespace, platform } = args;
  const labels = addonLabels(clusterName, platform);
  const set = (role: AddonSet["role"], clusterSelector: Record<string, string>, yaml: string): AddonSet => ({
    role,
    name: `${clusterName}-${role}`,
    namespace,
    clusterSelector,
    entries: [{ key: `${role}.yaml`, yaml }],
  });
  const sets: AddonSet[] = [];
  if (platform.cni === "flannel") {
    sets.push(set("flannel", labels.cni, flannel(args)));
  } else if (platform.cni !== "none") {
    sets.push({ ...set("calico", labels.cni, await calico(args)), version: calicoManifest(args).version });
  }
  if (args.kubeProxyWindows ?? true) {
    sets.push(set("kube-proxy-windows", labels.cniWindows, toYamlStream(kubeProxyObjects(args))));
  }
  // With Docker, Windows itself runs the script.
  if (platform.flavor === "containerd") {
    sets.push(set("windows-mtu", labels.cniWindows, toYamlStream(windowsMtuObjects(args))));
  }
  if (platform.cloudProvider === "external") {
    sets.push(set("cloud-provider-azure", labels.cloudProvider, toYamlStream(cloudProvider(args))));
    for (const [role, version, objects] of optionalAddons(args)) {
      sets.push({ ...set(role, labels.cloudProvider, toYamlStream(objects)), version });
    }
    if (args.gmsa?.enabled === true) {
      sets.push({
        ...set("gmsa", labels.cniWindows, await gmsa(args, args.gmsa)),
        version: args.gmsa.version,
      });
    }
  }
  const forWorkloads =
    args.windowsWorkloads === undefined ? [] : windowsWorkloadObjects(args.windowsWorkloads);
  if (forWorkloads.length > 0) {
    sets.push(set("windows-workloads", labels.cniWindows, toYamlStream(forWorkloads)));
  }
  const hasLateObjects = ({ role }: AddonSet): boolean =>
    ((role === "calico" && platform.cni === "calico") || role === "windows-workloads") && (args.wait ?? true);
  const own = await extraSets(args, sets);
  const bringNetwork = platform.cni === "none";
  return {
    beforeCluster: sets.filter((each) => !hasLateObjects(each)),
    // What waits for nodes comes after these, also when Pulumi makes one resource at a time.
    afterApiServer: [...sets.filter(hasLateObjects), ...(bringNetwork ? own : [])],
    afterNetwork: bringNetwork ? [] : own,
  };
}

const flannel = (args: AddonSetsArgs): string =>
  toYamlStream(
    flannelObjects({
      ...args,
      podMtu: vxlanMtu(args.networkMtu),
      images: { linux: args.flannelImage, windows: args.flannelWindowsImage },
    }),
  );

/** With Docker, wins starts it on the host; containerd runs it in a HostProcess container. */
const kubeProxyObjects = ({ platform, kubernetesVersion, kubeProxyWindowsImage: image }: AddonSetsArgs) =>
  (platform.flavor === "dockershim" ? kubeProxyWinsObjects : kubeProxyWindowsObjects)({
    kubernetesVersion,
    image,
  });

const calicoManifest = ({ platform, calicoVersion, kubernetesVersion }: AddonSetsArgs): PinnedManifest =>
  platform.cni === "calico"
    ? calicoOperatorManifest(calicoVersion ?? defaultCalicoVersion(kubernetesVersion))
    : calicoLinuxManifest;

async function calico(args: AddonSetsArgs): Promise<string> {
  const { text } = await loadPinnedManifest(calicoManifest(args), {
    cacheDir: args.manifestCache,
    offline: args.offline,
  });
  const podMtu = vxlanMtu(args.networkMtu);
  return args.platform.cni === "calico"
    ? calicoResources({ ...args, podMtu, blockSize: args.calicoBlockSize, operatorManifest: text })
    : calicoManifestResources({ ...args, podMtu, linuxManifest: text });
}

async function gmsa(args: AddonSetsArgs, options: NonNullable<AddonSetsArgs["gmsa"]>): Promise<string> {
  const { text } = await loadPinnedManifest(gmsaCrdManifest(options.version), {
    cacheDir: args.manifestCache,
    offline: args.offline,
  });
  return gmsaResources({
    ...options,
    crdManifest: text,
    replicas: controllerReplicas(args),
    workers: args.linuxWorkers ?? 0,
  });
}

/** Pods of a controller, of which one acts. */
const controllerReplicas = ({ controlPlaneReplicas }: AddonSetsArgs): number =>
  controlPlaneReplicas > 1 ? 2 : 1;

/** Those that are enabled, each with its release. They need the external cloud provider, whose label selects them. */
function optionalAddons(
  args: AddonSetsArgs,
): (readonly [role: AddonSet["role"], version: string, objects: KubernetesObject[]])[] {
  const {
    azureDisk,
    azureFile,
    metricsServer,
    windowsExporter,
    hnsRemediation,
    defaultStorageClass: defaultClass = "none",
  } = args;
  const replicas = controllerReplicas(args);
  const controller = { defaultClass, replicas, proxy: args.proxy };
  return [
    ...(azureDisk?.enabled === true
      ? [["azure-disk", azureDisk.version, azureDiskObjects({ ...azureDisk, ...controller })] as const]
      : []),
    ...(azureFile?.enabled === true
      ? [["azure-file", azureFile.version, azureFileObjects({ ...azureFile, ...controller })] as const]
      : []),
    ...(metricsServer?.enabled === true
      ? [
          [
            "metrics-server",
            metricsServer.version,
            metricsServerObjects({ ...metricsServer, replicas, workers: args.linuxWorkers ?? 0 }),
          ] as const,
        ]
      : []),
    ...(windowsExporter?.enabled === true
      ? [["windows-exporter", windowsExporter.version, windowsExporterObjects(windowsExporter)] as const]
      : []),
    ...(hnsRemediation?.enabled === true
      ? [
          [
            "hns-remediation",
            hostProcessBaseVersion,
            hnsRemediationObjects({ ...args, ...hnsRemediation }),
          ] as const,
        ]
      : []),
  ];
}

const cloudProvider = (args: AddonSetsArgs) =>
  cloudProviderAzureObjects({
    ...args,
    replicas: controllerReplicas(args),
    imageTag: args.cloudProviderAzureTag,
  });
