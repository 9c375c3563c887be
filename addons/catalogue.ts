import { olderAddons } from "../older/addons/catalogue";
import { components } from "../platform/compatibility";
import { vxlanMtu } from "../platform/network/mtu";
import type { Addon, AddonCluster, OptionalAddon } from "./addon";
import { calicoResources } from "./calico";
import { calicoImageSet } from "./calicoImages";
import { calicoOperatorManifest, calicoRelease } from "./calicoReleases";
import { cloudProviderAzureObjects } from "./cloudProviderAzure";
import { gmsaCrdManifest, gmsaResources, gmsaVersions } from "./gmsa";
import { hnsRemediationObjects } from "./hnsRemediation";
import { kubeletCsrApproverObjects } from "./kubeletCsrApprover";
import { kubeProxyWindowsObjects } from "./kubeProxyWindows";
import { loginRightsObjects } from "./loginRights";
import { metricsServerObjects, metricsServerVersion } from "./metricsServer";
import { manifestText, type PinnedManifest } from "./pinnedManifest";
import { azureDiskObjects } from "./storage/azureDisk";
import { azureFileObjects } from "./storage/azureFile";
import { storageClasses } from "./storage/csi";
import { windowsExporterObjects } from "./windowsExporter";
import { windowsMtuObjects } from "./windowsMtu";
import { windowsWorkloadObjects } from "./windowsWorkloads";

/**
 * The catalogue of add-ons: one row for each, from which the schema, the settings, the rules, the ClusterResourceSets, the
 * reports and the import follow. docs/architecture.md says how to add one.
 */

interface Versioned {
  readonly version: string;
}

/** Pods of a controller, of which one acts. */
const replicasOf = ({ controlPlaneReplicas }: AddonCluster): number => (controlPlaneReplicas > 1 ? 2 : 1);

const workersOf = ({ linuxWorkers = 0 }: AddonCluster): number => linuxWorkers;

const storageOf = (cluster: AddonCluster) => ({
  defaultClass: cluster.defaultStorageClass ?? "none",
  replicas: replicasOf(cluster),
  proxy: cluster.proxy,
});

