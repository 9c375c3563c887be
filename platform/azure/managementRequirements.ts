import { apiServerPort } from "../cluster/naming";
import { subnetParts, vnetIdOf } from "../network/existingNetwork";
import { hubPeeringCommands, ruleCommand } from "../network/networkCommands";
import { ruleText } from "../network/networkRequirements";
import { azureDns } from "../network/peerings";
import { dnsServers, type RequiredRule } from "../network/requiredRules";
import { aksNetwork, managementNames } from "./aks";
import {
  aksDelegation,
  aksOutboundTypes,
  apiServerPrefix,
  nodesInUpgrade,
  type ManagementApiServer,
  type ManagementOutbound,
} from "./managementNetwork";
import { resourceParts } from "./resourceParts";

/** What must be true of a subnet of others in which AKS is. Names and ranges that no stack file has are in capitals. */

export interface ManagementNeeds {
  readonly clusterName: string;
  readonly subscriptionId: string;
  /** Azure region. */
  readonly location: string;
  readonly subnetId: string;
  readonly maxNodeCount: number;
  readonly outbound: {
    readonly type: ManagementOutbound;
    readonly egressCidrs?: readonly string[] | undefined;
  };
  readonly apiServer: ManagementApiServer;
}

// In words of its own, because a test reads commands of source files whole, and judges these where a plan prints them.
const network = "network";

/** Addresses that Azure takes of each subnet (https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq). */
const ofAzure = 5;

const clients = "CLIENTS-RANGE";
/** Of the firewall and of DNS servers. */
const hub =
  "/subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/HUB";

const nameOf = (id: string): string => subnetParts(id).subnet;
export const rangeOfSubnet = (id: string): string => `RANGE-OF-${nameOf(id)}`;
const groupOf = (id: string): string => `GROUP-OF-${nameOf(id)}`;
const tableOf = (id: string): string => `ROUTES-OF-${nameOf(id)}`;

/** The delegated subnet; without one, a private API server has a private endpoint in the subnet of the nodes. */
const integrated = ({ apiServer }: ManagementNeeds): string | undefined =>
  apiServer.vnetIntegration ? apiServer.subnetId : undefined;

/**
 * Pods of AKS keep their addresses between nodes (Azure CNI Overlay, "Network security groups":
 * https://learn.microsoft.com/azure/aks/azure-cni-overlay); ports of the API server in a subnet:
 * https://learn.microsoft.com/azure/aks/api-server-vnet-integration, "NSG security rules".
 */
function managementRules(needs: ManagementNeeds): RequiredRule[] {
  const { subnetId, apiServer, outbound } = needs;
  const apiSubnet = integrated(needs);
  const nodes = [rangeOfSubnet(subnetId)];
  const own = [...nodes, aksNetwork.podCidr];
  const at = (id: string, name: string, priority: number) => ({
    ...{ securityGroup: groupOf(id), name, priority },
    direction: name.endsWith("_out") ? ("Outbound" as const) : ("Inbound" as const),
  });
  const balancers = (id: string, ports: string, why: string): RequiredRule => ({
    ...at(id, "allow_balancers", 2202),
    ...{ protocol: "Tcp", from: ["AzureLoadBalancer"], to: [rangeOfSubnet(id)], ports, why },
  });
  const people = (id: string): RequiredRule[] =>
    apiServer.private
      ? [
          {
            ...at(id, "allow_apiserver", 2203),
            ...{ protocol: "Tcp", from: [clients], to: [rangeOfSubnet(id)], ports: "443" },
            why: `whoever reaches the API server of AKS: kubectl, and pulumi up of this stack and of those that use the cluster${apiSubnet === undefined ? "; the private endpoint is in this subnet, and rules count for it only where the subnet has network policies for private endpoints" : ""}`,
          },
        ]
      : [];
  const toApiServer = {
    protocol: "Tcp",
    from: nodes,
    ports: "443 4443",
    why: "nodes to their API server",
  } as const;
  return [
    {
      ...at(subnetId, "allow_nodes", 2201),
      ...{ protocol: "*", from: own, to: own, ports: "*" },
      why: `nodes among themselves, and pods (${aksNetwork.podCidr}), whose packets keep their addresses between nodes`,
    },
    balancers(subnetId, "*", "probes of load balancers"),
    ...(apiSubnet === undefined ? people(subnetId) : []),
    {
      ...at(subnetId, "allow_nodes_out", 2201),
      ...{ protocol: "*", from: own, to: own, ports: "*", why: "nodes and pods among themselves" },
    },
    {
      ...at(subnetId, "allow_https_out", 2202),
      ...{
        protocol: "Tcp",
        from: nodes,
        to: [outbound.type === "firewall" ? "*" : "Internet"],
        ports: "443",
      },
      why: `Azure's API and registries${apiServer.private || apiSubnet !== undefined ? "" : ", and the public address of the API server"}`,
    },
    {
      ...at(subnetId, "allow_dns_out", 2203),
      ...{ protocol: "*", from: nodes, to: [dnsServers], ports: "53" },
      why: "DNS servers of the VNET; those of Azure need no rule",
    },
    {
      ...at(subnetId, "allow_clusters_out", 2204),
      ...{ protocol: "Tcp", from: nodes, to: ["*"], ports: String(apiServerPort) },
      why: "controllers to the API servers of workload clusters",
    },
    ...(apiSubnet === undefined
      ? []
      : [
          { ...at(subnetId, "allow_apiserver_out", 2205), ...toApiServer, to: [rangeOfSubnet(apiSubnet)] },
          { ...at(apiSubnet, "allow_nodes", 2201), ...toApiServer, to: [rangeOfSubnet(apiSubnet)] },
          balancers(apiSubnet, "9988", "probes of the API server"),
          ...people(apiSubnet),
        ]),
    ...[subnetId, ...(apiSubnet === undefined ? [] : [apiSubnet])].map((id) => ({
      ...{ ...at(id, "deny_in", 4096), access: "Deny" as const, protocol: "*" as const },
      ...{ from: ["*"], to: ["*"], ports: "*" },
      why: "without it the rules above keep nothing out, because Azure's own rules let VirtualNetwork in",
    })),
  ];
}

