/**
 * MTU of an Azure VNET in bytes. Azure fragments larger packets, and Windows drops the fragments of VXLAN packets.
 * A VNET has no MTU property in Azure, so the component VirtualNetwork defines the MTU for the nodes and the CNI.
 * Source: Microsoft, "TCP/IP performance tuning for Azure VMs"; CAPZ #1335, #1353.
 */
export const azureVnetMtu = 1400;

/** Bytes that VXLAN over IPv4 adds to a packet: 14 inner Ethernet, 8 VXLAN, 8 UDP and 20 outer IP. */
const vxlanOverhead = 50;

/** MTU in bytes inside VXLAN, for pods, Calico and the Windows Host Networking Service (HNS). */
export const vxlanMtu = (networkMtu: number): number => networkMtu - vxlanOverhead;