/** What a stack turns on and off, by its key in `addons`. */
export const optionalAddons = {
  azureDisk: {
    description: `Azure disks as volumes, on Linux and on Windows: the CSI driver and the storage classes ${storageClasses.azureDisk.join(" and ")}. Without it no claim for a disk is ever bound`,
    byDefault: true,
    release: { description: "Release of the Azure Disk CSI driver", pinned: [components.azureDisk.version] },
    label: "cloudProvider",
    known: /azuredisk|azure-?disk/i,
    delivers: "the driver of Azure disks",
    privileged: {
      "csi-azuredisk-controller":
        "calls Azure with the identity of the control plane, by the metadata service and the configuration there",
      "csi-azuredisk-node": "formats and mounts volumes for kubelet",
      "csi-azuredisk-node-win": "formats and mounts volumes for kubelet",
    },
    objects: ({ version }: Versioned, cluster) => azureDiskObjects({ version, ...storageOf(cluster) }),
  },
  azureFile: {
    description: `Azure Files as volumes that several pods share, on Linux and on Windows: the CSI driver and the storage classes ${storageClasses.azureFile.join(" and ")}. The control plane's identity becomes Storage Account Contributor of the resource group`,
    byDefault: false,
    release: { description: "Release of the Azure File CSI driver", pinned: [components.azureFile.version] },
    label: "cloudProvider",
    known: /azurefile|azure-?file/i,
    delivers: "the driver of Azure Files",
    privileged: {
      "csi-azurefile-controller":
        "calls Azure with the identity of the control plane, by the metadata service and the configuration there",
      "csi-azurefile-node": "mounts shares for kubelet",
      "csi-azurefile-node-win": "mounts shares for kubelet",
    },
    objects: ({ version }: Versioned, cluster) => azureFileObjects({ version, ...storageOf(cluster) }),
  },
  metricsServer: {
    description: "metrics-server, for `kubectl top` and the HorizontalPodAutoscaler",
    byDefault: true,
    release: {
      description: `Release. Default: the newest that supports the cluster's minor version, ${metricsServerVersion(35)} for 1.35`,
      pattern: /^v0\.[0-9]+\.[0-9]+$/,
      allowed: "v0.MINOR.PATCH",
      byDefault: metricsServerVersion,
    },
    label: "cloudProvider",
    known: /metrics-server/i,
    delivers: "metrics-server",
    objects: ({ version }: Versioned, cluster) =>
      metricsServerObjects({
        version,
        replicas: replicasOf(cluster),
        workers: workersOf(cluster),
        verifiesKubelets: cluster.servingCertificates?.verified,
      }),
  },
  windowsExporter: {
    description:
      "windows-exporter on every Windows node: metrics of nodes and containers for Prometheus, on port 9182",
    byDefault: false,
    release: {
      description: "Release, without a leading v",
      pattern: /^0\.[0-9]+\.[0-9]+$/,
      allowed: "0.MINOR.PATCH",
      byDefault: components.windowsExporter.version,
    },
    label: "cloudProvider",
    known: /windows-?exporter/i,
    delivers: "windows-exporter",
    privileged: { "windows-exporter": "reads performance counters and services of Windows" },
    objects: windowsExporterObjects,
  },
  hnsRemediation: {
    description:
      "Watches the host network service (HNS) of each Windows node. When it has crashed, Calico and kube-proxy are started again, because they do not notice that their rules are gone; an event of the node says so",
    byDefault: false,
    release: { fixed: components.hostProcessBase.version },
    label: "cloudProvider",
    known: /hns-?remediation/i,
    delivers: "it",
    privileged: {
      "hns-remediation": "watches the service HNS of Windows, and starts Calico and kube-proxy again",
    },
    objects: ({ intervalSeconds }: { readonly intervalSeconds: number }, cluster) =>
      hnsRemediationObjects({ ...cluster, intervalSeconds }),
  },
  gmsa: {
    description:
      "Group managed service accounts of Active Directory for Windows containers: the CRD of credential specs and the webhook that checks and fills them in, with a certificate that is made in the cluster",
    byDefault: false,
    release: { description: "Release of windows-gmsa", pinned: gmsaVersions },
    label: "cniWindows",
    known: /gmsa/i,
    delivers: "the webhook of gMSA",
    pinned: gmsaCrdManifest,
    objects: async (options: Versioned & { readonly randomHostnames: boolean }, cluster) =>
      gmsaResources({
        ...options,
        crdManifest: await manifestText(gmsaCrdManifest(options.version), cluster),
        replicas: replicasOf(cluster),
        workers: workersOf(cluster),
      }),
  },
} as const satisfies Record<string, OptionalAddon>;

export type OptionalKey = keyof typeof optionalAddons;

export const optionalKeys = Object.keys(optionalAddons) as readonly OptionalKey[];

/** The keys with which a stack turns an add-on on and off. The cluster autoscaler is a separate component. */
export const switchedKeys = [...optionalKeys, "clusterAutoscaler"] as const;

/** Add-ons as a stack configures them. Default: not installed. */
export type AddonOptions = {
  readonly [Key in OptionalKey]?:
    ({ readonly enabled: boolean } & Parameters<(typeof optionalAddons)[Key]["objects"]>[0]) | undefined;
};

/** "azureDisk" is delivered as azure-disk. */
const roleOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The line of the stack file that leaves an add-on out, by its logical name; `undefined` for one that is required. */
export function lineWithoutAddon(role: string): string | undefined {
  const key = switchedKeys.find((each) => roleOf(each) === role);
  return key === undefined ? undefined : `addons.${key}.enabled: false`;
}

/** The release that is delivered. */
function releaseOf(key: OptionalKey, options: object): string {
  const { release }: OptionalAddon = optionalAddons[key];
  return "fixed" in release ? release.fixed : (options as { readonly version: string }).version;
}

const optionalRow = (key: OptionalKey, stack: AddonOptions): Addon => {
  const { objects, privileged = {}, ...row }: OptionalAddon = optionalAddons[key];
  const options = stack[key];
  return {
    ...{ ...row, role: roleOf(key), privileged, instead: `addons.${key}` },
    in: ({ platform }) => options?.enabled === true && platform.cloudProvider === "external",
    version: () => releaseOf(key, options ?? {}),
    objects: (cluster) => objects(options as never, cluster),
  };
};

