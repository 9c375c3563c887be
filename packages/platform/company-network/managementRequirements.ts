import { present } from "capz-windows-kit/present";
import { apiServerPort } from "../cluster/naming";
import { subnetParts } from "./existingNetwork";
import { ruleText } from "./networkRequirements";
import { azureDns } from "./peerings";
import { dnsServers, rulesOf, type RequiredRule, type RuleRow } from "./requiredRules";
import { aksNetwork } from "../azure/aks";
import {
  aksDelegation,
  aksOutboundTypes,
  apiServerPrefix,
  nodesInUpgrade,
  type ManagementApiServer,
  type ManagementOutbound,
} from "../azure/managementNetwork";
import { resourceParts } from "../azure/resourceParts";

/** What must be true of a subnet of others in which AKS is. Names and ranges that no stack file has are in capitals. */

export interface ManagementNeeds {
  readonly subnetId: string;
  readonly maxNodeCount: number;
  readonly outbound: {
    readonly type: ManagementOutbound;
    readonly egressCidrs?: readonly string[] | undefined;
  };
  readonly apiServer: ManagementApiServer;
}

/** Names and ranges that no stack file has. Azure refuses each, so that no rule opens more than was meant. */
const clients = "CLIENTS-RANGE";
/** Of the subnet of the firewall: clients by an application rule come with its addresses. */
const firewallRange = "FIREWALL-RANGE";
const nameOf = (id: string): string => subnetParts(id).subnet;
const rangeOfSubnet = (id: string): string => `RANGE-OF-${nameOf(id)}`;
const groupOf = (id: string): string => `GROUP@${nameOf(id)}`;

/** The delegated subnet; without one, a private API server has a private endpoint in the subnet of the nodes. */
const integrated = ({ apiServer }: ManagementNeeds): string | undefined =>
  apiServer.vnetIntegration ? apiServer.subnetId : undefined;

const denyIn: RuleRow = [4096, "deny_in", "*", ["*"], ["*"], "*"];

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
  const isFirewall = outbound.type === "firewall";
  const sources = isFirewall ? [clients, firewallRange] : [clients];
  const toApi = [rangeOfSubnet(apiSubnet ?? subnetId)];
  const people: RuleRow = [2203, "allow_apiserver", "Tcp", sources, toApi, "443"];
  const ofNodes = rulesOf(groupOf(subnetId), [
    [2201, "allow_nodes", "*", own, own, "*"],
    [2202, "allow_balancers", "Tcp", ["AzureLoadBalancer"], nodes, "*"],
    apiServer.private && apiSubnet === undefined && people,
    [2201, "allow_nodes_out", "*", own, own, "*"],
    [2202, "allow_https_out", "Tcp", nodes, [isFirewall ? "*" : "Internet"], "443"],
    [2203, "allow_dns_out", "*", nodes, [dnsServers], "53"],
    [2204, "allow_clusters_out", "Tcp", nodes, ["*"], String(apiServerPort)],
    apiSubnet !== undefined && [2205, "allow_apiserver_out", "Tcp", nodes, toApi, "443 4443"],
    denyIn,
  ]);
  if (apiSubnet === undefined) {
    return ofNodes;
  }
  const ofApiServer = rulesOf(groupOf(apiSubnet), [
    [2201, "allow_nodes", "Tcp", nodes, toApi, "443 4443"],
    [2202, "allow_balancers", "Tcp", ["AzureLoadBalancer"], toApi, "9988"],
    apiServer.private && people,
    denyIn,
  ]);
  return [...ofNodes, ...ofApiServer];
}

const reasons: Readonly<Record<string, string>> = {
  allow_nodes: "nodes among themselves and to their API server, and pods, whose packets keep their addresses",
  allow_balancers: "probes of load balancers and of the API server",
  allow_apiserver:
    "whoever reaches the API server of AKS: kubectl and pulumi up, of this stack and of its users",
  allow_nodes_out: "nodes and pods among themselves",
  allow_https_out: "Azure's API and registries, and the API server where its address is public",
  allow_dns_out: "DNS servers of the VNET; those of Azure need no rule",
  allow_clusters_out: "controllers to the API servers of workload clusters",
  allow_apiserver_out: "nodes to their API server",
  deny_in: "without it the rules above keep nothing out, because Azure's own rules let VirtualNetwork in",
};

/** Addresses that Azure takes of each subnet (https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq). */
const ofAzure = 5;

