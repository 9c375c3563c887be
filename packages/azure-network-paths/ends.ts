import type { Cni } from "capz-windows-platform/cluster/platform";
import { apiServerPort } from "capz-windows-platform/cluster/naming";
import { formatCidr, mustParseCidr } from "capz-windows-platform/network/addressing";
import { azureDns } from "capz-windows-platform/company-network/peerings";
import { azureDnsFrom, between, into, keptByOthers, outOf, type Port } from "./reach";
import { behindGateway } from "./routes";
import { isInside, samples } from "./ranges";
import { decide, prefixesOf } from "./rules";
import {
  all,
  anywhere,
  isPrivate,
  numberOf,
  unknown,
  type Subnet,
  type Topology,
  type Verdict,
} from "./topology";

/** The ends of a cluster's connections, and whether one reaches another. */

/** Where machines get something: a host whose address the plan may know, or any host on the Internet. */
export interface Target {
  readonly label: string;
  readonly port: number;
  /** Missing where the plan has a name only. */
  readonly address?: string | undefined;
  readonly isAnywhere?: true;
}

export interface Subject {
  readonly topology: Topology;
  /** Machines by their subnets, those of the control plane first. */
  readonly machines: readonly { readonly label: string; readonly subnet: string }[];
  /** The internal load balancer of a private API server: whether machines find it, and those behind it themselves. */
  readonly inside?: { readonly name: Verdict; readonly itself: Verdict };
  readonly management: {
    readonly label: string;
    readonly cidrs?: readonly string[];
    readonly why?: string;
    /** The private endpoint by which it comes, to an address of the control plane subnet. */
    readonly endpoint?: Verdict;
  };
  /** access.allowedCidrs, of which a private API server takes the private ones. */
  readonly people: readonly string[];
  /** Whether they come to ssh by Azure Bastion or a jump host alone. Default: false. */
  readonly privateSsh?: boolean | undefined;
  /** An Azure Bastion of others, or a jump host. */
  readonly wayIn?: { readonly label: string; readonly what: string; readonly address?: string } | undefined;
  readonly targets: readonly Target[];
  readonly cni: Cni;
  /** What keeps pods from the wire server. */
  readonly wireserver: Verdict;
}

export const tcp = (port: number): Port => ({ protocol: "Tcp", port });

export const api = tcp(apiServerPort);

/** Through the internal load balancer, or out of the VNET and back in to the public one. */
export function toApi({ topology, inside }: Subject, subnet: Subnet, controlPlane: Subnet): Verdict {
  if (inside !== undefined) {
    return subnet === controlPlane
      ? inside.itself
      : all([inside.name, ...between(topology, subnet, controlPlane, api)]);
  }
  const { name = "their way out", addresses } = subnet.nat ?? {};
  return all([
    ...outOf(topology, subnet, anywhere, api),
    ...(addresses === undefined
      ? [unknown(`the addresses of ${name}, which the plan does not know`)]
      : into(topology, addresses, controlPlane, api, true)),
  ]);
}

export const toMachines = (
  topology: Topology,
  subnet: Subnet,
  machines: readonly Subnet[],
  port: Port,
): Verdict => all(machines.flatMap((to) => between(topology, subnet, to, port)));

function toAddress(topology: Topology, from: Subnet, address: string, port: Port): Verdict[] {
  const own = topology.subnets.find(({ cidrs }) => isInside(cidrs, numberOf(address)));
  const cidrs = [`${address}/32`];
  return own === undefined
    ? outOf(topology, from, cidrs, port)
    : between(topology, from, { ...own, cidrs }, port);
}

export function toDns(topology: Topology, subnet: Subnet): Verdict {
  const servers = topology.dnsServers?.filter((server) => server !== azureDns);
  if (servers === undefined) {
    return all([
      unknown(`the DNS servers of ${topology.vnet}, which others set`),
      ...keptByOthers(subnet, "Outbound", "them"),
    ]);
  }
  return servers.length === 0
    ? azureDnsFrom(topology, subnet)
    : all(servers.flatMap((server) => toAddress(topology, subnet, server, { protocol: "Udp", port: 53 })));
}

export function toTarget({ topology }: Subject, subnet: Subnet, target: Target): Verdict {
  if (target.isAnywhere === true) {
    return all(outOf(topology, subnet, anywhere, tcp(target.port)));
  }
  if (target.address === undefined) {
    return all([
      unknown(`where ${target.label} leads, which only DNS knows`),
      ...keptByOthers(subnet, "Outbound", "it"),
    ]);
  }
  return all(toAddress(topology, subnet, target.address, tcp(target.port)));
}

/** Packets that need no route back: they have no answer, or come from the host of a machine. */
export const oneWay = (
  topology: Topology,
  from: readonly string[],
  to: readonly Subnet[],
  { protocol, port }: Port,
): Verdict =>
  all(
    to.flatMap(({ group, cidrs }) =>
      samples(from, prefixesOf(group)).flatMap((source) =>
        samples(cidrs, prefixesOf(group)).map((target) =>
          decide(group, "Inbound", { source, target, from, to: cidrs, protocol, port }, topology),
        ),
      ),
    ),
  );