/** The smallest subnet: a private API server that is in no subnet has an endpoint beside the nodes. */
function subnetLines(needs: ManagementNeeds): string[] {
  const { subnetId, maxNodeCount, apiServer, outbound } = needs;
  const apiSubnet = integrated(needs);
  const endpoints = apiServer.private && apiSubnet === undefined ? 1 : 0;
  const nodes = nodesInUpgrade(maxNodeCount);
  const all = nodes + endpoints + ofAzure;
  const attached = {
    ...{ loadBalancer: "no route 0.0.0.0/0 to a firewall", nat: "", existingNat: "the NAT gateway" },
    firewall: `route table ${tableOf(subnetId)}`,
  }[outbound.type];
  return [
    `AKS subnet ${nameOf(subnetId)}: /${32 - Math.ceil(Math.log2(all))} or larger for ${all} addresses (${nodes} nodes while AKS upgrades${endpoints === 0 ? "" : ", 1 private endpoint of the API server"}, ${ofAzure} that Azure takes), in the subscription and region of the stack, security group ${groupOf(subnetId)}, ${attached}, no delegation`,
    ...(apiSubnet === undefined
      ? []
      : [
          `AKS subnet ${nameOf(apiSubnet)}: /${apiServerPrefix} or larger, security group ${groupOf(apiSubnet)}, delegated to ${aksDelegation}, nothing else in it but other AKS clusters of the VNET`,
        ]),
  ];
}

function routeLines({ subnetId, outbound, clusterName }: ManagementNeeds): string[] {
  const addresses = outbound.egressCidrs?.join(", ") ?? "";
  const { identity, resourceGroup } = managementNames(clusterName);
  switch (outbound.type) {
    case "firewall":
      return [
        `AKS routes: before \`pulumi up\`, ${tableOf(subnetId)} has 0.0.0.0/0 to the virtual appliance, because AKS refuses outboundType ${aksOutboundTypes.firewall} without it; nodes leave as ${addresses}`,
        `AKS routes: whoever reaches nodes or the API server by a gateway or the firewall has the same way back: the firewall drops answers to what it has not seen`,
        `AKS routes: \`pulumi up\` assigns no role on the route table, which the stack file does not name. With its overlay AKS writes no routes, but for a table in another group than its own Microsoft lists routeTables/routes/read and write: if AKS answers CustomRouteTableMissingPermission, give Network Contributor on it to ${identity} of the group ${resourceGroup} (the last of the commands), and run \`pulumi up\` again`,
        `AKS firewall: lets ${rangeOfSubnet(subnetId)} out to the hosts that the plan lists, and to API servers of workload clusters behind it on TCP ${apiServerPort}`,
      ];
    case "existingNat":
      return [`AKS routes: the NAT gateway of the subnet leads out as ${addresses}, before \`pulumi up\``];
    default:
      return [];
  }
}

/** Zones: https://learn.microsoft.com/azure/aks/private-clusters. */
function nameLines({ subnetId, apiServer }: ManagementNeeds): string[] {
  if (!apiServer.private) {
    return [];
  }
  const { vnet } = subnetParts(subnetId);
  const { privateDnsZone = "system" } = apiServer;
  const zone = resourceParts(privateDnsZone).name;
  const forwarded = `servers of ${vnet} that are not those of Azure forward it to ${azureDns} from a VNET that is linked to the zone`;
  return [
    ...(privateDnsZone.startsWith("/")
      ? [
          `AKS DNS: before \`pulumi up\`, the zone ${zone} exists. AKS writes the record of its API server and links the zone to ${vnet}: a VNET has one link to a zone, so make none of it. You link the zone to the VNETs in which clients resolve the name, such as that of the hub's DNS servers`,
          `AKS DNS: ${forwarded}, before \`pulumi up\`: nodes join by the name`,
        ]
      : privateDnsZone === "none"
        ? [
            "AKS DNS: a public name resolves to the private address; no zone, and DNS servers must not drop private answers of public names",
          ]
        : [
            `AKS DNS: the zone is made by ${privateDnsZone === "own" ? "the stack, which links it to those of linkedVnetIds, and AKS to" : "AKS in the group of its nodes, which links it to"} ${vnet}; ${forwarded}`,
          ]),
  ];
}