/** The smallest subnet: a private API server that is in no subnet has an endpoint beside the nodes. */
function subnetLines(needs: ManagementNeeds): string[] {
  const { subnetId, maxNodeCount, apiServer, outbound } = needs;
  const apiSubnet = integrated(needs);
  const hasEndpoint = apiServer.private && apiSubnet === undefined;
  const nodes = nodesInUpgrade(maxNodeCount);
  const all = nodes + (hasEndpoint ? 1 : 0) + ofAzure;
  const endpoint = hasEndpoint ? ", 1 private endpoint of the API server" : "";
  const attached = {
    loadBalancer: "no route 0.0.0.0/0 to a firewall",
    nat: "",
    existingNat: "the NAT gateway",
    firewall: "a route table",
  }[outbound.type];
  return present(
    `AKS subnet ${nameOf(subnetId)}: /${32 - Math.ceil(Math.log2(all))} or larger for ${all} addresses (${nodes} nodes while AKS upgrades${endpoint}, ${ofAzure} that Azure takes), in the subscription and region of the stack, security group ${groupOf(subnetId)}, ${attached}, no delegation`,
    hasEndpoint &&
      `AKS subnet ${nameOf(subnetId)}: privateEndpointNetworkPolicies is on, without which rules do not count for the private endpoint; look again after the first \`pulumi up\`, because services that put endpoints into a subnet can turn it off`,
    apiSubnet !== undefined &&
      `AKS subnet ${nameOf(apiSubnet)}: /${apiServerPrefix} or larger, security group ${groupOf(apiSubnet)}, delegated to ${aksDelegation}, nothing else in it but other AKS clusters of the VNET`,
  );
}

/**
 * Answers of a private endpoint ignore routes, and application rules alone put the firewall's address in place of the client's:
 * https://learn.microsoft.com/azure/private-link/inspect-traffic-with-azure-firewall.
 */
function routeLines({ subnetId, outbound, apiServer }: ManagementNeeds): string[] {
  const addresses = outbound.egressCidrs?.join(", ") ?? "";
  if (outbound.type === "existingNat") {
    return [`AKS routes: the NAT gateway of the subnet leads out as ${addresses}, before \`pulumi up\``];
  }
  if (outbound.type !== "firewall") {
    return [];
  }
  return present(
    `AKS routes: before \`pulumi up\`, the route table has 0.0.0.0/0 to the virtual appliance, because AKS refuses outboundType ${aksOutboundTypes.firewall} without it; nodes leave as ${addresses}`,
    "AKS routes: whoever reaches nodes by a gateway or the firewall has the same way back: the firewall drops answers to what it has not seen",
    `AKS firewall: lets ${rangeOfSubnet(subnetId)} out to the hosts that the plan lists, and to API servers of workload clusters behind it on TCP ${apiServerPort}`,
    apiServer.private &&
      `AKS firewall: lets ${clients} that come by it to the API server on TCP 443, by an application rule: answers find the way back only with the address of the firewall (SNAT)`,
  );
}

/** Zones: https://learn.microsoft.com/azure/aks/private-clusters. */
function nameLines({ subnetId, apiServer }: ManagementNeeds): string[] {
  if (!apiServer.private) {
    return [];
  }
  const { vnet } = subnetParts(subnetId);
  const { privateDnsZone = "system" } = apiServer;
  if (privateDnsZone === "none") {
    return [
      "AKS DNS: a public name resolves to the private address; no zone, and DNS servers must not drop private answers of public names",
    ];
  }
  const zone = privateDnsZone.startsWith("/")
    ? `before \`pulumi up\`, the zone ${resourceParts(privateDnsZone).name} exists. AKS links it to ${vnet}: make no such link. You link it to the VNETs in which clients resolve the name`
    : `\`pulumi up\` makes the zone and links it to ${vnet}`;
  return [
    `AKS DNS: ${zone}; DNS servers of ${vnet} that are not those of Azure forward it to ${azureDns} from a VNET that is linked to the zone`,
  ];
}

/** For the network team: what must exist for AKS, one thing a line, each with its subject before the first colon. */
export const managementRequirements = (needs: ManagementNeeds): string =>
  present(
    ...subnetLines(needs),
    ...managementRules(needs).map((rule) => `AKS ${ruleText(rule, reasons[rule.name])}`),
    "AKS rules: AKS needs no security group on its subnets, where your policies ask for none. Rules outbound are needed only where another one denies the rest",
    `AKS ranges: ${aksNetwork.podCidr} of pods and ${aksNetwork.serviceCidr} of Services are inside AKS: what nodes reach has other addresses (https://learn.microsoft.com/azure/aks/azure-cni-overlay, "IP address planning")`,
    ...routeLines(needs),
    ...nameLines(needs),
    `AKS clusters: nodes of ${nameOf(needs.subnetId)} reach TCP ${apiServerPort} of every workload API server, also through its security group; workload clusters need no way to AKS`,
    needs.apiServer.private &&
      `AKS clients: ${clients} is whoever reaches the API server on TCP 443: the machines that run \`pulumi up\` and kubectl. The platform team names their ranges and VNETs before you begin`,
  ).join("\n");
