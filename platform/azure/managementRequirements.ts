import { bash, verbatim } from "../../tools/shell";
import { apiServerPort } from "../cluster/naming";
import { subnetParts, vnetIdOf } from "../network/existingNetwork";
import { firewallRule } from "../network/hosts";
import {
  commandsHeader,
  hubPeeringCommands,
  routeCommand,
  ruleCommand,
  vnetCommands,
} from "../network/networkCommands";
import { ruleText } from "../network/networkRequirements";
import { azureDns } from "../network/peerings";
import { aksNetwork, managementNames } from "./aks";
import {
  aksDelegation,
  aksOutboundTypes,
  apiServerHosts,
  apiServerPrefix,
  nodesInUpgrade,
} from "./managementNetwork";
import {
  clients,
  firewallRange,
  groupOf,
  integrated,
  managementRules,
  nameOf,
  rangeOfSubnet,
  tableOf,
  type ManagementNeeds,
} from "./managementRules";
import { resourceParts } from "./resourceParts";
import { present } from "../../tools/present";

/** What must be true of a subnet of others in which AKS is. Names and ranges that no stack file has are in capitals. */

// Written out here, because a test reads commands of source files whole, and judges these where a plan prints them.
const network = "network";

/** Addresses that Azure takes of each subnet (https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq). */
const ofAzure = 5;

/** Of the firewall and of DNS servers. */
const hub =
  "/subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/HUB";

const endpointPolicies = "privateEndpointNetworkPolicies";

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
  return present(
    `AKS subnet ${nameOf(subnetId)}: /${32 - Math.ceil(Math.log2(all))} or larger for ${all} addresses (${nodes} nodes while AKS upgrades${endpoints === 0 ? "" : ", 1 private endpoint of the API server"}, ${ofAzure} that Azure takes), in the subscription and region of the stack, security group ${groupOf(subnetId)}, ${attached}, no delegation`,
    apiSubnet !== undefined &&
      `AKS subnet ${nameOf(apiSubnet)}: /${apiServerPrefix} or larger, security group ${groupOf(apiSubnet)}, delegated to ${aksDelegation}, nothing else in it but other AKS clusters of the VNET`,
  );
}

/**
 * Answers of a private endpoint, and application rules: https://learn.microsoft.com/azure/private-link/inspect-traffic-with-azure-firewall;
 * addresses that Azure Firewall keeps: https://learn.microsoft.com/azure/firewall/snat-private-range; routes of clients:
 * https://learn.microsoft.com/azure/private-link/disable-private-endpoint-network-policy.
 */
function apiServerRoutes(needs: ManagementNeeds): string[] {
  const { subnetId, apiServer } = needs;
  const apiSubnet = integrated(needs);
  const { vnet } = subnetParts(subnetId);
  return !apiServer.private
    ? []
    : present(
        `AKS routes: ${apiSubnet === undefined ? `answers of the API server, from its private endpoint, ignore ${tableOf(subnetId)}` : `answers of the API server do not leave by the firewall, because ${nameOf(apiSubnet)} has no route table`}. They reach a client that comes by the firewall only if the firewall puts its address in place of the client's (SNAT). Azure Firewall does that in application rules, such as the one in the commands, and by default in no network rule to private addresses`,
        apiSubnet === undefined &&
          `AKS routes: clients in ${vnet}, or in a VNET that is peered with it, go straight to the private endpoint, whose route (/32) Azure adds there. To send those in a peered VNET by the firewall, give their route table a route to VNET-RANGE, or to ${rangeOfSubnet(subnetId)}, by FIREWALL-ADDRESS (0.0.0.0/0 is not enough), and keep ${endpointPolicies} of ${nameOf(subnetId)} on Enabled, as in the commands, or on RouteTableEnabled, with which security rules do not count`,
      );
}

