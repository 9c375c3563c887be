import { azureDns } from "capz-windows-platform/company-network/peerings";
import { list, text, isRecord } from "capz-windows-kit/untyped";
import {
  all,
  isPrivate,
  numberOf,
  open,
  shut,
  unknown,
  type PeeredNetwork,
  type Route,
  type Subnet,
  type Topology,
  type Verdict,
} from "./topology";
import { boundsOf, isInside } from "./ranges";

/** Where Azure sends a packet from a subnet: the longest prefix, and among equal ones the route of the table. */

/** A route as Pulumi writes it, or with `properties`, as Azure answers. */
export const readRoutes = (raw: unknown): Route[] =>
  list(raw).map((one) => {
    const own = { ...one, ...(isRecord(one.properties) ? one.properties : {}) };
    return {
      name: text(own.name),
      prefix: text(own.addressPrefix),
      hop: text(own.nextHopType),
      address: text(own.nextHopIpAddress),
    };
  });

const lengthOf = (prefix: string): number => Number(prefix.split("/")[1] ?? 32);

const longest = <T extends { readonly prefix: string }>(
  routes: readonly T[],
  target: number,
): T | undefined =>
  routes
    .filter(({ prefix }) => boundsOf(prefix) !== undefined && isInside([prefix], target))
    .sort((a, b) => lengthOf(b.prefix) - lengthOf(a.prefix))[0];

/** The part of a table that decides; where two are equally long, Azure takes that of the table. */
export function routeOf({ table }: Subnet, target: number, topology: Topology) {
  const own = longest(table?.routes ?? [], target);
  const system = longest(
    [
      ...topology.cidrs.map((prefix) => ({ prefix, peering: undefined })),
      ...topology.peerings.flatMap((peering) => peering.cidrs.map((prefix) => ({ prefix, peering }))),
    ],
    target,
  );
  return own !== undefined && (system === undefined || lengthOf(own.prefix) >= lengthOf(system.prefix))
    ? { own }
    : { system };
}

const tableOf = ({ table }: Subnet): string => table?.name ?? "";

function appliance(route: Route, subnet: Subnet, topology: Topology): Verdict {
  const bounds = boundsOf(route.address);
  const name = `${route.name} of ${tableOf(subnet)}`;
  const peering = topology.peerings.find(({ cidrs }) => bounds !== undefined && isInside(cidrs, bounds[0]));
  return all([
    ...(peering === undefined ? [] : [through(peering)]),
    unknown(`the firewall ${route.address}, to which ${name} leads`),
    ...(peering?.forwarded === false
      ? [unknown(`the peering ${peering.name}, which lets no forwarded packets in`)]
      : []),
  ]);
}

function through({ name, access, othersSide }: PeeredNetwork): Verdict {
  if (!access) {
    return shut(`the peering ${name}, which lets no packets through`, {
      path: `peering ${name} allowVirtualNetworkAccess`,
      value: "false",
      allowed: "true on both sides of the peering",
      write: "allowVirtualNetworkAccess: true",
    });
  }
  return othersSide === true ? unknown(`the other side of the peering ${name}`) : open(`the peering ${name}`);
}

const gatewayOf = ({ peerings }: Topology) => peerings.find(({ gateway, access }) => gateway && access);

/** Private addresses of no VNET that the plan knows. */
export function behindGateway(topology: Topology, ranges: readonly string[]): Verdict {
  const gateway = gatewayOf(topology);
  return gateway === undefined
    ? unknown(`peerings, gateways and routes of others between ${topology.vnet} and`, ranges)
    : all([through(gateway), unknown(`the gateway of the peering ${gateway.name}`)]);
}

export const routesOfOthers = (subnet: Subnet, ranges: readonly string[]): Verdict =>
  unknown(`routes of ${tableOf(subnet)} to`, ranges);

/**
 * The route from a subnet to an address; whether machines may leave to the Internet is decided elsewhere.
 * @param ranges - those for which the address stands
 */
