import type { OutboundType } from "../platform/network/outbound";

/** How machines in the VNET of a cluster reach what is outside of it. */
export interface OutboundArgs {
  /** By what. */
  type: OutboundType;
  /** nat: how many public addresses the NAT gateway has. Default: 1. */
  addresses?: number | undefined;
  /** nat: length of a prefix of public addresses that it has instead. Default: none. */
  prefixLength?: number | undefined;
  /** nat: minutes after which it forgets an idle connection. Default: 4. */
  idleTimeoutMinutes?: number | undefined;
  /** existingNat: ARM id of a NAT gateway that somebody else has made. */
  natGatewayId?: string | undefined;
  /** existingNat: its public addresses, by which nodes come to a public API server. Default: none. */
  egressCidrs?: string[] | undefined;
  /** firewall: private address to which the route 0.0.0.0/0 leads. */
  firewallAddress?: string | undefined;
  /** firewall: ARM id of a route table that somebody else has made, instead of firewallAddress. */
  routeTableId?: string | undefined;
}
