import { minor } from "semver";
import type { OptionalAddon } from "../addons/addon";
import { optionalAddons, optionalKeys, type OptionalKey } from "../addons/optionalAddons";
import { autoscalerVersion } from "../addons/clusterAutoscaler";
import type { DefaultStorageClass } from "../addons/storage/csi";
import type { Platform } from "capz-windows-platform/cluster/platform";
import type { StackConfig } from "./schema/stack";

type Config = StackConfig["addons"];

interface Installed {
  readonly enabled: boolean;
  readonly version: string;
}

type Switched<T> = Omit<T, keyof Installed> & Installed;

type Optional = { readonly [Key in OptionalKey]: Switched<Config[Key]> };

/** The add-ons with the defaults that depend on other keys. */
export interface AddonSettings
  extends
    Omit<Config, OptionalKey | "azureMetadata" | "clusterAutoscaler" | "kubeProxyWindows">,
    Omit<Optional, "windowsExporter"> {
  readonly kubeProxyWindows: boolean;
  readonly azureMetadata: Config["azureMetadata"] & { readonly blocked: boolean };
  readonly windowsExporter: Omit<Optional["windowsExporter"], "allowedCidrs"> & {
    readonly allowedCidrs: readonly string[];
  };
  readonly defaultStorageClass: DefaultStorageClass;
  readonly clusterAutoscaler: Switched<Config["clusterAutoscaler"]>;
}

/** The default storage class, for claims that name none. */
function defaultClass(disks: boolean, files: boolean): DefaultStorageClass {
  if (disks) {
    return "managed-csi";
  }
  return files ? "azurefile-csi" : "none";
}

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
  const installed = (key: OptionalKey): [OptionalKey, object] => {
    const { byDefault, release }: OptionalAddon = optionalAddons[key];
    const { enabled = current && byDefault, ...options } = config[key];
    const version =
      "byDefault" in release && typeof release.byDefault === "function"
        ? { version: options.version ?? release.byDefault(minor(kubernetesVersion)) }
        : {};
    return [key, { ...options, enabled, ...version }];
  };
  const optional = Object.fromEntries(optionalKeys.map(installed)) as unknown as Optional;
  return {
    ...config,
    ...optional,
    kubeProxyWindows: config.kubeProxyWindows ?? cni !== "none",
    azureMetadata: { ...config.azureMetadata, blocked: config.azureMetadata.blocked ?? cni === "calico" },
    windowsExporter: {
      ...optional.windowsExporter,
      allowedCidrs: config.windowsExporter.allowedCidrs ?? ownCidrs,
    },
    defaultStorageClass:
      config.defaultStorageClass ?? defaultClass(optional.azureDisk.enabled, optional.azureFile.enabled),
    clusterAutoscaler: {
      ...config.clusterAutoscaler,
      enabled: config.clusterAutoscaler.enabled ?? (current && hasAutoscale),
      version: config.clusterAutoscaler.version ?? autoscalerVersion(minor(kubernetesVersion)),
    },
  };
}