/** All add-ons, in the order in which they are delivered. */
export const addonsOf = (stack: AddonOptions): readonly Addon[] => [
  ...olderAddons,
  {
    role: "calico",
    label: "cni",
    known: /calico|tigera/i,
    delivers: "Calico, with the MTU of Azure's network",
    instead: "addons.calicoVersion",
    in: ({ platform }) => platform.cni === "calico",
    late: true,
    version: calicoRelease,
    pinned: calicoOperatorManifest,
    objects: async (cluster) =>
      calicoResources({
        ...cluster,
        podMtu: vxlanMtu(cluster.networkMtu),
        blockSize: cluster.calicoBlockSize,
        imageSet: calicoImageSet(calicoRelease(cluster), cluster.imageDigests),
        operatorManifest: await manifestText(calicoOperatorManifest(calicoRelease(cluster)), cluster),
      }),
  },
  {
    role: "kube-proxy-windows",
    label: "cniWindows",
    known: /kube-?proxy/i,
    delivers: "kube-proxy for Windows",
    privileged: { "kube-proxy-windows": "writes the rules of Services into HNS" },
    instead: "addons.kubeProxyWindowsImage",
    in: ({ platform, kubeProxyWindows = true }) => kubeProxyWindows && platform.flavor === "containerd",
    objects: (cluster) => kubeProxyWindowsObjects({ ...cluster, image: cluster.kubeProxyWindowsImage }),
  },
  {
    role: "windows-mtu",
    label: "cniWindows",
    known: /windows-mtu/i,
    delivers: "the MTU of Windows nodes",
    privileged: { "windows-mtu": "sets the MTU of network interfaces of Windows" },
    instead: "network.mtu",
    in: ({ platform }) => platform.flavor === "containerd",
    objects: windowsMtuObjects,
  },
  {
    role: "cloud-provider-azure",
    label: "cloudProvider",
    known: /cloud-provider-azure/i,
    delivers: "the cloud provider",
    privileged: {
      "cloud-controller-manager":
        "calls Azure with the identity of the control plane, before there is a network of pods",
      "cloud-node-manager": "asks the metadata service about its node, before there is a network of pods",
      "cloud-node-manager-windows":
        "asks the metadata service about its node, before there is a network of pods",
    },
    instead: "addons.cloudProviderAzureTag",
    in: ({ platform }) => platform.cloudProvider === "external",
    objects: (cluster) =>
      cloudProviderAzureObjects({
        ...cluster,
        replicas: replicasOf(cluster),
        imageTag: cluster.cloudProviderAzureTag,
      }),
  },
  ...optionalKeys.map((key) => optionalRow(key, stack)),
  {
    role: "windows-workloads",
    label: "cniWindows",
    known: /windows-workloads/i,
    delivers: "RuntimeClasses and policies",
    instead: "workloads",
    in: () => true,
    late: true,
    objects: ({ windowsWorkloads }) =>
      windowsWorkloads === undefined ? [] : windowsWorkloadObjects(windowsWorkloads),
  },
  {
    role: "kubelet-csr-approver",
    label: "cloudProvider",
    known: /kubelet-?(csr|serving-cert)-approver|kubelet-rubber-stamp/i,
    delivers: "the approver of kubelets' serving certificates",
    privileged: {
      "kubelet-csr-approver":
        "approves certificates of kubelets before there is a network of pods, because logs and etcd are reached through kubelets",
    },
    instead: "kubeletCertificates",
    in: ({ servingCertificates, platform }) =>
      servingCertificates !== undefined && platform.cloudProvider === "external",
    version: () => components.kubeletCsrApprover.version,
    objects: ({ servingCertificates, ...cluster }) =>
      servingCertificates === undefined
        ? []
        : kubeletCsrApproverObjects({
            ...servingCertificates,
            replicas: replicasOf({ servingCertificates, ...cluster }),
          }),
  },
  {
    role: "login-rights",
    label: "cni",
    known: /login-rights/i,
    delivers: "the bindings of administrators and readers",
    instead: "controlPlane.authentication",
    in: ({ loginRights }) => loginRights !== undefined,
    objects: ({ loginRights }) => (loginRights === undefined ? [] : loginRightsObjects(loginRights)),
  },
];

/** The published manifest in a release of an add-on, by its logical name; most have none. */
export function pinnedManifestOf(role: string, version: string): PinnedManifest | undefined {
  for (const addon of addonsOf({}).filter((one) => one.role === role)) {
    const found = addon.pinned?.(version);
    if (found !== undefined) return found;
  }
  return undefined;
}
