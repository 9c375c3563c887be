import { apiServerHostOf } from "./apiServer";
import { defaultSubnets, parseCidr } from "capz-windows-platform/network/addressing";
import { defaultPodCidr, defaultVnetCidr } from "capz-windows-platform/network/defaults";
import { type Platform, platformOf } from "capz-windows-platform/cluster/platform";
import { type AddonSettings, addonSettings } from "./addonSettings";
import type { LinuxPoolConfig, WindowsPoolConfig } from "./schema/nodes";
import { minor } from "semver";
import type { StackConfig } from "./schema/stack";
import { providerPins } from "capz-windows-platform/versions";
import { firstWithPolicies, type PolicyMode } from "capz-windows-platform/workloads/admissionPolicy";
import { noProxy } from "capz-windows-platform/company-network/noProxy";

type Pool<T> = Omit<T, "kubernetesVersion"> & { readonly kubernetesVersion: string };

export type LinuxPoolSettings = Pool<LinuxPoolConfig>;
export type WindowsPoolSettings = Pool<WindowsPoolConfig>;

/** The stack config, including the defaults that depend on other keys. */
export interface Settings extends Omit<
  StackConfig,
  | "addons"
  | "azure"
  | "clusterApi"
  | "linuxPools"
  | "namespace"
  | "network"
  | "poolDefaults"
  | "windowsPools"
  | "workloads"
> {
  readonly namespace: string;
  /** Derived from flavor, kubernetesVersion and addons.cni. */
  readonly platform: Platform;
  readonly addons: AddonSettings;
  readonly azure: StackConfig["azure"] & { readonly resourceGroup: string };
  readonly clusterApi: StackConfig["clusterApi"] & {
    readonly install: boolean;
    readonly installCertManager: boolean;
    readonly coreVersion: string;
    readonly azureVersion: string;
  };
  readonly network: StackConfig["network"] & {
    readonly controlPlaneSubnetCidr: string;
    readonly nodeSubnetCidr: string;
    readonly podCidr: string;
  };
  readonly workloads: StackConfig["workloads"] & {
    readonly runtimeClasses: boolean;
    readonly policy: PolicyMode;
  };
  readonly linuxPools: Readonly<Record<string, LinuxPoolSettings>>;
  readonly windowsPools: Readonly<Record<string, WindowsPoolSettings>>;
}

const withV = (version: string): string => (version.startsWith("v") ? version : `v${version}`);

function pools<T extends { kubernetesVersion?: string | undefined; zones: string[] }>(
  configured: Readonly<Record<string, T>>,
  clusterVersion: string,
): Record<string, T & { kubernetesVersion: string }> {
  return Object.fromEntries(
    Object.entries(configured)
      // Sorted by name, so that the order in the stack file does not matter.
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, pool]) => [
        name,
        {
          ...pool,
          kubernetesVersion: withV(pool.kubernetesVersion ?? clusterVersion),
          // Their order has no meaning, but CAPZ compares it, and would replace a part of the pool because of another
          // order.
          zones: [...pool.zones].sort(),
        },
      ]),
  );
}

/** Fills in the defaults that depend on other keys. The rules (rules/) check the result. */
export function settingsOf(config: StackConfig): Settings {
  const kubernetesVersion = withV(config.kubernetesVersion);
  const platform = platformOf(config.flavor, kubernetesVersion, config.addons.cni === "none");
  const podCidr = config.network.podCidr ?? defaultPodCidr(platform.cni);
  const hasWindows = Object.keys(config.windowsPools).length > 0;
  const vnet = parseCidr(config.network.vnetCidr);
  const { install = config.management.kind === "aks", installCertManager = install } = config.clusterApi;
  // The rules report a VNET that is too small. The subnets of the default VNET are placeholders in that case.
  const subnets = defaultSubnets(vnet && vnet.prefix <= 27 ? config.network.vnetCidr : defaultVnetCidr);
  return {
    ...config,
    kubernetesVersion,
    platform,
    namespace: config.namespace ?? config.clusterName,
    clusterApi: {
      ...config.clusterApi,
      install,
      installCertManager,
      coreVersion: config.clusterApi.coreVersion ?? providerPins[config.flavor].clusterApi,
      azureVersion: config.clusterApi.azureVersion ?? providerPins[config.flavor].capz,
    },
    addons: addonSettings(
      config.addons,
      platform,
      kubernetesVersion,
      [config.linuxPools, config.windowsPools].some((group) =>
        Object.values(group).some(({ autoscale }) => autoscale !== undefined),
      ),
      [config.network.vnetCidr, podCidr],
    ),
    azure: { ...config.azure, resourceGroup: config.azure.resourceGroup ?? config.clusterName },
    network: {
      ...config.network,
      controlPlaneSubnetCidr: config.network.controlPlaneSubnetCidr ?? subnets.controlPlane,
      nodeSubnetCidr: config.network.nodeSubnetCidr ?? subnets.nodes,
      podCidr,
    },
    workloads: {
      ...config.workloads,
      runtimeClasses: config.workloads.runtimeClasses ?? (hasWindows && config.flavor === "containerd"),
      policy:
        config.workloads.policy ??
        (hasWindows && minor(kubernetesVersion) >= firstWithPolicies ? "warn" : "none"),
    },
    linuxPools: pools(config.linuxPools, kubernetesVersion),
    windowsPools: withGmsaIdentity(pools(config.windowsPools, kubernetesVersion), config.addons.gmsa),
  };
}

/** The identity of the gMSA plug-in, on every Windows pool: pods with an account may run on each of them. */
const withGmsaIdentity = <T extends { readonly identityIds: string[] }>(
  windowsPools: Record<string, T>,
  { enabled, keyVaultIdentity: id }: StackConfig["addons"]["gmsa"],
): Record<string, T> =>
  enabled !== true || id === undefined
    ? windowsPools
    : Object.fromEntries(
        Object.entries(windowsPools).map(([name, pool]) => [
          name,
          pool.identityIds.includes(id) ? pool : { ...pool, identityIds: [...pool.identityIds, id] },
        ]),
      );

/** How the nodes reach registries and the Internet; empty for a stack that does not configure it. */
export function egressOf(settings: Settings) {
  const { azure, network, proxy, registryMirror, trustedCertificates } = settings;
  if (proxy === undefined && registryMirror === undefined && trustedCertificates.length === 0) {
    return undefined;
  }
  const { location } = azure;
  return {
    proxy: proxy && {
      url: proxy.url,
      noProxy: noProxy({ ...network, location }, [
        ...(network.apiServer === undefined ? [] : [apiServerHostOf(settings)]),
        ...proxy.noProxy,
      ]),
    },
    registryMirror,
    trustedCertificates,
  };
}
