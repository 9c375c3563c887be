import type { OutboundType } from "../platform/network/outbound";

/** How machines in the VNET of a cluster reach what is outside of it. */
export interface OutboundArgs {
  /** The way out; each of the other args belongs to one type. */
  type: OutboundType;
  /** nat: number of public addresses of the NAT gateway. Default: 1. */
  addresses?: number | undefined;
  /** nat: length of a prefix of public addresses, /28 to /31, instead of single ones. Default: none. */
  prefixLength?: number | undefined;
  /** nat: minutes after which the NAT gateway forgets an idle connection. Default: 4. */
  idleTimeoutMinutes?: number | undefined;
  /** existingNat: ARM id of a NAT gateway that others have made. */
  natGatewayId?: string | undefined;
  /** existingNat: its public addresses, by which nodes come to a public API server. Default: none. */
  egressCidrs?: string[] | undefined;
  /** firewall: private address to which the route 0.0.0.0/0 leads. */
  firewallAddress?: string | undefined;
  /** firewall: ARM id of a route table that others have made, instead of firewallAddress. */
  routeTableId?: string | undefined;
}
