import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { OutboundType, prefixAddresses } from "capz-windows-platform/company-network/outbound";
import { numberAt, strings, textAt } from "capz-windows-kit/untyped";
import { componentsIn, ofType, type PlanResources } from "./resources";
import type { OutboundModel } from "./plainTypes";

/** The way out of the VNET, in words. */

function natDetails(outbound: unknown): string[] {
  const [length, addresses] = [numberAt(outbound, "prefixLength"), numberAt(outbound, "addresses") ?? 1];
  const idle = numberAt(outbound, "idleTimeoutMinutes");
  const single = addresses === 1 ? "one public address" : `${addresses} public addresses`;
  return [
    length === undefined ? single : `a prefix of ${prefixAddresses(length)} public addresses (/${length})`,
    ...(idle === undefined ? [] : [`forgets idle connections after ${idle} minutes`]),
  ];
}

/** From the args of the component; the defaults are not in it. */
export function readOutbound(resources: PlanResources): OutboundModel | undefined {
  const firewall = textAt(componentsIn(resources, "ExistingNetwork")[0]?.inputs, "firewall", "address");
  if (firewall !== "") {
    const details = ["by a route 0.0.0.0/0 that others make"];
    return { what: "firewall", name: firewall, details };
  }
  const outbound = componentsIn(resources, "VirtualNetwork")[0]?.inputs.outbound;
  const of = (key: string): string => textAt(outbound, key);
  const type = Object.values(OutboundType).find((one) => one === of("type"));
  switch (type) {
    case undefined:
      return undefined;
    case "nat":
      return {
        what: "NAT gateway",
        name: ofType(resources, "NatGateway")
          .map(({ inputs }) => textAt(inputs, "natGatewayName"))
          .join(", "),
        details: natDetails(outbound),
      };
    case "existingNat":
      return {
        what: "NAT gateway of others",
        name: lastPart(of("natGatewayId")),
        details: strings((outbound as { egressCidrs?: unknown } | undefined)?.egressCidrs),
      };
    case "firewall":
      return of("routeTableId") === ""
        ? {
            what: "firewall",
            name: of("firewallAddress"),
            details: [
              `by the route 0.0.0.0/0 of ${ofType(resources, "RouteTable")
                .map(({ inputs }) => textAt(inputs, "routeTableName"))
                .join(", ")}`,
            ],
          }
        : {
            what: "route table of others",
            name: lastPart(of("routeTableId")),
            details: ["it must lead 0.0.0.0/0 to the firewall"],
          };
    case "none":
      return { what: "none", name: "", details: ["machines reach the VNET and what is peered with it"] };
  }
}

/** "NAT gateway blue-nat, one public address"; nothing where the stack has no way out. */
export function wayOutText(network: {
  readonly natGateway?: string;
  readonly outbound?: OutboundModel;
}): string | undefined {
  const { natGateway, outbound } = network;
  return outbound === undefined
    ? natGateway && `NAT gateway ${natGateway}`
    : [[outbound.what, outbound.name].filter(Boolean).join(" "), ...outbound.details]
        .filter(Boolean)
        .join(", ");
}
