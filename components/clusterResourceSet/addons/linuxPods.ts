/** What the pods on Linux nodes have in common. */

/** Lets a pod run on a control plane node: with one machine and no Linux pool there is no other Linux node. */
export const tolerateControlPlane = {
  key: "node-role.kubernetes.io/control-plane",
  operator: "Exists",
  effect: "NoSchedule",
} as const;
