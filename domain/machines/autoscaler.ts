import type { NodeOs } from "./naming";
import { vmResources } from "./vmSizes";

/** Annotations in which the cluster autoscaler's Cluster API provider reads the range of a pool. */
export const autoscalerAnnotation = {
  min: "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size",
  max: "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size",
} as const;

const capacity = "capacity.cluster-autoscaler.kubernetes.io";

/**
 * Annotations that tell the autoscaler what a node of a pool without nodes has; CPUs and memory where the name of the
 * size says them. CAPZ writes these two into the status of an AzureMachineTemplate, but an AzureMachinePool has no such
 * field. Without the label no pod for Windows would fit.
 */
export function autoscalerCapacity(vmSize: string, os: NodeOs): Record<string, string> {
  const size = vmResources(vmSize);
  return {
    ...(size
      ? { [`${capacity}/cpu`]: String(size.cpus), [`${capacity}/memory`]: `${size.memoryGiB}Gi` }
      : {}),
    [`${capacity}/labels`]: `kubernetes.io/os=${os}`,
  };
}
