import { apiServerPort } from "../cluster/naming";
import { collapseCidrs, subnetsByName } from "./addressing";
import type { ExistingNetworkIds } from "./existingNetwork";
import type { EgressTarget } from "./noProxy";
import { present } from "../../tools/present";
import { ownValue } from "../../tools/untyped";

/** The security rules that a VNET of others must have, and its subnets. */

export interface NetworkNeeds {
  readonly existing: ExistingNetworkIds;
  /** Whether the API server has no public address; a firewall may then be the way out. Default: false. */
  readonly privateApiServer?: boolean | undefined;
  /** Whether people come by Azure Bastion or a jump host in the VNET or in one that is peered with it. Default: false. */
  readonly privateSsh?: boolean | undefined;
  /** Azure region. */
  readonly location: string;
  /** The one of the cluster, which the stack makes. */
  readonly resourceGroup: string;
  /** Addresses that the cluster takes at one time, by the range of the subnet. Default: not known. */
  readonly addresses?: Readonly<Record<string, number>> | undefined;
  /** Range of the VNET. */
  readonly vnetCidr?: string | undefined;
  /** ARM ID of the VNET of the firewall, where it is known. */
  readonly hubVnetId?: string | undefined;
  /** Ranges of all subnets of the cluster: of the control plane, of pools, and further ones of pools. */
  readonly subnets: readonly string[];
  /** Those of further subnets by their names in poolSubnetIds. Default: none. */
  readonly poolSubnets?: Readonly<Record<string, string>> | undefined;
  /** Name and address of a private API server, and whether others make its record. */
  readonly apiServer?:
    | {
        readonly host: string;
        readonly ip: string;
        readonly manual?: boolean | undefined;
        readonly zoneId?: string | undefined;
        readonly privateLink?: boolean | undefined;
        /** VNETs beside that of the cluster to which the stack links the zone. */
        readonly linkedVnetIds?: readonly string[] | undefined;
      }
    | undefined;
  /** Where the route 0.0.0.0/0 leads, if not to a NAT gateway. */
  readonly firewall?: { readonly address: string } | undefined;
  /** The way of machines to Azure's API and to images. Default: the Internet. */
  readonly proxy?: EgressTarget | undefined;
  /** A mirror that machines reach without a proxy. Default: none. */
  readonly mirror?: EgressTarget | undefined;
  readonly allowedCidrs: readonly string[];
  readonly managementCidrs: readonly string[];
}

/** Others than the machines that come to the API server. */
export const clientsOf = ({ allowedCidrs, managementCidrs }: NetworkNeeds): string[] =>
  collapseCidrs([...allowedCidrs, ...managementCidrs]);

/** Words in commands for what the stack file does not say. Azure refuses them, so that no command opens more than was meant. */
export const dnsServers = "DNS-SERVERS";
const bastionRange = "BASTION-RANGE";
const hubRange = "HUB-RANGE";
const named = { proxy: "PROXY-ADDRESS", mirror: "MIRROR-ADDRESS" } as const;

/** A security rule; several ports are separated by spaces. */
export interface RequiredRule {
  readonly securityGroup: string;
  readonly name: string;
  readonly direction: "Inbound" | "Outbound";
  readonly priority: number;
  readonly protocol: "Tcp" | "Udp" | "Icmp" | "*";
  /** Default: Allow. */
  readonly access?: "Deny";
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly ports: string;
  readonly why: string;
}

const only = (needed: boolean, rule: RequiredRule): RequiredRule[] => (needed ? [rule] : []);

/**
 * Security rules of a cluster that denies everything else. Azure's default rules let all of VirtualNetwork in, which is every
 * address with a route 0.0.0.0/0 to an appliance (https://github.com/MicrosoftDocs/azure-docs/issues/22178); and no address
 * may be of Internet then (https://github.com/MicrosoftDocs/azure-docs/pull/101300).
 */
