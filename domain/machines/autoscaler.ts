import type { NodeOs } from "./naming";
import { taintText, type Labels, type Taint } from "./nodeLabels";
import { vmResources, vmTraits } from "./vmSizes";
import { windowsBuilds } from "./windowsReleases";

/** Annotations in which the cluster autoscaler's Cluster API provider reads the range of a pool. */
export const autoscalerAnnotation = {
  min: "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size",
  max: "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size",
} as const;

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
  readonly kubelet?: { readonly maxPods?: number | undefined } | undefined;
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

/**
 * Annotations that tell the autoscaler what the nodes of a pool without a ready node would have. CPUs and memory are only
 * among them if they follow from the name of the VM size. CAPZ writes these two into the status of an AzureMachineTemplate,
 * but an AzureMachinePool has no such field. Without the labels no pod that selects them would fit, and without the taints
 * the autoscaler would add nodes for pods that do not tolerate them.
 */
export function autoscalerCapacity(shape: NodeShape): Record<string, string> {
  const { vmSize, labels = {}, taints = [], kubelet } = shape;
  const size = vmResources(vmSize);
  const own = Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`);
  return {
    ...(size
      ? { [`${capacity}/cpu`]: String(size.cpus), [`${capacity}/memory`]: `${size.memoryGiB}Gi` }
      : {}),
    [`${capacity}/labels`]: [...foreseen(shape), ...own].join(","),
    ...(taints.length === 0 ? {} : { [`${capacity}/taints`]: taints.map(taintText).join(",") }),
    ...(kubelet?.maxPods === undefined ? {} : { [`${capacity}/maxPods`]: String(kubelet.maxPods) }),
  };
}
