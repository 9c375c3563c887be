import { isNamedNat, type OutboundArgs } from "capz-windows-platform/company-network/outbound";

/** The way out of the VNET, as parts of its route table and of its subnets. */

/** The route to a firewall; nothing for other ways out. Routes of subnets are stronger than those that BGP announces. */
export const outboundRoutes = (outbound: OutboundArgs | undefined) =>
  outbound?.firewallAddress === undefined
    ? {}
    : {
        routes: [
          {
            name: "to-firewall",
            addressPrefix: "0.0.0.0/0",
            nextHopType: "VirtualAppliance" as const,
            nextHopIpAddress: outbound.firewallAddress,
          },
        ],
      };

/**
 * Without a way out that is meant, machines have none. Not for the NAT gateway that stacks have by default: Azure takes
 * this for a subnet when it is created (azure-native 3.28.0, SubnetArgs), and theirs exist.
 */
export const subnetOutbound = (outbound: OutboundArgs | undefined) =>
  isNamedNat(outbound) ? {} : { defaultOutboundAccess: false };
