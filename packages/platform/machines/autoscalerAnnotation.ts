/** Annotations in which the cluster autoscaler's Cluster API provider reads the range of a pool. */
export const autoscalerAnnotation = {
  min: "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size",
  max: "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size",
} as const;