/** The probe of a load balancer. */
export const fromBalancer = (topology: Topology, to: readonly Subnet[], port: Port): Verdict =>
  oneWay(topology, [`${azureDns}/32`], to, port);

/** What tells machines that their packets are too large for a tunnel behind it: a firewall or a gateway in their way. */
export function routersOf({ topology }: Subject, machines: readonly Subnet[]) {
  const routes = machines.flatMap(({ table }) => table?.routes ?? []);
  const appliances = routes.filter(({ hop }) => hop === "VirtualAppliance").map(({ address }) => address);
  return [
    ...[...new Set([...(topology.firewall === undefined ? [] : [topology.firewall]), ...appliances])].map(
      (address) => ({
        ...{ label: `firewall ${address}`, cidrs: [`${address}/32`] },
      }),
    ),
    ...topology.peerings
      .filter(({ gateway }) => gateway)
      .map(({ name, cidrs }) => ({ label: `gateway of ${name}`, cidrs })),
  ];
}

/** From a jump host, or from an Azure Bastion of others, of which the plan knows no address. */
export function fromWayIn({ topology, wayIn }: Subject, machines: readonly Subnet[], port: Port): Verdict {
  const host = wayIn?.address;
  const fromOthers = (cidrs: readonly string[]): Verdict =>
    all(machines.flatMap((to) => into(topology, cidrs, to, port, false)));
  if (host !== undefined && isPrivate(numberOf(host))) {
    const own = topology.subnets.find(({ cidrs }) => isInside(cidrs, numberOf(host)));
    const cidrs = [`${host}/32`];
    return own === undefined ? fromOthers(cidrs) : toMachines(topology, { ...own, cidrs }, machines, port);
  }
  const found = topology.peerings.map(({ cidrs, name }) => ({ cidrs, name, ...fromOthers(cidrs) }));
  const [first, ...more] = found.filter(({ state }) => state !== "shut");
  const what = wayIn?.what ?? "";
  if (first === undefined) {
    return (
      found[0] ??
      all([
        unknown(what),
        behindGateway(topology, ["it"]),
        ...machines.flatMap((to) => keptByOthers(to, "Inbound", "it")),
      ])
    );
  }
  const network = `${first.cidrs.join(", ")} (${first.name})${more.length === 0 ? "" : " and other peered VNETs"}`;
  return first.state === "open"
    ? unknown(`${what}: from ${network} it comes in by ${first.by}`)
    : all([unknown(`${what}, perhaps in ${network}`), first]);
}

/** From networks outside of the VNET to machines of the control plane. */
export const fromOutside = (
  { topology, inside }: Subject,
  cidrs: readonly string[],
  controlPlane: Subnet,
  port: Port,
): Verdict => all(into(topology, cidrs, controlPlane, port, inside === undefined));

/** The whole Internet may contain private addresses, but nobody comes from them who is not named. */
export const entering = (cidrs: readonly string[]): readonly string[] =>
  notIn(cidrs).length > 0
    ? cidrs
    : [...anywhere, ...cidrs.filter((cidr) => isPrivate(mustParseCidr(cidr).first))];

/** Sample addresses of the Internet that lie outside of networks. */
export const notIn = (cidrs: readonly string[]): string[] =>
  anywhere.filter((one) => !isInside(cidrs, mustParseCidr(one).first));

/** Addresses on the Internet that nothing of the stack has, one for each way in which rules may treat them. */
function strangers(
  { topology, people, management }: Subject,
  machines: readonly Subnet[],
  controlPlane: Subnet,
) {
  const known = [
    ...topology.cidrs,
    ...people,
    ...(management.cidrs ?? []),
    ...machines.flatMap(({ nat }) => nat?.addresses ?? []),
  ];
  const others = notIn(people);
  return [
    ...(others.length > 0 ? others : anywhere),
    // Where the plan does not know the addresses of the management cluster, any rule may be for them.
    ...(management.cidrs === undefined ? [] : samples(["0.0.0.0/0"], prefixesOf(controlPlane.group)))
      .filter((first) => !isPrivate(first) && !isInside(known, first))
      .map((first) => formatCidr({ first, prefix: 32 })),
  ];
}

/** Whether anyone else on the Internet gets in. */
export function fromStrangers(
  subject: Subject,
  machines: readonly Subnet[],
  controlPlane: Subnet,
  port: Port,
): Verdict {
  const verdicts = strangers(subject, machines, controlPlane).map((cidr) =>
    fromOutside(subject, [cidr], controlPlane, port),
  );
  const found = verdicts.find(({ state }) => state === "open");
  return found === undefined
    ? all(verdicts)
    : {
        ...found,
        fix: {
          path: `${controlPlane.group?.name ?? ""} securityRules`,
          value: found.by,
          allowed: "access.allowedCidrs, the management cluster and the addresses of the nodes only",
          write: `remove ${found.by} # or its networks in access.allowedCidrs`,
        },
      };
}
