import { minor } from "semver";
import { stringify } from "yaml";
import type { BootstrapFile, JoinConfiguration } from "capz-types";
import { isRecord } from "capz-windows-kit/untyped";
import { withoutUndefined } from "capz-windows-kit/without";
import type { Platform } from "capz-windows-platform/cluster/platform";
import { defaultReserved } from "capz-windows-platform/machines/defaults";
import type { NodeOs } from "capz-windows-platform/machines/naming";
import type { Labels, Taint } from "capz-windows-platform/machines/nodeLabels";
import { memoize } from "capz-windows-kit/memoize";

/** Resources that kubelet reserves. */
export interface ReservedArgs {
  /** Reserve anything. Default: true. */
  enabled?: boolean | undefined;
  /** CPU, for instance "500m". Default: 500m on Windows, 100m on Linux. */
  cpu?: string | undefined;
  /** Memory, for instance "2Gi". Default: 2Gi on Windows, 512Mi on Linux. */
  memory?: string | undefined;
}

/** When unused images are removed. */
export interface ImageGcArgs {
  /** Disk usage in percent above which they are removed. Default: 85. */
  highPercent?: number | undefined;
  /** Disk usage in percent at which the removal ends. Default: 80. */
  lowPercent?: number | undefined;
  /** Minutes for which an unused image is kept. Default: 2. */
  minAgeMinutes?: number | undefined;
}

/** Rotation of container logs. */
export interface ContainerLogArgs {
  /** MiB of a log before the next file is started. Default: 10. */
  maxSizeMi?: number | undefined;
  /** Files per log. Default: 5. */
  maxFiles?: number | undefined;
}

/** Configuration of kubelet. */
export interface KubeletArgs {
  /** Largest number of pods on a node. Default: 110. */
  maxPods?: number | undefined;
  /** Resources that kubelet reserves. Default: 500m and 2Gi on Windows, none on Linux. */
  reserved?: ReservedArgs | undefined;
  /** When unused images are removed. Default: kubelet's. */
  imageGC?: ImageGcArgs | undefined;
  /** Images that are pulled at the same time. Default: 1. */
  maxParallelImagePulls?: number | undefined;
  /** Rotation of container logs. Default: kubelet's. */
  containerLogs?: ContainerLogArgs | undefined;
  /** Answer questions for the logs of services. Default: false; files below /var/log are served in any case. */
  logQuery?: boolean | undefined;
  /** Further fields of KubeletConfiguration, as JSON. Default: none. */
  configuration?: string | undefined;
}

/** What a pool sets of kubelet's configuration, with the further fields as they are. */
export interface KubeletOptions extends Omit<KubeletArgs, "configuration"> {
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
}

/** Reads the args of a component, which have the further fields as JSON. */
export const kubeletOptions = (args: KubeletArgs | undefined): KubeletOptions | undefined => {
  if (args === undefined) {
    return undefined;
  }
  const { configuration, ...options } = args;
  return configuration === undefined
    ? options
    : { ...options, configuration: JSON.parse(configuration) as Record<string, unknown> };
};

/** Labels and taints with which a node registers, and the configuration of its kubelet. */
export interface NodeSettings {
  readonly labels?: Labels | undefined;
  readonly taints?: readonly Taint[] | undefined;
  readonly kubelet?: KubeletOptions | undefined;
  /** Hosts of Azure container registries from which kubelet pulls with the identity of the machine. Default: none. */
  readonly registryHosts?: readonly string[] | undefined;
}

/**
 * What kubelet keeps from pods. Without it, pods take the memory of Windows' own services, of containerd and of kubelet, and
 * the node stops reporting; on Linux the kernel protects these better. A pool with kubeReserved has its own numbers.
 */
export function reservedOf(
  { reserved, configuration }: KubeletOptions = {},
  os: NodeOs,
): { readonly cpu: string; readonly memory: string } | undefined {
  const byDefault = os === "windows" && configuration?.kubeReserved === undefined;
  return reserved?.enabled === false || (reserved === undefined && !byDefault)
    ? undefined
    : {
        cpu: reserved?.cpu ?? defaultReserved[os].cpu,
        memory: reserved?.memory ?? defaultReserved[os].memory,
      };
}

