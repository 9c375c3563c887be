import type { Cni } from "../cluster/platform";

/** Default address ranges of a cluster. They overlap neither each other nor the VNET that AKS creates. */

export const defaultVnetCidr = "10.10.0.0/16";

export const defaultServiceCidr = "10.96.0.0/12";

/**
 * Address range of the pods, which is the default of each CNI. Calico's range contains 192.168.255.0/30, which Windows
 * hosts with Flannel use internally.
 */
export const defaultPodCidr = (cni: Cni): string => (cni === "flannel" ? "10.244.0.0/16" : "192.168.0.0/16");
