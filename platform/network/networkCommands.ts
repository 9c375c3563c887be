import { bash, verbatim } from "../../tools/shell";
import { resourceParts } from "../azure/resourceParts";
import { apiServerPort } from "../cluster/naming";
import { collapseCidrs } from "./addressing";
import { routeTableId, securityGroupId, subnetParts, vnetIdOf } from "./existingNetwork";
import { firewallRule } from "./hosts";
import { remoteSideCommand } from "./peerings";
import {
  clientsOf,
  dnsServers,
  requiredRules,
  subnetsOf,
  type NetworkNeeds,
  type RequiredRule,
} from "./requiredRules";
import { present } from "../../tools/present";

/** Commands of Azure CLI that make what a stack expects of others. Comments have separate lines: not every shell has them behind commands. */

// Written out here, because a test reads commands of source files whole, and judges these where a plan prints them.
const network = "network";

const quoted = (values: readonly string[]): string =>
  values.map((value) => (value === "*" ? "'*'" : value)).join(" ");

export const ruleCommand = (at: string, rule: RequiredRule): string =>
  [
    `az ${network} nsg rule create ${at} --nsg-name ${rule.securityGroup} --name ${rule.name}`,
    `--priority ${rule.priority} --direction ${rule.direction} --access ${rule.access ?? "Allow"} --protocol ${quoted([rule.protocol])}`,
    `--source-address-prefixes ${quoted(rule.from)} --destination-address-prefixes ${quoted(rule.to)} --destination-port-ranges ${quoted(rule.ports.split(" "))}`,
  ].join(" ");

/** What is said before commands, which follow it. */
export const commandsHeader = (label: string, without: string, refused = ""): string =>
  `${label}, which make all of it from nothing but ${without}; words in capitals are yours to replace, and Azure refuses them${refused}; commands behind a # are a choice, and yours to take; leave out what exists, because create overwrites it, and write update instead of create for a subnet that exists:`;

export const vnetCommands = (at: string, location: string, vnet: string, range: string): string[] => [
  "# with the DNS servers of Azure, leave out --dns-servers and allow_dns_out",
  `az ${network} vnet create ${at} --location ${location} --name ${vnet} --address-prefixes ${range} --dns-servers ${dnsServers}`,
];

/** Commands that are a choice, so that who runs all lines does not make it. */
const chosen = (commands: readonly string[]): string[] => commands.map((command) => `# ${command}`);

/** Commands that make everything from nothing, in an order that works. */
export function networkCommands(needs: NetworkNeeds): string[] {
  const { existing, firewall, vnetCidr = "VNET-RANGE", apiServer, location } = needs;
  const { routeTable: table, nodeSecurityGroup: nodes } = existing;
  const { subscription, resourceGroup, vnet } = subnetParts(existing.nodeSubnetId);
  const at = `--subscription ${subscription} --resource-group ${resourceGroup}`;
  const routed = table === undefined ? "" : ` --route-table ${routeTableId(existing, table)}`;
  const groups = [...new Set([existing.controlPlaneSecurityGroup ?? nodes, nodes])];
  return present(
    ...groups.map((group) => `az ${network} nsg create ${at} --location ${location} --name ${group}`),
    ...groups.flatMap((group) =>
      requiredRules(needs)
        .filter(({ securityGroup }) => securityGroup === group)
        .flatMap((rule) =>
          rule.name === "deny_out"
            ? [`# optional, the last rule of ${group}:`, ...chosen([ruleCommand(at, rule)])]
            : [ruleCommand(at, rule)],
        ),
    ),
    table !== undefined && `az ${network} route-table create ${at} --location ${location} --name ${table}`,
    table !== undefined &&
      firewall !== undefined &&
      routeCommand(
        bash`${verbatim(at)} --route-table-name ${table}`,
        "to-firewall",
        "0.0.0.0/0",
        firewall.address,
      ),
    ...vnetCommands(at, location, vnet, vnetCidr),
    ...subnetsOf(needs).map(
      ({ id, cidr = "SUBNET-RANGE", group }) =>
        `az ${network} vnet subnet create ${at} --vnet-name ${vnet} --name ${subnetParts(id).subnet} --address-prefixes ${cidr} --network-security-group ${securityGroupId(existing, group)}${routed} --default-outbound false`,
    ),
    apiServer?.privateLink === true &&
      `az ${network} vnet subnet update --ids ${existing.controlPlaneSubnetId} --private-link-service-network-policies Disabled`,
    ...(firewall === undefined ? [] : wayCommands(needs, at, firewall.address)),
    ...(apiServer === undefined ? [] : zoneCommands(apiServer, vnetIdOf(existing.nodeSubnetId))),
    ...(needs.privateApiServer === true
      ? [
          "# optional, once pulumi up has made the resource group: no Service can be public",
          ...chosen([
            bash`az policy assignment create --name no-public-addresses --scope /subscriptions/${subscription}/resourceGroups/${needs.resourceGroup} --policy ${notAllowedTypes} --params '{"listOfResourceTypesNotAllowed":{"value":["Microsoft.Network/publicIPAddresses"]}}'`,
          ]),
        ]
      : []),
  );
}

