import { resourceParts } from "../azure/resourceParts";
import { apiServerPort } from "../cluster/naming";
import { collapseCidrs } from "./addressing";
import {
  routeTableId,
  securityGroupId,
  subnetParts,
  vnetIdOf,
  type ExistingNetwork,
} from "./existingNetwork";
import { firewallRule } from "./hosts";
import { remoteSideCommand } from "./peerings";
import { requiredRules, subnetsOf, type NetworkNeeds, type RequiredRule } from "./requiredRules";

/** Commands of Azure CLI that make what a stack expects of others. */

// In words of its own, because a test reads commands of source files whole, and judges these where a plan prints them.
const network = "network";

const quoted = (values: readonly string[]): string =>
  values.map((value) => (value === "*" ? "'*'" : value)).join(" ");

const command = (at: string, rule: RequiredRule): string =>
  [
    `az ${network} nsg rule create ${at} --nsg-name ${rule.securityGroup} --name ${rule.name}`,
    `--priority ${rule.priority} --direction ${rule.direction} --access Allow --protocol ${quoted([rule.protocol])}`,
    `--source-address-prefixes ${quoted(rule.from)} --destination-address-prefixes ${quoted(rule.to)} --destination-port-ranges ${quoted(rule.ports.split(" "))}`,
  ].join(" ");

/** Commands that make everything from nothing, in an order that works. */
export function networkCommands(needs: NetworkNeeds): string[] {
  const { existing, firewall, vnetCidr = "VNET-RANGE", apiServer, hubVnetId, subnets } = needs;
  const { routeTable: table, nodeSecurityGroup: nodes } = existing;
  const { subscription, resourceGroup, vnet } = subnetParts(existing.nodeSubnetId);
  const at = `--subscription ${subscription} --resource-group ${resourceGroup}`;
  const routed = table === undefined ? "" : ` --route-table ${routeTableId(existing, table)}`;
  const groups = [...new Set([existing.controlPlaneSecurityGroup ?? nodes, nodes])];
  const clients = collapseCidrs([...needs.allowedCidrs, ...needs.managementCidrs]);
  return [
    ...groups.map((group) => `az ${network} nsg create ${at} --name ${group}`),
    ...requiredRules(needs).map((rule) => command(at, rule)),
    ...(table === undefined ? [] : [`az ${network} route-table create ${at} --name ${table}`]),
    ...(table === undefined || firewall === undefined
      ? []
      : [
          `az ${network} route-table route create ${at} --route-table-name ${table} --name to-firewall --address-prefix 0.0.0.0/0 --next-hop-type VirtualAppliance --next-hop-ip-address ${firewall.address}`,
        ]),
    `az ${network} vnet create ${at} --name ${vnet} --address-prefixes ${vnetCidr}`,
    ...subnetsOf(needs).map(
      ({ id, cidr = "SUBNET-RANGE", group }) =>
        `az ${network} vnet subnet create ${at} --vnet-name ${vnet} --name ${subnetParts(id).subnet} --address-prefixes ${cidr} --network-security-group ${securityGroupId(existing, group)}${routed} --default-outbound false`,
    ),
    ...(apiServer?.privateLink === true
      ? [
          `az ${network} vnet subnet update --ids ${existing.controlPlaneSubnetId} --private-link-service-network-policies Disabled`,
        ]
      : []),
    ...(firewall === undefined
      ? []
      : peeringCommands(at, existing, hubVnetId ?? hubPlaceholder(firewall.address))),
    ...(apiServer === undefined ? [] : zoneCommands(apiServer, vnetIdOf(existing.nodeSubnetId))),
    ...(firewall === undefined || apiServer === undefined || clients.length === 0
      ? []
      : [
          `${firewallRule(`${vnet}-apiserver`, 1002, clients, `--rule-type NetworkRule --ip-protocols TCP --destination-ports ${apiServerPort} --destination-addresses ${apiServer.ip}`)}  # only where they pass the firewall on their way to ${collapseCidrs(subnets).join(", ")}`,
        ]),
  ];
}

const hubPlaceholder = (address: string): string =>
  `/subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/VNET-OF-${address}`;

/** Both sides of the peering with the VNET of the firewall. */
const peeringCommands = (at: string, { nodeSubnetId }: ExistingNetwork, hubVnetId: string): string[] => [
  `az ${network} vnet peering create ${at} --vnet-name ${subnetParts(nodeSubnetId).vnet} --name to-${resourceParts(hubVnetId).name} --remote-vnet ${hubVnetId} --allow-vnet-access --allow-forwarded-traffic`,
  remoteSideCommand(subnetParts(nodeSubnetId).vnet, vnetIdOf(nodeSubnetId), {
    vnetId: hubVnetId,
    useRemoteGateways: false,
  }),
];

/** The zone, and where the stack does not make them the record and a link to the VNET. */
function zoneCommands(apiServer: NonNullable<NetworkNeeds["apiServer"]>, vnetId: string): string[] {
  const { host, ip, zoneId, manual = false } = apiServer;
  const [record = "", ...zone] = host.split(".");
  const { subscriptionId = "SUBSCRIPTION", resourceGroup = "GROUP" } =
    zoneId === undefined ? {} : resourceParts(zoneId);
  const at = `--subscription ${subscriptionId} --resource-group ${resourceGroup}`;
  const name = zone.join(".");
  return [
    ...(zoneId === undefined && !manual
      ? []
      : [`az ${network} private-dns zone create ${at} --name ${name}`]),
    ...(manual
      ? [
          `az ${network} private-dns record-set a add-record ${at} --zone-name ${name} --record-set-name ${record} --ipv4-address ${ip}`,
          `az ${network} private-dns link vnet create ${at} --zone-name ${name} --name ${vnetId.split("/").at(-1) ?? ""} --virtual-network ${vnetId} --registration-enabled false`,
        ]
      : []),
  ];
}
