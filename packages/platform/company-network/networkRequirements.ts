import { present } from "capz-windows-kit/present";
import { ownValue } from "capz-windows-kit/untyped";
import { resourceParts } from "../azure/resourceParts";
import { apiServerPort } from "../cluster/naming";
import { subnetsByName } from "../network/addressing";
import { subnetParts } from "./existingNetwork";
import { azureDns } from "./peerings";
import { requiredRules, type NetworkNeeds, type RequiredRule } from "./requiredRules";

/** What must be true of a VNET that others have made. */

const reasons: Readonly<Record<string, string>> = {
  allow_ssh: "ssh to the control plane, and through it to the nodes",
  allow_apiserver: "clients of the API server, and machines where its address is public",
  allow_cluster:
    "machines among themselves: API server 6443, etcd 2379-2380, kubelet 10250, Typha 5473, VXLAN UDP 4789",
  allow_balancers: "probes of load balancers, which deny_in would shut",
  allow_cluster_out: "machines among themselves",
  allow_https_out: "Azure's API and registries; on port 6443 the public address of the API server",
  allow_apiserver_out: "the public address of the API server",
  allow_proxy_out: "Azure's API and registries by the proxy",
  allow_mirror_out: "images from the mirror",
  allow_dns_out: "DNS servers of the VNET; those of Azure need no rule",
  allow_activation_out: "activation of Windows (azkms.core.windows.net)",
  allow_path_mtu:
    "fragmentation needed: the VNET of the firewall says that packets are too large for a tunnel",
  allow_bastion: "from AzureBastionSubnet, or from the jump host",
  deny_in:
    "required: without it the rules above keep nothing out, because Azure's own rules let VirtualNetwork in",
  deny_out:
    "optional: machines need no more than the rules here, and what your workloads call needs rules of yours",
};

/** `nsg: name (priority), …` */
export function ruleText(rule: RequiredRule, why = ""): string {
  const { securityGroup, name, priority, access, direction, protocol, from, to, ports } = rule;
  const what = `${access === undefined ? "" : "denies "}${direction.toLowerCase()} ${protocol === "*" ? "any protocol" : protocol.toUpperCase()}`;
  return `${securityGroup}: ${name} (${priority}), ${what}, from ${from.join(", ")} to ${to.join(", ")}, port ${ports.replace(" ", ", ")}: ${why}`;
}

function subnetLines(needs: NetworkNeeds): string[] {
  const { existing, subnetCidrs, poolSubnets = {}, addresses = {} } = needs;
  const { nodeSecurityGroup: nodes, controlPlaneSecurityGroup: controlPlane = nodes, routeTable } = existing;
  const table = routeTable === undefined ? "" : `, route table ${routeTable}`;
  const line = (id: string, cidr = "", group = nodes): string => {
    const count = addresses[cidr];
    const services = id === existing.nodeSubnetId ? ", and one for each internal Service" : "";
    const room =
      count === undefined
        ? ""
        : `; at most ${count} addresses at once, those of a rollout included${services}, beside the 5 of Azure`;
    return `subnet ${subnetParts(id).subnet}: ${cidr}, security group ${group}${table}, no delegation${room}`;
  };
  return [
    `VNET: ${subnetParts(existing.nodeSubnetId).vnet} is in ${needs.location}, and its range has room for the subnets${needs.vnetCidr === undefined ? "" : ` (${needs.vnetCidr})`}`,
    line(existing.controlPlaneSubnetId, subnetCidrs[0], controlPlane),
    line(existing.nodeSubnetId, subnetCidrs[1]),
    ...subnetsByName(existing.poolSubnetIds ?? {}).map(([name, id]) => line(id, ownValue(poolSubnets, name))),
  ];
}

/** A firewall sees both directions of a connection, or none: the two ways of clients are in docs/private-networks.md. */
function routeLines({ existing, firewall, apiServer, privateApiServer }: NetworkNeeds): string[] {
  const { vnet } = subnetParts(existing.nodeSubnetId);
  const egress = existing.egressCidrs.join(", ");
  if (firewall === undefined) {
    return present(
      `routes: machines of all subnets reach the Internet, and leave as ${egress}`,
      privateApiServer !== true &&
        "routes: the control plane's subnet has no route 0.0.0.0/0 to a firewall: the API server has a public load balancer, and answers that leave another way are dropped",
    );
  }
  const { address } = firewall;
  const table = existing.routeTable ?? "the route table of each subnet";
  return [
    `peering: ${vnet} and the VNET of ${address} are peered from both sides, and ${vnet} lets forwarded traffic in`,
    `routes: ${table} has 0.0.0.0/0 to the virtual appliance ${address}, and no route for a range of the cluster; machines leave as ${egress}`,
    `routes: each range of clients comes either past the firewall or through it, and answers leave by the same way (docs/private-networks.md, "Clients and a firewall")`,
    `firewall: lets the cluster out to the hosts that the plan lists, and to DNS servers behind it (TCP and UDP 53), lets clients that come through it to ${apiServer?.ip ?? "the API server"} on TCP ${apiServerPort} without SNAT, and nothing of the Internet in. It does not inspect TLS, unless its certificate authority is in trustedCertificates of the stack file`,
    `DNS: the servers of ${vnet} are best the DNS proxy of the firewall (${address}): its network rule for azkms.core.windows.net lets only addresses through that it has resolved itself`,
  ];
}

function apiServerLines({ existing, apiServer }: NetworkNeeds): string[] {
  if (apiServer === undefined) {
    return [];
  }
  const { host, ip, manual = false, privateLink = false, linkedVnetIds = [] } = apiServer;
  const { subnet } = subnetParts(existing.controlPlaneSubnetId);
  const { vnet } = subnetParts(existing.nodeSubnetId);
  const zone = host.slice(host.indexOf(".") + 1);
  const linked = [vnet, ...linkedVnetIds.map((id) => resourceParts(id).name)].join(", ");
  return present(
    `addresses: ${ip} of ${subnet} stays free: the internal load balancer of the API server takes it`,
    privateLink &&
      `private link: ${subnet} has privateLinkServiceNetworkPolicies Disabled, and one more address stays free`,
    `DNS: ${vnet} and clients resolve ${host} to ${ip}; DNS servers that are not those of Azure forward ${zone} to ${azureDns} from a VNET that is linked to the zone, before \`pulumi up\``,
    manual
      ? `DNS: you make the record in ${zone}, and link the zone, before \`pulumi up\``
      : `DNS: \`pulumi up\` makes the record before the first machine, and links ${zone} to ${linked}: make no link yourself, because Azure allows one of a VNET to a zone. The platform team adds links to the stack file (network.apiServer.linkedVnetIds)`,
  );
}

/** For the network team: what must exist, one thing a line, each with its subject before the first colon. */
export const networkRequirements = (needs: NetworkNeeds): string =>
  [
    ...subnetLines(needs),
    ...requiredRules(needs).map((rule) => ruleText(rule, reasons[rule.name])),
    `rules: in ${needs.existing.nodeSecurityGroup}, do not remove rules that you did not write: the cloud provider writes one from priority 500 on for each Service of type LoadBalancer, but none for an internal one without loadBalancerSourceRanges, which deny_in shuts`,
    ...routeLines(needs),
    ...apiServerLines(needs),
    "rights: `pulumi up` makes its identities and assigns their roles: assign nothing to them yourself. rights/rights.md of the plan has each role with its scope",
  ].join("\n");
