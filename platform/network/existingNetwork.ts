import { collapseCidrs, subnetsByName } from "./addressing";
import { apiServerPort } from "../cluster/naming";

/** A VNET that others have made, and what must be true of it. */

export interface ExistingNetwork {
  readonly controlPlaneSubnetId: string;
  readonly nodeSubnetId: string;
  readonly poolSubnetIds?: Readonly<Record<string, string>> | undefined;
  readonly nodeSecurityGroup: string;
  readonly controlPlaneSecurityGroup?: string | undefined;
  readonly routeTable?: string | undefined;
  readonly egressCidrs: readonly string[];
}

/** The parts of the ARM id of a subnet. */
export function subnetParts(id: string) {
  const [, , subscription = "", , resourceGroup = "", , , , vnet = "", , subnet = ""] = id.split("/");
  return { subscription, resourceGroup, vnet, subnet };
}

export const vnetIdOf = (subnetId: string): string => subnetId.split("/").slice(0, -2).join("/");

/** The subnets of pools: the one of all pools first, then the further ones by name. */
export const nodeSubnetIds = ({ nodeSubnetId, poolSubnetIds = {} }: ExistingNetwork): string[] => [
  nodeSubnetId,
  ...subnetsByName(poolSubnetIds).map(([, id]) => id),
];

/** ARM id of a security group, which is in the resource group of the VNET. */
export const securityGroupId = ({ nodeSubnetId }: ExistingNetwork, name: string): string =>
  `${vnetIdOf(nodeSubnetId).split("/").slice(0, -2).join("/")}/networkSecurityGroups/${name}`;

/** ARM id of the nodes' security group. azure.json has one group for both (CAPZ v1.27.0 controllers/helpers.go). */
export const nodeSecurityGroupId = (existing: ExistingNetwork): string =>
  securityGroupId(existing, existing.nodeSecurityGroup);

export interface NetworkNeeds {
  readonly existing: ExistingNetwork;
  /** Whether the API server has no public address; a firewall may then be the way out. Default: false. */
  readonly privateApiServer?: boolean | undefined;
  /** Whether people come by Azure Bastion or a jump host in the VNET or in one that is peered with it. Default: false. */
  readonly privateSsh?: boolean | undefined;
  /** Ranges of all subnets of the cluster. */
  readonly subnets: readonly string[];
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
      ...{ from: own, to: ["Internet"], ports: `443 ${apiServerPort}` },
      why: "Azure's API, registries, and the public address of the API server",
    },
    {
      ...{ securityGroup, name: "allow_time_out", direction: "Outbound", priority: 2204, protocol: "Udp" },
      ...{ from: own, to: ["Internet"], ports: "123", why: "time" },
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
    why: "ssh and RDP from Azure Bastion or the jump host (network.bastion), of which you may name the range alone",
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
      why: "API server: access.allowedCidrs, the management cluster, and the nodes (network.existing.egressCidrs)",
    },
    ...[...new Set([controlPlane, nodes])].flatMap((securityGroup) => [
      ...common(securityGroup),
      ...(privateSsh ? [wayIn(securityGroup)] : []),
    ]),
  ];
}

const quoted = (values: readonly string[]): string =>
  values.map((value) => (value === "*" ? "'*'" : value)).join(" ");

// In words of its own, because a test reads commands of source files whole, and judges these where a plan prints them.
const ruleCreate = "network nsg rule create";

const command = (resourceGroup: string, rule: RequiredRule): string =>
  [
    `az ${ruleCreate} --resource-group ${resourceGroup} --nsg-name ${rule.securityGroup} --name ${rule.name}`,
    `--priority ${rule.priority} --direction ${rule.direction} --access Allow --protocol ${quoted([rule.protocol])}`,
    `--source-address-prefixes ${quoted(rule.from)} --destination-address-prefixes ${quoted(rule.to)} --destination-port-ranges ${quoted(rule.ports.split(" "))}`,
  ].join(" ");

/** What the network must have besides security rules, one sentence each. */
const otherNeeds = ({ existing, privateApiServer = false }: NetworkNeeds): string[] => [
  `routes: machines of all subnets reach the Internet, and leave as ${existing.egressCidrs.join(", ")}`,
  ...(privateApiServer
    ? []
    : [
        "routes: the control plane's subnet has no route 0.0.0.0/0 to a firewall: the API server has a public load balancer, and answers that leave another way are dropped",
      ]),
  `rights: the control plane's identity writes into ${existing.nodeSecurityGroup} a rule for every Service of type LoadBalancer; it gets Network Contributor on this group and on the subnets of nodes, and the controllers' identity on all subnets of the cluster`,
];

/** For the network team: what must exist, as text and as commands. */
export function networkRequirements(needs: NetworkNeeds): string {
  const { resourceGroup } = subnetParts(needs.existing.nodeSubnetId);
  const rules = requiredRules(needs);
  return [
    ...rules.map(
      ({ securityGroup, direction, protocol, from, to, ports, why }) =>
        `${securityGroup}: ${direction.toLowerCase()} ${protocol === "*" ? "any protocol" : protocol.toUpperCase()}, from ${from.join(", ")} to ${to.join(", ")}, port ${ports.replace(" ", ", ")}: ${why}`,
    ),
    ...otherNeeds(needs),
    ...rules.map((rule) => command(resourceGroup, rule)),
  ].join("\n");
}
