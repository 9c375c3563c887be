/** What the pods on Linux nodes have in common. */

/** Lets a pod run on a control plane node: with one machine and no Linux pool there is no other Linux node. */
export const tolerateControlPlane = {
  key: "node-role.kubernetes.io/control-plane",
  operator: "Exists",
  effect: "NoSchedule",
} as const;

/**
 * Keeps the pods of a controller off the control plane, whose identity may change machines, where there are enough other
 * Linux nodes for them. The list is empty then, and not left out: a ClusterResourceSet would leave the former one there.
 */
export const offControlPlane = (replicas: number, workers: number) => ({
  tolerations: workers < replicas ? [tolerateControlPlane] : [],
});

/** Rollout of a controller of one or two pods. Two never share a node, so the new pod may need the place of an old one. */
export const controllerRollout = (replicas: number) =>
  ({
    type: "RollingUpdate",
    rollingUpdate: { maxSurge: 1, maxUnavailable: replicas > 1 ? 1 : 0 },
  }) as const;

/** Rollout of a controller with host ports: a new pod beside the old one on the only free node would never become ready. */
export const hostPortRollout = {
  type: "RollingUpdate",
  rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
} as const;

/** Pod fields that keep the pods of a controller with these labels on different nodes; none for a single pod. */
export const onDifferentNodes = (replicas: number, matchLabels: Readonly<Record<string, string>>) =>
  replicas > 1
    ? {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { labelSelector: { matchLabels }, topologyKey: "kubernetes.io/hostname" },
            ],
          },
        },
      }
    : {};
