import { resourceParts } from "../azure/resourceParts";
import { apiServerPort } from "../cluster/naming";
import { collapseCidrs } from "./addressing";
import { subnetParts } from "./existingNetwork";
import { commandsHeader, networkCommands } from "./networkCommands";
import { azureDns } from "./peerings";
import { clientsOf, requiredRules, subnetsOf, type NetworkNeeds, type RequiredRule } from "./requiredRules";
import { present } from "../../tools/present";

/** What must be true of a VNET that others have made. */

const vnetOf = ({ existing }: NetworkNeeds): string => subnetParts(existing.nodeSubnetId).vnet;

const tableOf = ({ existing }: NetworkNeeds): string =>
  existing.routeTable ?? "the route table of each subnet";

/** Long lists have names, which the first lines explain. */
const cluster = "the cluster";
const clients = "clients";

function rangeLines(needs: NetworkNeeds): string[] {
  const who = [
    ...[needs.managementCidrs, needs.allowedCidrs]
      .map(collapseCidrs)
      .flatMap((cidrs, index) =>
        present(
          cidrs.length > 0 &&
            `${cidrs.join(", ")} (${index === 0 ? "management cluster" : "administrators"})`,
        ),
      ),
  ];
  return [
    `ranges: "${cluster}" below is ${collapseCidrs(needs.subnets).join(", ")}, its subnets`,
    `ranges: "${clients}" are ${who.join(" and ") || "no ranges so far"}. Whoever runs \`pulumi up\`, the doctor or kubectl for this cluster is one${needs.apiServer === undefined ? "" : ` and resolves ${needs.apiServer.host}`}; the platform team adds further ranges to the stack file (access.allowedCidrs)`,
  ];
}

function placeLines(needs: NetworkNeeds): string[] {
  const { existing, location, vnetCidr, addresses = {} } = needs;
  return [
    `VNET: ${vnetOf(needs)} is in ${location}, and its range has room for the subnets${vnetCidr === undefined ? "" : ` (${vnetCidr} in the commands)`}`,
    ...subnetsOf(needs).map(({ id, cidr = "", group }) => {
      const count = addresses[cidr];
      return `subnet ${subnetParts(id).subnet}: ${cidr}, security group ${group}${existing.routeTable === undefined ? "" : `, route table ${existing.routeTable}`}, no delegation${count === undefined ? "" : `; at most ${count} addresses at once, those of a rollout included${id === existing.nodeSubnetId ? ", and one for each internal Service" : ""}, beside the 5 of Azure`}`;
    }),
  ];
}

/** `nsg: name (priority), …`, with names for long lists. */
export const ruleText = (
  { securityGroup, name, priority, access, direction, protocol, from, to, ports, why }: RequiredRule,
  named: (prefixes: readonly string[]) => string = (prefixes) => prefixes.join(", "),
): string =>
  `${securityGroup}: ${name} (${priority}), ${access === undefined ? "" : "denies "}${direction.toLowerCase()} ${protocol === "*" ? "any protocol" : protocol.toUpperCase()}, from ${named(from)} to ${named(to)}, port ${ports.replace(" ", ", ")}: ${why}`;

/** Rules that two groups share have both names. */
function ruleLines(needs: NetworkNeeds): string[] {
  const names = new Map([
    [collapseCidrs(needs.subnets).join(), cluster],
    [clientsOf(needs).join(), clients],
  ]);
  const found = new Map<string, RequiredRule>();
  for (const rule of requiredRules(needs)) {
    const key = JSON.stringify({ ...rule, securityGroup: "" });
    const groups = [found.get(key)?.securityGroup, rule.securityGroup].filter(Boolean);
    found.set(key, { ...rule, securityGroup: groups.join(", ") });
  }
  return [
    ...[...found.values()].map((rule) =>
      ruleText(rule, (prefixes) => names.get(prefixes.join()) ?? prefixes.join(", ")),
    ),
    `rules: in ${needs.existing.nodeSecurityGroup}, do not remove rules that you did not write: those of Services are among them, and a deployment that writes the whole list deletes them`,
  ];
}

/**
 * What the cloud provider does (cloud-provider-azure v1.34.3 pkg/provider/loadbalancer/accesscontrol.go and
 * pkg/consts/consts.go), and that nothing in a cluster keeps Services from being public.
 */
const serviceLines = ({ existing, firewall, privateApiServer, resourceGroup }: NetworkNeeds): string[] => [
  `Services: the control plane's identity writes into ${existing.nodeSecurityGroup}, from priority 500 on, a rule for each Service of type LoadBalancer: inbound TCP or UDP to its address and ports, from its loadBalancerSourceRanges. Without these a public one has a rule from Internet, and an internal one has none, so that deny_in shuts it for all but ${cluster}`,
  `Services: one is public unless it has the annotation service.beta.kubernetes.io/azure-load-balancer-internal: "true", and nothing in the cluster forbids a public one${firewall === undefined ? "" : ". It would not work: the firewall drops its answers"}${privateApiServer === true ? `. To forbid it, deny Microsoft.Network/publicIPAddresses in the resource group ${resourceGroup} by Azure Policy (the last of the commands): the stack needs none there` : ""}`,
  "Services: whoever calls one from elsewhere needs routes, rules and a name as clients of the API server do; the plan does not know these callers",
];

