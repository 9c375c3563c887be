/** Typha, which Calico's operator puts between its nodes and the API server, on Linux nodes only. */

/**
 * How many Typha pods, each on another Linux node, the operator wants for a number of schedulable nodes, Windows
 * included. Taints and readiness do not count. Source: tigera/operator v1.42.3 pkg/common/autoscale.go, and tried with
 * that operator.
 */
export function typhaReplicas(nodes: number): number {
  if (nodes <= 2) {
    return 1;
  }
  return nodes <= 4 ? 2 : Math.max(3, Math.floor(nodes / 200) + 2);
}