/** https://learn.microsoft.com/azure/aks/azure-cni-overlay, "IP address planning". */
const addressLines = ({ subnetId }: ManagementNeeds): string[] => {
  const { vnet } = subnetParts(subnetId);
  const nothing = `and nodes and pods reach nothing else that has an address of it: ${vnet}, the VNETs that are peered with it, and what nodes reach by routes (API servers of workload clusters, DNS servers) are outside of it`;
  return [
    `AKS pods: ${aksNetwork.podCidr}, an overlay inside AKS, ${nothing}. Other clusters may have the same range for their pods: beyond ${vnet}, packets have the address of the node`,
    `AKS services: ${aksNetwork.serviceCidr}, inside AKS, DNS ${aksNetwork.dnsServiceIP}, ${nothing}. Both ranges are the program's, and no stack file changes them`,
  ];
};

function routeLines(needs: ManagementNeeds): string[] {
  const { subnetId, outbound, clusterName, apiServer } = needs;
  const addresses = outbound.egressCidrs?.join(", ") ?? "";
  const { identity, resourceGroup } = managementNames(clusterName);
  switch (outbound.type) {
    case "firewall":
      return present(
        `AKS routes: before \`pulumi up\`, ${tableOf(subnetId)} has 0.0.0.0/0 to the virtual appliance, because AKS refuses outboundType ${aksOutboundTypes.firewall} without it; nodes leave as ${addresses}`,
        `AKS routes: whoever reaches nodes by a gateway or the firewall has the same way back: the firewall drops answers to what it has not seen`,
        ...apiServerRoutes(needs),
        `AKS routes: \`pulumi up\` assigns no role on the route table, which the stack file does not name. With its overlay AKS writes no routes, but for a table in another group than its own Microsoft lists routeTables/routes/read and write: if AKS answers CustomRouteTableMissingPermission, give Network Contributor on it to ${identity} of the group ${resourceGroup} (the last of the commands, which is a comment), and run \`pulumi up\` again`,
        `AKS firewall: lets ${rangeOfSubnet(subnetId)} out to the hosts that the plan lists, and to API servers of workload clusters behind it on TCP ${apiServerPort}`,
        apiServer.private &&
          `AKS firewall: lets ${clients} to the API server on TCP 443, where they come by the firewall. The rule in the commands has names, so the firewall resolves them, too; a network rule from ${clients} to ${rangeOfSubnet(integrated(needs) ?? subnetId)} needs SNAT`,
      );
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
  if (privateDnsZone.startsWith("/")) {
    return [
      `AKS DNS: before \`pulumi up\`, the zone ${zone} exists. AKS writes the record of its API server and links the zone to ${vnet}: a VNET has one link to a zone, so make none of it. You link the zone to the VNETs in which clients resolve the name, such as that of the hub's DNS servers`,
      `AKS DNS: ${forwarded}, before \`pulumi up\`: nodes join by the name`,
    ];
  }
  if (privateDnsZone === "none") {
    return [
      "AKS DNS: a public name resolves to the private address; no zone, and DNS servers must not drop private answers of public names",
    ];
  }
  const maker =
    privateDnsZone === "own"
      ? "the stack, which links it to those of linkedVnetIds, and AKS to"
      : "AKS in the group of its nodes, which links it to";
  return [`AKS DNS: the zone is made by ${maker} ${vnet}; ${forwarded}`];
}

const clusterLines = ({ subnetId, apiServer, outbound }: ManagementNeeds): string[] =>
  present(
    `AKS clusters: nodes of ${nameOf(subnetId)} reach TCP ${apiServerPort} of every workload API server, also through its security group (allow_apiserver from ${rangeOfSubnet(subnetId)} where it is private), by a peering or routes of the hub; workload clusters need no way to AKS`,
    apiServer.private &&
      `AKS clients: ${clients} is whoever reaches the API server on TCP 443: the machines that run \`pulumi up\` and kubectl, for this stack and for those that use the cluster. The stack file does not know their ranges: the platform team names them, and the VNETs in which they are, before you begin, because rules, routes and names depend on them${outbound.type === "firewall" ? `. ${firewallRange} is the subnet of the firewall: clients by an application rule come with its addresses` : ""}`,
  );

function commands(needs: ManagementNeeds): string[] {
  const { subnetId, apiServer, outbound, clusterName, subscriptionId, location } = needs;
  const apiSubnet = integrated(needs);
  const { subscription, resourceGroup, vnet } = subnetParts(subnetId);
  const at = `--subscription ${subscription} --resource-group ${resourceGroup}`;
  const subnets = [subnetId, ...(apiSubnet === undefined ? [] : [apiSubnet])];
  const firewall = outbound.type === "firewall";
  const endpoint = apiServer.private && apiSubnet === undefined;
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
          routeCommand(
            bash`${verbatim(at)} --route-table-name ${tableOf(subnetId)}`,
            "to-firewall",
            "0.0.0.0/0",
            "FIREWALL-ADDRESS",
          ),
        ]
      : []),
    ...vnetCommands(at, location, vnet, "VNET-RANGE"),
    ...subnets.map(
      (id) =>
        `az ${network} vnet subnet create ${at} --vnet-name ${vnet} --name ${nameOf(id)} --address-prefixes ${rangeOfSubnet(id)} --network-security-group ${groupOf(id)}${id === apiSubnet ? ` --delegations ${aksDelegation}` : `${firewall ? ` --route-table ${tableOf(id)}` : ""}${outbound.type === "existingNat" ? " --nat-gateway NAT-GATEWAY" : ""} --default-outbound false${endpoint ? ` --private-endpoint-network-policies ${firewall ? "Enabled" : "NetworkSecurityGroupEnabled"}` : ""}`}`,
    ),
    ...(firewall ? hubPeeringCommands(subnetId, hub) : []),
    ...(privateDnsZone.startsWith("/")
      ? [
          `az ${network} private-dns zone create ${zoneAt} --name ${zone.name}`,
          `az ${network} private-dns link vnet create ${zoneAt} --zone-name ${zone.name} --name HUB --virtual-network ${hub} --registration-enabled false`,
        ]
      : []),
    ...(firewall && apiServer.private
      ? [
          "# clients that come by the firewall; needs az extension add --name azure-firewall:",
          firewallRule(
            `${names.cluster}-apiserver`,
            [clients],
            `--rule-type ApplicationRule --protocols Https=443 --target-fqdns ${apiServerHosts(
              location,
              apiServer,
            )
              .map((host) => `'${host}'`)
              .join(" ")}`,
          ),
        ]
      : []),
    ...(firewall
      ? [
          "# only once pulumi up has made the identity, and if AKS answers CustomRouteTableMissingPermission:",
          bash`# az role assignment create --role "Network Contributor" --assignee-principal-type ServicePrincipal --assignee-object-id "$(az identity show --subscription ${subscriptionId} --resource-group ${names.resourceGroup} --name ${names.identity} --query principalId --output tsv)" --scope ${vnetIdOf(subnetId).replace(/\/virtualNetworks\/.*/, "")}/routeTables/${tableOf(subnetId)}`,
        ]
      : []),
  ];
}

/** For the network team: what must exist for AKS, as text and as commands. */
export const managementRequirements = (needs: ManagementNeeds): string =>
  present(
    ...subnetLines(needs),
    ...managementRules(needs).map((rule) => `AKS ${ruleText(rule)}`),
    "AKS rules: AKS needs no security group on its subnets, where your policies ask for none; its own is on the network interfaces of nodes, where it adds what Services open. Rules outbound are needed only where another one denies the rest",
    needs.apiServer.private &&
      integrated(needs) === undefined &&
      `AKS rules: ${endpointPolicies} of ${nameOf(needs.subnetId)} is on, without which rules do not count for the private endpoint; look again after the first \`pulumi up\`, because services that put endpoints into a subnet can turn it off`,
    ...addressLines(needs),
    ...routeLines(needs),
    ...nameLines(needs),
    ...clusterLines(needs),
    commandsHeader(
      "commands for AKS",
      `resource groups${needs.outbound.type === "firewall" ? ", roles, and HUB with the firewall and its policy" : " and roles"}`,
      ` (so replace all of ${groupOf(needs.subnetId)}, too)`,
    ),
    ...commands(needs),
  ).join("\n");