export function requiredRules(needs: NetworkNeeds): RequiredRule[] {
  const { existing, privateApiServer = false, privateSsh = false, subnets, allowedCidrs, firewall } = needs;
  const nodes = existing.nodeSecurityGroup;
  const controlPlane = existing.controlPlaneSecurityGroup ?? nodes;
  const own = collapseCidrs(subnets);
  const people = collapseCidrs(allowedCidrs);
  const sources = collapseCidrs([...clientsOf(needs), ...(privateApiServer ? [] : existing.egressCidrs)]);
  const outside = firewall === undefined ? "Internet" : "*";
  // What goes past the proxy: its NO_PROXY has the public name of the API server.
  const direct = present(
    needs.proxy === undefined &&
      ([
        "443",
        `Azure's API${needs.mirror === undefined ? " and registries" : ", and registries with registryMirror.fallback"}`,
      ] as const),
    !privateApiServer && ([String(apiServerPort), "the public address of the API server"] as const),
  );
  const any = { protocol: "*", from: ["*"], to: ["*"], ports: "*" } as const;
  const common = (securityGroup: string): RequiredRule[] => [
    {
      ...{ securityGroup, name: "allow_cluster", direction: "Inbound", priority: 2202, protocol: "*" },
      ...{ from: own, to: own, ports: "*" },
      why: "machines among themselves: API server 6443, etcd 2379-2380, kubelet 10250, Typha 5473, VXLAN UDP 4789",
    },
    {
      ...{ securityGroup, name: "allow_balancers", direction: "Inbound", priority: 2203, protocol: "*" },
      ...{ from: ["AzureLoadBalancer"], to: ["*"], ports: "*" },
      why: "probes of load balancers, which deny_in would shut",
    },
    {
      ...{ securityGroup, name: "allow_cluster_out", direction: "Outbound", priority: 2202, protocol: "*" },
      ...{ from: own, to: own, ports: "*", why: "machines among themselves" },
    },
    ...only(direct.length > 0, {
      ...{ securityGroup, direction: "Outbound", priority: 2203, protocol: "Tcp" },
      name: needs.proxy === undefined ? "allow_https_out" : "allow_apiserver_out",
      ...{ from: own, to: [outside], ports: direct.map(([port]) => port).join(" ") },
      why: `${direct.map(([, what]) => what).join(", and ")}${firewall === undefined ? "" : "; the firewall knows the hosts"}`,
    }),
    ...(["proxy", "mirror"] as const).flatMap((what, index) => {
      const { host, port, address } = needs[what] ?? { host: "", port: 0 };
      return only(host !== "", {
        ...{ securityGroup, name: `allow_${what}_out`, direction: "Outbound", protocol: "Tcp" },
        ...{ priority: [2204, 2206][index] ?? 0, from: own, ports: String(port) },
        to: [address ?? named[what]],
        why: `${what === "proxy" ? "Azure's API and registries by the proxy" : "images from the mirror"} ${host}`,
      });
    }),
    {
      ...{ securityGroup, name: "allow_dns_out", direction: "Outbound", priority: 2207, protocol: "*" },
      ...{ from: own, to: [dnsServers], ports: "53" },
      why: "DNS servers of the VNET; those of Azure need no rule",
    },
    ...only(securityGroup === nodes, {
      ...{ securityGroup, name: "allow_activation_out", direction: "Outbound", priority: 2205 },
      ...{ protocol: "Tcp", from: own, to: [outside], ports: "1688" },
      why: "activation of Windows (azkms.core.windows.net)",
    }),
    ...only(firewall !== undefined, {
      ...{ securityGroup, name: "allow_path_mtu", direction: "Inbound", priority: 2208, protocol: "Icmp" },
      ...{ from: [hubRange], to: own, ports: "*" },
      why: `fragmentation needed, from the VNET of ${firewall?.address ?? ""}: its firewall, by any address of the subnet, and its gateway say that packets are too large for a tunnel`,
    }),
  ];
  const wayIn = (securityGroup: string): RequiredRule => ({
    ...{ securityGroup, name: "allow_bastion", direction: "Inbound", priority: 2206, protocol: "Tcp" },
    ...{ from: [bastionRange], to: own, ports: securityGroup === nodes ? "22 3389" : "22" },
    why: `${securityGroup === nodes ? "ssh and RDP" : "ssh"} from AzureBastionSubnet, or from the jump host`,
  });
  const denials = (securityGroup: string): RequiredRule[] => [
    {
      ...{ securityGroup, name: "deny_in", direction: "Inbound", priority: 4096, access: "Deny", ...any },
      why: `required: without it the rules above keep nothing out, because Azure's own rules let VirtualNetwork in${firewall === undefined ? "" : ", which is every address with a route 0.0.0.0/0"}`,
    },
    {
      ...{ securityGroup, name: "deny_out", direction: "Outbound", priority: 4096, access: "Deny", ...any },
      why: "optional: machines need no more than the rules here, and what your workloads call needs rules of yours; 168.63.129.16 and 169.254.169.254, where Azure answers each machine, need none",
    },
  ];
  return [
    ...only(people.length > 0 && !privateSsh, {
      ...{ securityGroup: controlPlane, name: "allow_ssh", priority: 2200, direction: "Inbound" },
      ...{ protocol: "Tcp", from: people, to: ["*"], ports: "22" },
      why: "ssh to the control plane, and through it to the nodes",
    }),
    // Machines come to a private one by allow_cluster.
    ...only(sources.length > 0, {
      ...{ securityGroup: controlPlane, name: "allow_apiserver", priority: 2201, direction: "Inbound" },
      ...{ protocol: "Tcp", from: sources, to: ["*"], ports: String(apiServerPort) },
      why: `clients of the API server${privateApiServer ? "" : `, and machines, which come from ${existing.egressCidrs.join(", ")}`}`,
    }),
    ...[...new Set([controlPlane, nodes])].flatMap((securityGroup) => [
      ...common(securityGroup),
      ...only(privateSsh, wayIn(securityGroup)),
      ...denials(securityGroup),
    ]),
  ];
}

/** Every subnet, with what is attached to it. */
export const subnetsOf = ({ existing, subnets, poolSubnets = {} }: NetworkNeeds) => {
  const { nodeSecurityGroup: nodes, controlPlaneSecurityGroup: controlPlane = nodes } = existing;
  return [
    { id: existing.controlPlaneSubnetId, cidr: subnets[0], group: controlPlane },
    { id: existing.nodeSubnetId, cidr: subnets[1], group: nodes },
    ...subnetsByName(existing.poolSubnetIds ?? {}).map(([name, id]) => ({
      id,
      cidr: ownValue(poolSubnets, name),
      group: nodes,
    })),
  ];
};
