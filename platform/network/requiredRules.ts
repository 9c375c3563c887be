import { apiServerPort } from "../cluster/naming";
import { collapseCidrs, subnetsByName } from "./addressing";
import type { ExistingNetwork } from "./existingNetwork";

/** The security rules that a VNET of others must have, and its subnets. */

export interface NetworkNeeds {
  readonly existing: ExistingNetwork;
  /** Whether the API server has no public address; a firewall may then be the way out. Default: false. */
  readonly privateApiServer?: boolean | undefined;
  /** Whether people come by Azure Bastion or a jump host in the VNET or in one that is peered with it. Default: false. */
  readonly privateSsh?: boolean | undefined;
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
      }
    | undefined;
  /** Where the route 0.0.0.0/0 leads, if not to a NAT gateway. */
  readonly firewall?: { readonly address: string } | undefined;
  readonly allowedCidrs: readonly string[];
  readonly managementCidrs: readonly string[];
}

/** A security rule; several ports are separated by spaces. */
export interface RequiredRule {
  readonly securityGroup: string;
  readonly name: string;
  readonly direction: "Inbound" | "Outbound";
  readonly priority: number;
  readonly protocol: "Tcp" | "Udp" | "*";
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly ports: string;
  readonly why: string;
}

/**
 * Security rules without which the cluster does not work. Azure's default rules already have those between subnets,
 * from load balancers and to the Internet; they are listed for groups that deny everything first.
 */
export function requiredRules({
  existing,
  privateApiServer = false,
  privateSsh = false,
  subnets,
  allowedCidrs,
  managementCidrs,
}: NetworkNeeds): RequiredRule[] {
  const nodes = existing.nodeSecurityGroup;
  const controlPlane = existing.controlPlaneSecurityGroup ?? nodes;
  const own = collapseCidrs(subnets);
  const people = collapseCidrs(allowedCidrs);
  const common = (securityGroup: string): RequiredRule[] => [
    {
      ...{ securityGroup, name: "allow_cluster", direction: "Inbound", priority: 2202, protocol: "*" },
      ...{ from: own, to: own, ports: "*" },
      why: "machines among themselves: API server 6443, etcd 2379-2380, kubelet 10250, Typha 5473, VXLAN UDP 4789",
    },
    {
      ...{ securityGroup, name: "allow_balancers", direction: "Inbound", priority: 2203, protocol: "*" },
      ...{ from: ["AzureLoadBalancer"], to: ["*"], ports: "*", why: "probes of the load balancers" },
    },
    {
      ...{ securityGroup, name: "allow_cluster_out", direction: "Outbound", priority: 2202, protocol: "*" },
      ...{ from: own, to: own, ports: "*", why: "machines among themselves" },
    },
    {
      ...{ securityGroup, name: "allow_https_out", direction: "Outbound", priority: 2203, protocol: "Tcp" },
      ...{ from: own, to: ["Internet"], ports: privateApiServer ? "443" : `443 ${apiServerPort}` },
      why: `Azure's API${privateApiServer ? " and registries" : ", registries, and the public address of the API server"}`,
    },
    {
      ...{ securityGroup, name: "allow_dns_out", direction: "Outbound", priority: 2207, protocol: "*" },
      ...{ from: own, to: ["VirtualNetwork"], ports: "53" },
      why: "DNS servers of the VNET, unless they are those of Azure",
    },
    {
      ...{
        securityGroup,
        name: "allow_activation_out",
        direction: "Outbound",
        priority: 2205,
        protocol: "Tcp",
      },
      ...{
        from: own,
        to: ["Internet"],
        ports: "1688",
        why: "activation of Windows (azkms.core.windows.net)",
      },
    },
  ];
  const wayIn = (securityGroup: string): RequiredRule => ({
    ...{ securityGroup, name: "allow_bastion", direction: "Inbound", priority: 2206, protocol: "Tcp" },
    ...{ from: ["VirtualNetwork"], to: own, ports: "22 3389" },
    why: "ssh and RDP from Azure Bastion or the jump host (network.bastion), whose range to write instead: with a route 0.0.0.0/0, VirtualNetwork is every address",
  });
  return [
    ...(people.length === 0 || privateSsh
      ? []
      : [
          {
            ...{ securityGroup: controlPlane, name: "allow_ssh", priority: 2200 },
            ...({ direction: "Inbound", protocol: "Tcp", from: people, to: ["*"], ports: "22" } as const),
            why: "ssh to the control plane, and through it to the nodes (access.allowedCidrs)",
          },
        ]),
    {
      ...{ securityGroup: controlPlane, name: "allow_apiserver", priority: 2201 },
      ...{ direction: "Inbound", protocol: "Tcp" },
      from: collapseCidrs([
        ...allowedCidrs,
        ...managementCidrs,
        ...(privateApiServer ? subnets : existing.egressCidrs),
      ]),
      ...{ to: ["*"], ports: String(apiServerPort) },
      why: `API server: access.allowedCidrs, the management cluster, and the nodes ${privateApiServer ? "by their subnets" : "(network.existing.egressCidrs)"}`,
    },
    ...[...new Set([controlPlane, nodes])].flatMap((securityGroup) => [
      ...common(securityGroup),
      ...(privateSsh ? [wayIn(securityGroup)] : []),
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
      cidr: poolSubnets[name],
      group: nodes,
    })),
  ];
};