export function route(
  subnet: Subnet,
  target: number,
  topology: Topology,
  ranges: readonly string[],
): Verdict {
  // What is on the host of a machine.
  if (target === numberOf(azureDns)) {
    return open("");
  }
  const { own, system } = routeOf(subnet, target, topology);
  const bySystemRoute = (): Verdict => {
    if (system === undefined) {
      return isPrivate(target) ? behindGateway(topology, ranges) : open("");
    }
    return system.peering === undefined ? open("") : through(system.peering);
  };
  const bySystem = bySystemRoute();
  if (subnet.table !== undefined && subnet.table.routes === undefined) {
    const { firewall } = topology;
    const leaves = system === undefined || system.peering !== undefined;
    return all([
      routesOfOthers(subnet, ranges),
      // A route of others may lead past what shuts the one of Azure.
      bySystem.state === "shut" ? unknown(bySystem.by) : bySystem,
      ...(leaves && firewall !== undefined
        ? [unknown(`the firewall ${firewall}${isPrivate(target) ? ", if routes lead there" : ""}`)]
        : []),
    ]);
  }
  if (own !== undefined) {
    switch (own.hop.toLowerCase()) {
      case "none":
        return shut(`the route ${own.name} of ${tableOf(subnet)}, which drops ${own.prefix}`, {
          path: `${tableOf(subnet)} routes.${own.name}`,
          value: `${own.prefix} ${own.hop}`,
          allowed: "no route None for these addresses",
          write: `remove ${own.name} # or a route with a longer prefix for these addresses`,
        });
      case "virtualappliance":
        // Routes that a gateway announces have longer prefixes.
        return own.prefix === "0.0.0.0/0" && isPrivate(target) && gatewayOf(topology) !== undefined
          ? behindGateway(topology, ranges)
          : appliance(own, subnet, topology);
      case "virtualnetworkgateway":
        return unknown(`the gateway, to which ${own.name} of ${tableOf(subnet)} leads`);
      case "vnetlocal":
        return open("");
      default:
        return isPrivate(target)
          ? shut(`the route ${own.name} of ${tableOf(subnet)}, which leads ${own.prefix} to the Internet`, {
              path: `${tableOf(subnet)} routes.${own.name}`,
              value: `${own.prefix} ${own.hop}`,
              allowed: "no route Internet for private addresses",
              write: `remove ${own.name} # or nextHopType: VnetLocal`,
            })
          : open("");
    }
  }
  return bySystem;
}

/** How machines of a subnet reach the Internet. */
export function wayOut(
  subnet: Subnet,
  target: number,
  topology: Topology,
  ranges: readonly string[],
): Verdict {
  const led = route(subnet, target, topology, ranges);
  if (led.state !== "open") {
    return subnet.nat !== undefined && subnet.nat.name === undefined
      ? all([led, unknown("the way out as", subnet.nat.addresses)])
      : led;
  }
  if (subnet.nat?.name !== undefined) {
    return open(`the NAT gateway ${subnet.nat.name}`);
  }
  if (subnet.defaultOutbound) {
    return open("the outbound access that Azure gives by default");
  }
  return shut(`the subnet ${subnet.name}, which has no way to the Internet`, {
    path: "network.outbound",
    allowed: "a NAT gateway or a route 0.0.0.0/0 to a firewall, or a target in the VNET or in a peered one",
    write: "type: nat # in network.outbound",
  });
}

/** Answers go back by the routes of the subnet that was asked; a load balancer of Azure's must not be bypassed. */
export function wayBack(
  subnet: Subnet,
  source: number,
  topology: Topology,
  ranges: readonly string[],
): Verdict {
  const led = route(subnet, source, topology, ranges);
  const { own } = routeOf(subnet, source, topology);
  return led.state === "unknown" && own !== undefined && !isPrivate(source)
    ? shut(`the route ${own.name} of ${tableOf(subnet)}, by which answers bypass the load balancer`, {
        path: `${tableOf(subnet)} routes.${own.name}`,
        value: `${own.prefix} ${own.hop} ${own.address}`.trim(),
        allowed: "a private API server, or no route of the control plane's subnet to a firewall",
        write: `remove ${own.name} # or network.apiServer with private: true`,
      })
    : led;
}