/** The built-in policy "Not allowed resource types" (https://github.com/Azure/azure-policy, InvalidResourceTypes_Deny.json). */
const notAllowedTypes = "6c112d4e-5bc7-47ae-a041-ea2d9dccd749";

export const routeCommand = (table: string, name: string, to: string, address: string): string =>
  `az ${network} route-table route create ${table} --name ${name} --address-prefix ${to} --next-hop-type VirtualAppliance --next-hop-ip-address ${address}`;

/** The peering, and the two ways of clients. */
function wayCommands(needs: NetworkNeeds, at: string, address: string): string[] {
  const { existing, apiServer, subnets } = needs;
  const { nodeSubnetId, routeTable: table = "ROUTE-TABLE" } = existing;
  const { vnet } = subnetParts(nodeSubnetId);
  const hubVnetId = needs.hubVnetId ?? hubPlaceholder(address);
  const hub = resourceParts(hubVnetId);
  const clients = clientsOf(needs);
  const update = (where: string, name: string, flag: string): string =>
    `az ${network} vnet peering update ${where} --name ${name} --set ${flag}=true`;
  return [
    ...hubPeeringCommands(nodeSubnetId, hubVnetId),
    ...(clients.length === 0
      ? []
      : [
          "# routes A and B, only for clients behind a gateway of that VNET, which the VNET must have:",
          ...chosen([
            update(
              `--subscription ${hub.subscriptionId} --resource-group ${hub.resourceGroup} --vnet-name ${hub.name}`,
              `to-${vnet}`,
              "allowGatewayTransit",
            ),
            update(bash`${verbatim(at)} --vnet-name ${vnet}`, `to-${hub.name}`, "useRemoteGateways"),
          ]),
          "# routes B, only for clients by the firewall; CLIENTS-ROUTE-TABLE is each of their subnets, or that of GatewaySubnet:",
          ...chosen(
            present(
              `az ${network} route-table update ${at} --name ${table} --disable-bgp-route-propagation true`,
              ...clients.map((cidr, index) =>
                routeCommand(
                  bash`${verbatim(at)} --route-table-name ${table}`,
                  bash`to-clients-${index + 1}`,
                  cidr,
                  address,
                ),
              ),
              ...collapseCidrs(subnets).map((cidr, index) =>
                routeCommand(
                  "--subscription SUBSCRIPTION --resource-group GROUP --route-table-name CLIENTS-ROUTE-TABLE",
                  `to-${vnet}-${index + 1}`,
                  cidr,
                  address,
                ),
              ),
              apiServer !== undefined &&
                firewallRule(
                  `${vnet}-apiserver`,
                  clients,
                  `--rule-type NetworkRule --ip-protocols TCP --destination-ports ${apiServerPort} --destination-addresses ${apiServer.ip}`,
                ),
            ),
          ),
        ]),
  ];
}

const hubPlaceholder = (address: string): string =>
  `/subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Network/virtualNetworks/VNET-OF-${address}`;

/** Both sides of the peering with the VNET of the firewall; the hub's first, because gateways can be used once it allows that. */
export function hubPeeringCommands(subnetId: string, hubVnetId: string): string[] {
  const { subscription, resourceGroup, vnet } = subnetParts(subnetId);
  return [
    remoteSideCommand(vnet, vnetIdOf(subnetId), { vnetId: hubVnetId, useRemoteGateways: false }),
    `az ${network} vnet peering create --subscription ${subscription} --resource-group ${resourceGroup} --vnet-name ${vnet} --name to-${resourceParts(hubVnetId).name} --remote-vnet ${hubVnetId} --allow-vnet-access --allow-forwarded-traffic`,
  ];
}

/** The zone, and where the stack does not make them the record and a link to the VNET. */
function zoneCommands(apiServer: NonNullable<NetworkNeeds["apiServer"]>, vnetId: string): string[] {
  const { host, ip, zoneId, manual = false } = apiServer;
  const [record = "", ...zone] = host.split(".");
  const { subscriptionId = "SUBSCRIPTION", resourceGroup = "GROUP" } =
    zoneId === undefined ? {} : resourceParts(zoneId);
  const at = `--subscription ${subscriptionId} --resource-group ${resourceGroup}`;
  const name = zone.join(".");
  return present(
    (zoneId !== undefined || manual) && `az ${network} private-dns zone create ${at} --name ${name}`,
    ...(manual
      ? [
          `az ${network} private-dns record-set a add-record ${at} --zone-name ${name} --record-set-name ${record} --ipv4-address ${ip}`,
          `az ${network} private-dns link vnet create ${at} --zone-name ${name} --name ${vnetId.split("/").at(-1) ?? ""} --virtual-network ${vnetId} --registration-enabled false`,
        ]
      : []),
  );
}