/** What a firewall needs of routes: it sees both directions of a connection, or none. */
function firewallLines(needs: NetworkNeeds): string[] {
  const { existing, firewall, hubVnetId } = needs;
  const [vnet, table] = [vnetOf(needs), tableOf(needs)];
  if (firewall === undefined) {
    return [
      `routes: machines of all subnets reach the Internet, and leave as ${existing.egressCidrs.join(", ")}`,
    ];
  }
  const { address } = firewall;
  const hub = hubVnetId === undefined ? `the VNET of ${address}` : resourceParts(hubVnetId).name;
  return present(
    `peering: ${vnet} and ${hub} are peered from both sides, and ${vnet} lets forwarded traffic in`,
    hubVnetId !== undefined &&
      `peering: ${hub} is taken for the VNET of ${address}, because the name of the API server resolves there; if it is not, write that VNET into the commands`,
    `peering: not for a Virtual WAN, where a connection replaces the peering, routing intent may replace the route table, and the zone is linked to VNETs, which a virtual hub is not: ask the platform team first`,
    `routes: ${table} has 0.0.0.0/0 to the virtual appliance ${address}, and no route for a range of ${cluster}; machines leave as ${existing.egressCidrs.join(", ")}`,
    `routes: each range of ${clients} comes in one of the two ways below, and answers leave by the same: the firewall drops answers to connections that it has not seen`,
    `routes A: not through the firewall, for ${clients} in ${hub}, in a VNET that is itself peered with ${vnet}, or behind a gateway of ${hub}`,
    `routes A: no route table, that of GatewaySubnet included, sends packets between them and ${cluster} to ${address}`,
    `routes A: behind a gateway, ${table} takes the routes of gateways (route propagation), ${hub} allows gateway transit, and ${vnet} uses remote gateways`,
    `routes B: through the firewall, for all other ${clients}, such as those in another spoke, and where you inspect everything`,
    `routes B: ${table} has a route to their range by ${address}, and takes no routes of gateways, which would bypass the firewall. Where one range needs B, none behind a gateway can have A`,
    `routes B: the route tables of their subnets, and that of GatewaySubnet where they are behind a gateway, have routes to ${cluster} by ${address}`,
    `routes B: the peering of their VNET with ${hub} lets forwarded traffic in. Behind a gateway, ${hub} allows gateway transit, and ${vnet} uses remote gateways, as in A: the gateway announces ${cluster}`,
    `routes B: a network rule of the firewall lets TCP ${apiServerPort} from them to ${needs.apiServer?.ip ?? "the API server"}, and keeps their source address (no SNAT)`,
    `firewall: lets ${cluster} out to the hosts that the plan lists, and to DNS servers behind it (TCP and UDP 53), and nothing of the Internet in. It does not inspect TLS, unless its certificate authority is in trustedCertificates of the stack file`,
  );
}

/** What the network must have besides security rules, one sentence each. */
function otherLines(needs: NetworkNeeds): string[] {
  const { existing, privateApiServer = false, apiServer, firewall } = needs;
  const { subnet } = subnetParts(existing.controlPlaneSubnetId);
  const zone = apiServer?.host.slice(apiServer.host.indexOf(".") + 1) ?? "";
  const linked = [vnetOf(needs), ...(apiServer?.linkedVnetIds ?? []).map((id) => resourceParts(id).name)];
  return present(
    ...firewallLines(needs),
    !privateApiServer &&
      "routes: the control plane's subnet has no route 0.0.0.0/0 to a firewall: the API server has a public load balancer, and answers that leave another way are dropped",
    ...(apiServer === undefined
      ? []
      : present(
          `addresses: ${apiServer.ip} of ${subnet} stays free: the internal load balancer of the API server takes it`,
          apiServer.privateLink === true &&
            `private link: ${subnet} has privateLinkServiceNetworkPolicies Disabled, without which Azure takes no private link service there, and one more address stays free`,
          `DNS: ${vnetOf(needs)} resolves ${apiServer.host} to ${apiServer.ip}; DNS servers that are not those of Azure forward ${zone} to ${azureDns} from a VNET that is linked to the zone. Set up the forwarding before \`pulumi up\``,
          apiServer.manual === true
            ? `DNS: you make the record in ${zone}, and link the zone, before \`pulumi up\``
            : `DNS: \`pulumi up\` makes the record before the first machine, and links ${zone} to ${linked.join(", ")}: make no link yourself, because Azure allows one of a VNET to a zone`,
          `DNS: ${clients} resolve the name, too, the management cluster first: their VNET is linked, or their DNS servers forward as above${apiServer.manual === true ? "" : "; the platform team adds links to the stack file (network.apiServer.linkedVnetIds)"}`,
        )),
    firewall !== undefined &&
      `DNS: the servers of ${vnetOf(needs)} are best the DNS proxy of the firewall (${firewall.address}): its network rule for a name, that of azkms.core.windows.net, lets only addresses through that it has resolved itself`,
    `rights: the control plane's identity gets Network Contributor on the security group ${existing.nodeSecurityGroup} and on the subnets of nodes, and the controllers' identity gets it on all subnets of the cluster. \`pulumi up\` makes both identities and assigns these roles, for which whoever runs it needs Role Based Access Control Administrator on the subscription: assign nothing to them yourself. rights/rights.md of the plan has each role with its scope, those of whoever runs \`pulumi up\`, and smaller ones in their place`,
  );
}

/** For the network team: what must exist, as text and as commands. */
export function networkRequirements(needs: NetworkNeeds): string {
  return [
    ...rangeLines(needs),
    ...placeLines(needs),
    ...ruleLines(needs),
    ...serviceLines(needs),
    ...otherLines(needs),
    commandsHeader(
      "commands",
      `resource groups${needs.firewall === undefined ? " and roles" : ", roles, and the hub with its firewall"}`,
    ),
    ...networkCommands(needs),
  ].join("\n");
}
