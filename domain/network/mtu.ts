/**
 * Azure's virtual network fragments packets above this size, and Windows drops the fragments of VXLAN packets.
 * Azure has no MTU property on a VNET, so our VirtualNetwork owns the number and hands it on.
 * Source: Microsoft, "TCP/IP performance tuning for Azure VMs"; CAPZ #1335, #1353.
 */
export const azureVnetMtu = 1400;

/** Bytes that VXLAN over IPv4 adds: 14 inner Ethernet, 8 VXLAN, 8 UDP, 20 outer IP. */
export const vxlanOverhead = 50;

/** MTU in bytes inside the VXLAN of a network: what pods, HNS on Windows and Calico get. */
export const vxlanMtu = (networkMtu: number): number => networkMtu - vxlanOverhead;
