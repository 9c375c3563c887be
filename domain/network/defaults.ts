import type { Cni } from "../cluster/platform";

/** Ranges that a cluster gets when nobody names others. None of them overlaps another, or the VNET that AKS makes. */

export const defaultVnetCidr = "10.10.0.0/16";

export const defaultServiceCidr = "10.96.0.0/12";

/**
 * Range of the pods: the default of each CNI. Calico's contains 192.168.255.0/30, which Windows hosts with Flannel use
 * for themselves.
 */
export const defaultPodCidr = (cni: Cni): string => (cni === "flannel" ? "10.244.0.0/16" : "192.168.0.0/16");
