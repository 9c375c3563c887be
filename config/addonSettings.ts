import { minor } from "semver";
import { autoscalerVersion } from "../addons/clusterAutoscaler";
import type { DefaultStorageClass } from "../addons/storage/csi";
import { metricsServerVersion } from "../addons/metricsServer";
import type { Platform } from "../platform/cluster/platform";
import type { StackConfig } from "./schema/stack";

type Config = StackConfig["addons"];
type Switched<T> = Omit<T, "enabled"> & { readonly enabled: boolean };

/** The add-ons with the defaults that depend on other keys. */
export interface AddonSettings extends Omit<
  Config,
  | "azureDisk"
  | "azureFile"
  | "azureMetadata"
  | "kubeProxyWindows"
  | "metricsServer"
  | "clusterAutoscaler"
  | "windowsExporter"
  | "hnsRemediation"
  | "gmsa"
> {
  readonly kubeProxyWindows: boolean;
  readonly azureMetadata: Config["azureMetadata"] & { readonly blocked: boolean };
  readonly azureDisk: Switched<Config["azureDisk"]>;
  readonly azureFile: Switched<Config["azureFile"]>;
  readonly windowsExporter: Switched<Omit<Config["windowsExporter"], "allowedCidrs">> & {
    readonly allowedCidrs: readonly string[];
  };
  readonly hnsRemediation: Switched<Config["hnsRemediation"]>;
  readonly gmsa: Switched<Config["gmsa"]>;
  readonly metricsServer: Switched<Omit<Config["metricsServer"], "version">> & { readonly version: string };
  readonly defaultStorageClass: DefaultStorageClass;
  readonly clusterAutoscaler: Switched<Omit<Config["clusterAutoscaler"], "version">> & {
    readonly version: string;
  };
}

/** The default storage class, for claims that name none. */
const classOf = (disks: boolean, files: boolean): DefaultStorageClass =>
  disks ? "managed-csi" : files ? "azurefile-csi" : "none";

export function addonSettings(
  config: Config,
  { cloudProvider, cni }: Platform,
  kubernetesVersion: string,
  hasAutoscale: boolean,
  /** Networks of nodes and pods. */
  ownCidrs: readonly string[],
): AddonSettings {
  // With the in-tree cloud provider volumes are in-tree, too.
  const current = cloudProvider === "external";
  const disks = config.azureDisk.enabled ?? current;
  const files = config.azureFile.enabled ?? false;
  return {
    ...config,
    kubeProxyWindows: config.kubeProxyWindows ?? cni !== "none",
    azureMetadata: { ...config.azureMetadata, blocked: config.azureMetadata.blocked ?? cni === "calico" },
    azureDisk: { ...config.azureDisk, enabled: disks },
    azureFile: { ...config.azureFile, enabled: files },
    windowsExporter: {
      ...config.windowsExporter,
      enabled: config.windowsExporter.enabled ?? false,
      allowedCidrs: config.windowsExporter.allowedCidrs ?? ownCidrs,
    },
    hnsRemediation: { ...config.hnsRemediation, enabled: config.hnsRemediation.enabled ?? false },
    gmsa: { ...config.gmsa, enabled: config.gmsa.enabled ?? false },
    defaultStorageClass: config.defaultStorageClass ?? classOf(disks, files),
    metricsServer: {
      enabled: config.metricsServer.enabled ?? current,
      version: config.metricsServer.version ?? metricsServerVersion(minor(kubernetesVersion)),
    },
    clusterAutoscaler: {
      ...config.clusterAutoscaler,
      enabled: config.clusterAutoscaler.enabled ?? (current && hasAutoscale),
      version: config.clusterAutoscaler.version ?? autoscalerVersion(minor(kubernetesVersion)),
    },
  };
}