/**
 * The options that reach kubelet: bootstrap data of Windows nodes with the in-tree cloud provider has no patch of kubelet's
 * configuration (bootstrap/windows.ts), and nothing keeps resources from pods.
 */
export const deliveredOptions = (
  options: KubeletOptions | undefined,
  os: NodeOs,
  { cloudProvider }: Pick<Platform, "cloudProvider">,
): KubeletOptions | undefined =>
  os === "windows" && cloudProvider !== "external" ? { reserved: { enabled: false } } : options;

/** First minor in which kubelet has log queries, and the one from which on they need no feature gate (kube_features.go). */
export const logQueryMinors = { first: 27, withoutGate: 36 } as const;

/** Questions for logs, and before Kubernetes 1.36 the gate without which kubelet does not start with them. */
function logQueryFields({ logQuery, configuration }: KubeletOptions, version: string): object {
  if (logQuery !== true) {
    return {};
  }
  if (minor(version) >= logQueryMinors.withoutGate) {
    return { enableSystemLogQuery: true };
  }
  const gates = isRecord(configuration?.featureGates) ? configuration.featureGates : {};
  return { enableSystemLogQuery: true, featureGates: { ...gates, NodeLogQuery: true } };
}

/** Fields of KubeletConfiguration (kubelet.config.k8s.io/v1beta1) for kubelet of a version such as v1.35.6. */
export function kubeletFields(
  options: KubeletOptions | undefined,
  os: NodeOs,
  version: string,
): Record<string, unknown> {
  const { maxPods, imageGC, maxParallelImagePulls: pulls, containerLogs, configuration } = options ?? {};
  return withoutUndefined({
    maxPods,
    systemReserved: reservedOf(options, os),
    imageGCHighThresholdPercent: imageGC?.highPercent,
    imageGCLowThresholdPercent: imageGC?.lowPercent,
    imageMinimumGCAge: imageGC?.minAgeMinutes === undefined ? undefined : `${imageGC.minAgeMinutes}m`,
    // kubelet refuses maxParallelImagePulls above 1 if serializeImagePulls is true, its default.
    serializeImagePulls: pulls === undefined ? undefined : pulls === 1,
    maxParallelImagePulls: pulls === undefined || pulls === 1 ? undefined : pulls,
    containerLogMaxSize: containerLogs?.maxSizeMi === undefined ? undefined : `${containerLogs.maxSizeMi}Mi`,
    containerLogMaxFiles: containerLogs?.maxFiles,
    ...configuration,
    ...logQueryFields(options ?? {}, version),
  });
}

/** With the field, kubelet asks the API server for a serving certificate and renews it; it answers only once it has one. */
export const servingFields = (servingCertificate = false): Record<string, unknown> =>
  servingCertificate ? { serverTLSBootstrap: true } : {};

/** Parts of bootstrap data. */
export interface KubeletPatch {
  readonly files: readonly BootstrapFile[];
  readonly join: Pick<JoinConfiguration, "patches">;
}

/**
 * The file that kubeadm merges into kubelet's configuration, and the field that names its folder; nothing where there is
 * nothing to merge. The name is kubeadm's: target, order, kind of patch.
 */
export const kubeletPatch = memoize(
  (directory: string, fields: Readonly<Record<string, unknown>>): KubeletPatch =>
    Object.keys(fields).length === 0
      ? { files: [], join: {} }
      : {
          files: [
            {
              path: `${directory}/kubeletconfiguration0+strategic.yaml`,
              permissions: "0644",
              content: stringify({
                apiVersion: "kubelet.config.k8s.io/v1beta1",
                kind: "KubeletConfiguration",
                ...fields,
              }),
            },
          ],
          join: { patches: { directory } },
        },
);
