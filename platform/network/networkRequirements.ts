import { resourceParts } from "../azure/resourceParts";
import { apiServerPort } from "../cluster/naming";
import { collapseCidrs } from "./addressing";
import { subnetParts } from "./existingNetwork";
import { networkCommands } from "./networkCommands";
import { azureDns } from "./peerings";
import { requiredRules, subnetsOf, type NetworkNeeds } from "./requiredRules";

/** What must be true of a VNET that others have made. */

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
        `peering: this VNET and that of ${firewall.address}${needs.hubVnetId === undefined ? "" : ` (${resourceParts(needs.hubVnetId).name} in the commands, of network.apiServer.linkedVnetIds)`} are peered from both sides; this side lets forwarded traffic in, and uses the gateways of the other one (useRemoteGateways here, allowGatewayTransit there) where ${clients} come by such a gateway`,
        `routes: ${table} has 0.0.0.0/0 to the virtual appliance ${firewall.address}, and no other route to ${own}; machines leave as ${existing.egressCidrs.join(", ")}`,
        `routes: either ${clients} and ${own} reach one another without the firewall: ${table} takes the routes of gateways (BGP), and neither the GatewaySubnet nor the subnet of the management cluster has a route to ${own}`,
        `routes: or they pass it in both directions, because it drops answers to what it has not seen: ${table} has routes to ${clients} by ${firewall.address}, the other two have routes to ${own} by it, and a network rule of the firewall, which keeps the source address, lets TCP ${apiServerPort} from ${clients} to ${target}`,
        `firewall: lets ${own} out to the hosts that the plan lists, and nothing of the Internet in`,
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
          ...(apiServer.privateLink === true
            ? [
                `private link: ${subnetParts(existing.controlPlaneSubnetId).subnet} has privateLinkServiceNetworkPolicies Disabled, without which Azure takes no private link service there, and one more address stays free`,
              ]
            : []),
          `DNS: servers of the VNET resolve ${apiServer.host} to ${apiServer.ip} before the first machine starts; where they are not those of Azure, they forward ${zone} to ${azureDns} from a VNET that is linked to the zone`,
          apiServer.manual === true
            ? `DNS: you make the record in ${zone ?? ""}, and link the zone`
            : `DNS: \`pulumi up\` makes the record, and links ${zone ?? ""} to this VNET and to those of network.apiServer.linkedVnetIds: a VNET has one link to a zone, so make none of these`,
        ]),
    `rights: the control plane's identity writes into ${existing.nodeSecurityGroup} a rule for every Service of type LoadBalancer; it gets Network Contributor on this group and on the subnets of nodes, and the controllers' identity on all subnets of the cluster. \`pulumi up\` makes both identities and assigns these roles, for which it needs roleAssignments/write there: assign nothing to them yourself. rights/rights.md of the plan has each role with its scope, those of whoever runs \`pulumi up\`, and how to have smaller ones`,
  ];
}

/** For the network team: what must exist, as text and as commands. */
export function networkRequirements(needs: NetworkNeeds): string {
  return [
    ...subnetLines(needs),
    ...requiredRules(needs).map(
      ({ securityGroup, name, priority, direction, protocol, from, to, ports, why }) =>
        `${securityGroup}: ${name} (${priority}), ${direction.toLowerCase()} ${protocol === "*" ? "any protocol" : protocol.toUpperCase()}, from ${from.join(", ")} to ${to.join(", ")}, port ${ports.replace(" ", ", ")}: ${why}`,
    ),
    ...otherNeeds(needs),
    "commands, which make all of it from nothing; leave out what exists, and write update instead of create for a subnet that exists:",
    ...networkCommands(needs),
  ].join("\n");
}
