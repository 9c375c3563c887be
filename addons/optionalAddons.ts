import { components } from "capz-windows-platform/compatibility";
import type { AddonCluster, OptionalAddon } from "./addon";
import { gmsaCrdManifest, gmsaResources, gmsaVersions } from "./gmsa";
import { metricsServerObjects, metricsServerVersion } from "./metricsServer";
import { manifestText } from "./pinnedManifest";
import { azureDiskObjects } from "./storage/azureDisk";
import { azureFileObjects } from "./storage/azureFile";
import { storageClasses } from "./storage/csi";
import { windowsExporterObjects } from "./windowsExporter";

/**
 * The add-ons that a stack turns on and off: one row for each, from which the schema, the settings, the rules, the
 * ClusterResourceSets, the reports and the import follow. docs/architecture.md says how to add one.
 */

interface Versioned {
  readonly version: string;
}

/** Pods of a controller, of which one acts. */
export const replicasOf = ({ controlPlaneReplicas }: AddonCluster): number =>
  controlPlaneReplicas > 1 ? 2 : 1;

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
    objects: ({ version }: Versioned, cluster) => azureDiskObjects({ version, ...storageOf(cluster) }),
  },
  azureFile: {
    description: `Azure Files as volumes that several pods share, on Linux and on Windows: the CSI driver and the storage classes ${storageClasses.azureFile.join(" and ")}. The control plane's identity becomes Storage Account Contributor of the resource group`,
    byDefault: false,
    release: { description: "Release of the Azure File CSI driver", pinned: [components.azureFile.version] },
    label: "cloudProvider",
    known: /azurefile|azure-?file/i,
    delivers: "the driver of Azure Files",
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
    objects: windowsExporterObjects,
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
