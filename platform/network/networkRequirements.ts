import { apiServerPort } from "../cluster/naming";
import { collapseCidrs, subnetsByName } from "./addressing";
import { routeTableId, securityGroupId, subnetParts, type ExistingNetwork } from "./existingNetwork";
import { azureDns } from "./peerings";

/** What must be true of a VNET that others have made. */

export interface NetworkNeeds {
  readonly existing: ExistingNetwork;
  /** Whether the API server has no public address; a firewall may then be the way out. Default: false. */
  readonly privateApiServer?: boolean | undefined;
  /** Whether people come by Azure Bastion or a jump host in the VNET or in one that is peered with it. Default: false. */
  readonly privateSsh?: boolean | undefined;
  /** Ranges of all subnets of the cluster: of the control plane, of pools, and further ones of pools. */
  readonly subnets: readonly string[];
  /** Those of further subnets by their names in poolSubnetIds. Default: none. */
  readonly poolSubnets?: Readonly<Record<string, string>> | undefined;
  /** Name and address of a private API server, and whether others make its record. */
  readonly apiServer?:
    { readonly host: string; readonly ip: string; readonly manual?: boolean | undefined } | undefined;
  /** Where the route 0.0.0.0/0 leads, if not to a NAT gateway, and what machines must reach there, in words. */
  readonly firewall?: { readonly address: string; readonly targets: string } | undefined;
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

const quoted = (values: readonly string[]): string =>
  values.map((value) => (value === "*" ? "'*'" : value)).join(" ");

// In words of its own, because a test reads commands of source files whole, and judges these where a plan prints them.
const ruleCreate = "network nsg rule create";

const command = (at: string, rule: RequiredRule): string =>
  [
    `az ${ruleCreate} ${at} --nsg-name ${rule.securityGroup} --name ${rule.name}`,
    `--priority ${rule.priority} --direction ${rule.direction} --access Allow --protocol ${quoted([rule.protocol])}`,
    `--source-address-prefixes ${quoted(rule.from)} --destination-address-prefixes ${quoted(rule.to)} --destination-port-ranges ${quoted(rule.ports.split(" "))}`,
  ].join(" ");

/** Every subnet, with what is attached to it. */
const subnetsOf = ({ existing, subnets, poolSubnets = {} }: NetworkNeeds) => {
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

const subnetLines = (needs: NetworkNeeds): string[] =>
  subnetsOf(needs).map(
    ({ id, cidr, group }) =>
      `subnet ${subnetParts(id).subnet}: ${cidr}, security group ${group}${needs.existing.routeTable === undefined ? "" : `, route table ${needs.existing.routeTable}`}, no delegation`,
  );

/** What a firewall needs of routes: it sees both directions of a connection, or none. */
function firewallNeeds(needs: NetworkNeeds, table: string): string[] {
  const { existing, firewall, subnets, allowedCidrs, managementCidrs } = needs;
  const own = collapseCidrs(subnets).join(", ");
  const clients =
    collapseCidrs([...allowedCidrs, ...managementCidrs]).join(", ") || "clients of the API server";
  const target = needs.apiServer?.ip ?? "the API server";
  return firewall === undefined
    ? [`routes: machines of all subnets reach the Internet, and leave as ${existing.egressCidrs.join(", ")}`]
    : [
        `peering: this VNET and that of ${firewall.address} are peered from both sides; this side lets forwarded traffic in, and uses the gateways of the other one (useRemoteGateways here, allowGatewayTransit there) where ${clients} come by such a gateway`,
        `routes: ${table} has 0.0.0.0/0 to the virtual appliance ${firewall.address}, and no other route to ${own}; machines leave as ${existing.egressCidrs.join(", ")}`,
        `routes: either ${clients} and ${own} reach one another without the firewall: ${table} takes the routes of gateways (BGP), and neither the GatewaySubnet nor the subnet of the management cluster has a route to ${own}`,
        `routes: or they pass it in both directions, because it drops answers to what it has not seen: ${table} has routes to ${clients} by ${firewall.address}, the other two have routes to ${own} by it, and a network rule of the firewall, which keeps the source address, lets TCP ${apiServerPort} from ${clients} to ${target}`,
        `firewall: lets ${own} out by ${firewall.targets}`,
      ];
}

/** What the network must have besides security rules, one sentence each. */
function otherNeeds(needs: NetworkNeeds): string[] {
  const { existing, privateApiServer = false, apiServer } = needs;
  const table = existing.routeTable ?? "the route table of each subnet";
  const zone = apiServer?.host.slice(apiServer.host.indexOf(".") + 1);
  return [
    `rules: they keep others out only if one with a higher number denies the rest, such as Deny * at 4096: Azure's own rules let everything of VirtualNetwork in. In ${existing.nodeSecurityGroup} leave rules that you did not write: Services add theirs from 500 on, and a deployment that writes the whole list deletes them`,
    ...firewallNeeds(needs, table),
    ...(privateApiServer
      ? []
      : [
          "routes: the control plane's subnet has no route 0.0.0.0/0 to a firewall: the API server has a public load balancer, and answers that leave another way are dropped",
        ]),
    ...(apiServer === undefined
      ? []
      : [
          `addresses: ${apiServer.ip} of ${subnetParts(existing.controlPlaneSubnetId).subnet} stays free: the internal load balancer of the API server takes it`,
          `DNS: servers of the VNET resolve ${apiServer.host} to ${apiServer.ip} before the first machine starts; where they are not those of Azure, they forward ${zone} to ${azureDns} from a VNET that is linked to the zone`,
          apiServer.manual === true
            ? `DNS: you make the record in ${zone ?? ""}, and link the zone`
            : `DNS: \`pulumi up\` makes the record, and links ${zone ?? ""} to this VNET and to those of network.apiServer.linkedVnetIds: a VNET has one link to a zone, so make none of these`,
        ]),
    `rights: the control plane's identity writes into ${existing.nodeSecurityGroup} a rule for every Service of type LoadBalancer; it gets Network Contributor on this group and on the subnets of nodes, and the controllers' identity on all subnets of the cluster. \`pulumi up\` makes both identities and assigns these roles, for which it needs roleAssignments/write there: assign nothing to them yourself. rights/rights.md of the plan has each role with its scope, those of whoever runs \`pulumi up\`, and how to have smaller ones`,
  ];
}

/** Commands that make the route, and attach what the subnets need. */
function otherCommands(needs: NetworkNeeds): string[] {
  const { existing, firewall } = needs;
  const table = existing.routeTable;
  const { subscription, resourceGroup } = subnetParts(existing.nodeSubnetId);
  const attached = (id: string, group: string): string =>
    [
      `az network vnet subnet update --ids ${id} --network-security-group ${securityGroupId(existing, group)}`,
      ...(table === undefined ? [] : [`--route-table ${routeTableId(existing, table)}`]),
    ].join(" ");
  return [
    ...(table === undefined || firewall === undefined
      ? []
      : [
          `az network route-table route create --subscription ${subscription} --resource-group ${resourceGroup} --route-table-name ${table} --name to-firewall --address-prefix 0.0.0.0/0 --next-hop-type VirtualAppliance --next-hop-ip-address ${firewall.address}`,
        ]),
    ...subnetsOf(needs).map(({ id, group }) => attached(id, group)),
  ];
}

/** For the network team: what must exist, as text and as commands. */
export function networkRequirements(needs: NetworkNeeds): string {
  const { subscription, resourceGroup } = subnetParts(needs.existing.nodeSubnetId);
  const at = `--subscription ${subscription} --resource-group ${resourceGroup}`;
  const rules = requiredRules(needs);
  return [
    ...subnetLines(needs),
    ...rules.map(
      ({ securityGroup, name, priority, direction, protocol, from, to, ports, why }) =>
        `${securityGroup}: ${name} (${priority}), ${direction.toLowerCase()} ${protocol === "*" ? "any protocol" : protocol.toUpperCase()}, from ${from.join(", ")} to ${to.join(", ")}, port ${ports.replace(" ", ", ")}: ${why}`,
    ),
    ...otherNeeds(needs),
    "commands, when the VNET, its subnets, the security groups and the route table have been created:",
    ...rules.map((rule) => command(at, rule)),
    ...otherCommands(needs),
  ].join("\n");
}
