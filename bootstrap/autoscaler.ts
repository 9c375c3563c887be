import { quantity } from "capz-windows-kit/quantity";
import { reservedOf, type KubeletOptions } from "./kubeletConfig";
import { defaultEvictionHard } from "./kubeletPairs";
import { at, isRecord } from "capz-windows-kit/untyped";
import type { NodeOs } from "capz-windows-platform/machines/naming";
import { taintText, type Labels, type Taint } from "capz-windows-platform/machines/nodeLabels";
import { vmResources, vmTraits } from "capz-windows-platform/machines/vmSizes";
import { windowsBuilds } from "capz-windows-platform/machines/windowsReleases";

/** kubelet's default (Kubernetes v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go). */
const defaultMaxPods = 110;

const capacity = "capacity.cluster-autoscaler.kubernetes.io";

/** What the autoscaler learns about the nodes of a pool. */
export interface NodeShape {
  readonly vmSize: string;
  readonly os: NodeOs;
  /** Windows Server release; missing for Linux. */
  readonly windowsServer?: string | undefined;
  /** Azure region in its short form. */
  readonly location: string;
  /** Availability zones; none means regional. */
  readonly zones: readonly string[];
  readonly labels?: Labels | undefined;
  readonly taints?: readonly Taint[] | undefined;
  readonly kubelet?: KubeletOptions | undefined;
  /** Size of the OS disk, where kubelet and the runtime keep what pods write. */
  readonly osDiskGB?: number | undefined;
}

/**
 * Labels that kubelet, the cloud provider and the CSI driver give to every node of the pool. RuntimeClasses and pods for
 * Windows select by the build. The architecture is necessary: since 1.35 the autoscaler takes it for "" where the
 * infrastructure object has no status.nodeInfo, as CAPZ's have none (cluster-autoscaler 1.36.1
 * systemInfoFromInfrastructureObject). In a pool with several zones, the zone of the next node is not known.
 */
function foreseen({ vmSize, os, windowsServer = "", location, zones }: NodeShape): string[] {
  const build = windowsBuilds[windowsServer];
  const [zone] = zones.length === 1 ? zones : [];
  return [
    `kubernetes.io/os=${os}`,
    `kubernetes.io/arch=${vmTraits(vmSize)?.arm === true ? "arm64" : "amd64"}`,
    ...(build === undefined ? [] : [`node.kubernetes.io/windows-build=${build}`]),
    `node.kubernetes.io/instance-type=${vmSize}`,
    `topology.kubernetes.io/region=${location}`,
    ...(zone === undefined
      ? []
      : ["topology.kubernetes.io/zone", "topology.disk.csi.azure.com/zone"].map(
          (key) => `${key}=${location}-${zone}`,
        )),
  ];
}

const gibi = 1024 ** 3;

/** A quantity or a percentage of the whole, as a number; 0 for one that this cannot read, or that is missing. */
function amount(value: unknown, whole: number): number {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(String(value)) ?? [];
  return percent === undefined ? (quantity(value) ?? 0) : (whole * Number(percent)) / 100;
}

/** What kubelet leaves of a resource to pods. */
function allocatable(
  { os, kubelet }: NodeShape,
  resource: "cpu" | "memory" | "ephemeral-storage",
  whole: number,
): number {
  const {
    kubeReserved,
    evictionHard: own,
    mergeDefaultEvictionSettings: merges,
  } = kubelet?.configuration ?? {};
  // kubelet keeps as much from pods as it evicts them for.
  const byDefault = defaultEvictionHard[os];
  const signals = isRecord(own) ? { ...(merges === true ? byDefault : {}), ...own } : byDefault;
  const signal = { cpu: "", memory: "memory.available", "ephemeral-storage": "nodefs.available" }[resource];
  return [at(reservedOf(kubelet, os), resource), at(kubeReserved, resource), at(signals, signal)]
    .map((text) => amount(text, whole))
    .reduce((left, kept) => left - kept, whole);
}

/**
 * Annotations that tell the autoscaler what the nodes of a pool without a ready node would have for pods: it takes them for
 * capacity and for what is allocatable alike (cluster-autoscaler 1.35.2 clusterapi_nodegroup.go, TemplateNodeInfo). CPUs and
 * memory are only among them if they follow from the name of the VM size. CAPZ writes these two into the status of an AzureMachineTemplate,
 * but an AzureMachinePool has no such field. Without the labels no pod that selects them would fit, and without the taints
 * the autoscaler would add nodes for pods that do not tolerate them.
 */
export function autoscalerCapacity(shape: NodeShape): Record<string, string> {
  const { vmSize, labels = {}, taints = [], kubelet, osDiskGB } = shape;
  const size = vmResources(vmSize);
  const own = Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`);
  return {
    ...(size
      ? {
          [`${capacity}/cpu`]: `${Math.floor(allocatable(shape, "cpu", size.cpus) * 1000)}m`,
          [`${capacity}/memory`]: `${Math.floor(allocatable(shape, "memory", size.memoryGiB * gibi) / 1024 ** 2)}Mi`,
        }
      : {}),
    ...(osDiskGB !== undefined && {
      [`${capacity}/ephemeral-disk`]: `${Math.floor(allocatable(shape, "ephemeral-storage", osDiskGB * gibi) / gibi)}Gi`,
    }),
    [`${capacity}/labels`]: [...foreseen(shape), ...own].join(","),
    ...(taints.length === 0 ? {} : { [`${capacity}/taints`]: taints.map(taintText).join(",") }),
    [`${capacity}/maxPods`]: String(kubelet?.maxPods ?? defaultMaxPods),
  };
}
