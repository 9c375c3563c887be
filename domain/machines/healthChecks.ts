import type { UnhealthyNodeCondition } from "../capi/types";

const ready = (status: "Unknown" | "False", timeoutSeconds: number): UnhealthyNodeCondition => ({
  type: "Ready",
  status,
  timeoutSeconds,
});

/**
 * When a MachineHealthCheck takes a node for lost, in seconds: after 5 minutes without a word of its kubelet, but after
 * 20 of a kubelet that says it is not ready. That is what every node says until the network comes, and the network may
 * come late; a first machine that is replaced meanwhile would take etcd's only member with it.
 */
export const unhealthyNodeConditions: UnhealthyNodeCondition[] = [
  ready("Unknown", 300),
  ready("False", 1200),
];

/** Seconds until a machine must be a node: twice what CAPZ's end-to-end tests give one; Windows needs its time. */
export const nodeStartupTimeoutSeconds = 2400;
