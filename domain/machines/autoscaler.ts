import type { NodeOs } from "./naming";
import { taintText, type Labels, type Taint } from "./nodeLabels";
import { vmResources } from "./vmSizes";

/** Annotations in which the cluster autoscaler's Cluster API provider reads the range of a pool. */
export const autoscalerAnnotation = {
  min: "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size",
  max: "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size",
} as const;

const capacity = "capacity.cluster-autoscaler.kubernetes.io";

/** What the autoscaler is told of the nodes of a pool. */
export interface NodeShape {
  readonly vmSize: string;
  readonly os: NodeOs;
  readonly labels?: Labels | undefined;
  readonly taints?: readonly Taint[] | undefined;
  readonly kubelet?: { readonly maxPods?: number | undefined } | undefined;
}

/**
 * Annotations that tell the autoscaler what a node of a pool without nodes has; CPUs and memory where the name of the
 * size says them. CAPZ writes these two into the status of an AzureMachineTemplate, but an AzureMachinePool has no such
 * field. Without the label no pod for Windows would fit; without the taints the autoscaler would add nodes for pods that
 * do not tolerate them.
 */
export function autoscalerCapacity({
  vmSize,
  os,
  labels = {},
  taints = [],
  kubelet,
}: NodeShape): Record<string, string> {
  const size = vmResources(vmSize);
  const own = Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`);
  return {
    ...(size
      ? { [`${capacity}/cpu`]: String(size.cpus), [`${capacity}/memory`]: `${size.memoryGiB}Gi` }
      : {}),
    [`${capacity}/labels`]: [`kubernetes.io/os=${os}`, ...own].join(","),
    ...(taints.length === 0 ? {} : { [`${capacity}/taints`]: taints.map(taintText).join(",") }),
    ...(kubelet?.maxPods === undefined ? {} : { [`${capacity}/maxPods`]: String(kubelet.maxPods) }),
  };
}