const clusterLines = ({ subnetId, apiServer }: ManagementNeeds): string[] => [
  `AKS clusters: nodes of ${nameOf(subnetId)} reach TCP ${apiServerPort} of every workload API server, also through its security group (allow_apiserver from ${rangeOfSubnet(subnetId)} where it is private), by a peering or routes of the hub; workload clusters need no way to AKS`,
  ...(apiServer.private
    ? [
        `AKS clusters: ${clients} in the commands is whoever reaches the API server on TCP 443: the machines that run \`pulumi up\` and kubectl, for this stack and for those that use the cluster`,
      ]
    : []),
];

function commands(needs: ManagementNeeds): string[] {
  const { subnetId, apiServer, outbound, clusterName, subscriptionId, location } = needs;
  const apiSubnet = integrated(needs);
  const { subscription, resourceGroup, vnet } = subnetParts(subnetId);
  const at = `--subscription ${subscription} --resource-group ${resourceGroup}`;
  const subnets = [subnetId, ...(apiSubnet === undefined ? [] : [apiSubnet])];
  const firewall = outbound.type === "firewall";
  const { privateDnsZone = "" } = apiServer;
  const zone = resourceParts(privateDnsZone);
  const zoneAt = `--subscription ${zone.subscriptionId} --resource-group ${zone.resourceGroup}`;
  const names = managementNames(clusterName);
  return [
    ...subnets.map((id) => `az ${network} nsg create ${at} --location ${location} --name ${groupOf(id)}`),
    ...managementRules(needs).map((rule) => ruleCommand(at, rule)),
    ...(firewall
      ? [
          `az ${network} route-table create ${at} --location ${location} --name ${tableOf(subnetId)}`,
          `az ${network} route-table route create ${at} --route-table-name ${tableOf(subnetId)} --name to-firewall --address-prefix 0.0.0.0/0 --next-hop-type VirtualAppliance --next-hop-ip-address FIREWALL-ADDRESS`,
        ]
      : []),
    "# with the DNS servers of Azure, leave out --dns-servers and allow_dns_out",
    `az ${network} vnet create ${at} --location ${location} --name ${vnet} --address-prefixes VNET-RANGE --dns-servers ${dnsServers}`,
    ...subnets.map(
      (id) =>
        `az ${network} vnet subnet create ${at} --vnet-name ${vnet} --name ${nameOf(id)} --address-prefixes ${rangeOfSubnet(id)} --network-security-group ${groupOf(id)}${id === apiSubnet ? ` --delegations ${aksDelegation}` : `${firewall ? ` --route-table ${tableOf(id)}` : ""}${outbound.type === "existingNat" ? " --nat-gateway NAT-GATEWAY" : ""} --default-outbound false`}`,
    ),
    ...(firewall ? hubPeeringCommands(subnetId, hub) : []),
    ...(privateDnsZone.startsWith("/")
      ? [
          `az ${network} private-dns zone create ${zoneAt} --name ${zone.name}`,
          `az ${network} private-dns link vnet create ${zoneAt} --zone-name ${zone.name} --name HUB --virtual-network ${hub} --registration-enabled false`,
        ]
      : []),
    ...(firewall
      ? [
          `az role assignment create --role "Network Contributor" --assignee-principal-type ServicePrincipal --assignee-object-id "$(az identity show --subscription ${subscriptionId} --resource-group ${names.resourceGroup} --name ${names.identity} --query principalId --output tsv)" --scope ${vnetIdOf(subnetId).replace(/\/virtualNetworks\/.*/, "")}/routeTables/${tableOf(subnetId)}  # only if AKS answers CustomRouteTableMissingPermission`,
        ]
      : []),
  ];
}

/** For the network team: what must exist for AKS, as text and as commands. */
export const managementRequirements = (needs: ManagementNeeds): string =>
  [
    ...subnetLines(needs),
    ...managementRules(needs).map((rule) => `AKS ${ruleText(rule)}`),
    "AKS rules: AKS needs no security group on its subnets, where your policies ask for none; its own is on the network interfaces of nodes, where it adds what Services open. Rules outbound are needed only where another one denies the rest",
    ...routeLines(needs),
    ...nameLines(needs),
    ...clusterLines(needs),
    "commands for AKS, which make all of it from nothing; words in capitals are yours to replace; leave out what exists, and write update instead of create for a subnet that exists:",
    ...commands(needs),
  ].join("\n");
