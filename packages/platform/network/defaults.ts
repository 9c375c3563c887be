import type { Cni } from "../cluster/platform";

/** Default address ranges of a cluster. They overlap neither each other nor the VNET that AKS creates. */

export const defaultVnetCidr = "10.10.0.0/16";

export const defaultServiceCidr = "10.96.0.0/12";

/**
 * Address range of the pods, which is the default of each CNI. Calico's range contains 192.168.255.0/30, which Windows
 * hosts give to the HNS network External: with Flannel it must be another range; Calico's own carries no pods, and upstream's
 * default is the same range.
 */
export const defaultPodCidr = (cni: Cni): string => (cni === "flannel" ? "10.244.0.0/16" : "192.168.0.0/16");

/**
 * The prefix length of the blocks of addresses that Calico gives to nodes. Default: 25, for the 110 pods that kubelet takes.
 * A Windows node gets one block, because all its pods are in one HNS network (tigera/operator v1.42.3 pkg/render/windows.go:
 * windows_use_single_network; calico v3.32.1 cni-plugin/pkg/ipamplugin/ipam_plugin.go). Calico's own default is 26.
 */
export const calicoBlock = { default: 25, calicos: 26, min: 20, max: 27 } as const;

/** Addresses for pods on a Windows node: a block less 3 at its start and 1 at its end (the same file). */
export const windowsPodAddresses = (blockSize: number): number => 2 ** (32 - blockSize) - 4;
