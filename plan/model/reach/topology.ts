import { lastPart, resourceParts } from "capz-windows-platform/azure/resourceParts";
import { address } from "pulumi-plan-engine";
import { type PeeredNetwork, readRoutes, readRules, type Subnet, type Topology } from "azure-network-paths";
import { vnetIdIn } from "capz-windows-platform/company-network/outbound";
import { at, list, strings, text, textAt } from "capz-windows-kit/untyped";
import { componentsIn, ofType, type PlanResources } from "../cluster/resources";
import type { PlanResource } from "capz-windows-contract";

/** The VNET of a cluster from the resources of a plan, not from the settings that wrote them. */

const folded = (one: string): string => one.toLowerCase();

/** The resource of a type with an ARM ID; a plan.json has no IDs, but names and resource groups. */
function withId(resources: PlanResources, type: string, nameInput: string, id: string) {
  const { resourceGroup, name } = resourceParts(id);
  return ofType(resources, type).find(
    ({ inputs }) =>
      folded(text(inputs[nameInput])) === folded(name) &&
      folded(text(inputs.resourceGroupName)) === folded(resourceGroup),
  );
}

/** Elements of a list that also have resources of their own, such as the rules of a security group. */
const withOwn = (
  resources: PlanResources,
  { inputs }: PlanResource,
  [key, type, nameInput]: readonly [key: string, type: string, nameInput: string],
): unknown[] => [
  ...list(inputs[key]),
  ...ofType(resources, type)
    .filter((one) => folded(text(one.inputs[nameInput])) === folded(text(inputs[nameInput])))
    .map((one) => one.inputs),
];

const idAt = (value: unknown, key: string): string => textAt(value, key, "id");

/** The addresses of a NAT gateway of the stack; the offline engine computes them from URNs. */
const addressesOf = (resources: PlanResources, gateway: PlanResource): string[] =>
  (
    [
      ["publicIpAddresses", "PublicIPAddress", "publicIpAddressName"],
      ["publicIpPrefixes", "PublicIPPrefix", "publicIpPrefixName"],
    ] as const
  ).flatMap(([key, type, nameInput]) =>
    list(gateway.inputs[key]).flatMap(({ id }) => {
      const found = withId(resources, type, nameInput, text(id));
      return found === undefined ? [] : [`${address(found.urn)}/32`];
    }),
  );

function natOf(resources: PlanResources, id: string): Subnet["nat"] {
  if (id === "") {
    return undefined;
  }
  const gateway = withId(resources, "NatGateway", "natGatewayName", id);
  if (gateway !== undefined) {
    return { name: lastPart(id), addresses: addressesOf(resources, gateway) };
  }
  const outbound = componentsIn(resources, "VirtualNetwork")[0]?.inputs.outbound;
  const given =
    folded(textAt(outbound, "natGatewayId")) === folded(id) ? at(outbound, "egressCidrs") : undefined;
  return { name: lastPart(id), ...(given === undefined ? {} : { addresses: strings(given) }) };
}

function subnetOf(resources: PlanResources, raw: Record<string, unknown>): Subnet {
  const [groupId, tableId] = [idAt(raw, "networkSecurityGroup"), idAt(raw, "routeTable")];
  const group = withId(resources, "NetworkSecurityGroup", "networkSecurityGroupName", groupId);
  const table = withId(resources, "RouteTable", "routeTableName", tableId);
  const nat = natOf(resources, idAt(raw, "natGateway"));
  const parts = {
    rules: ["securityRules", "SecurityRule", "networkSecurityGroupName"],
    routes: ["routes", "Route", "routeTableName"],
  } as const;
  return {
    name: text(raw.name),
    cidrs: [text(raw.addressPrefix), ...strings(raw.addressPrefixes)].filter((cidr) => cidr !== ""),
    ...(groupId !== "" && {
      group: {
        name: lastPart(groupId),
        ...(group === undefined ? {} : { rules: readRules(withOwn(resources, group, parts.rules)) }),
      },
    }),
    ...(tableId !== "" && {
      table: {
        name: lastPart(tableId),
        ...(table === undefined ? {} : { routes: readRoutes(withOwn(resources, table, parts.routes)) }),
      },
    }),
    ...(nat === undefined ? {} : { nat }),
    defaultOutbound: raw.defaultOutboundAccess !== false,
  };
}

/** The side of the stack, and what the plan knows of the other one. */
function peeringsOf(resources: PlanResources, vnetId: string): PeeredNetwork[] {
  const { resourceGroup, name } = resourceParts(vnetId);
  const all = ofType(resources, "VirtualNetworkPeering");
  const given = Object.values(
    (componentsIn(resources, "VnetPeerings")[0]?.inputs.peerings ?? {}) as Record<string, unknown>,
  );
  const isOther = ({ inputs }: PlanResource): boolean =>
    folded(idAt(inputs, "remoteVirtualNetwork")) === folded(vnetId);
  return all
    .filter(
      ({ inputs }) =>
        folded(text(inputs.virtualNetworkName)) === folded(name) &&
        folded(text(inputs.resourceGroupName)) === folded(resourceGroup),
    )
    .map(({ inputs }) => {
      const remote = idAt(inputs, "remoteVirtualNetwork");
      const other = all
        .filter(isOther)
        .find((one) => folded(text(one.inputs.virtualNetworkName)) === folded(lastPart(remote)));
      return {
        name: text(inputs.virtualNetworkPeeringName),
        cidrs: strings(
          at(
            given.find((one) => folded(textAt(one, "vnetId")) === folded(remote)),
            "addressSpaces",
          ),
        ),
        access: [inputs, other?.inputs].every((side) => side?.allowVirtualNetworkAccess !== false),
        othersSide: other === undefined,
        gateway: inputs.useRemoteGateways === true,
        forwarded: inputs.allowForwardedTraffic !== false,
      };
    });
}

/** ARM ID of the VNET that AzureCluster names. */
export const clusterVnetId = (resources: PlanResources): string => {
  const spec = ofType(resources, "AzureCluster")[0]?.inputs.spec;
  const vnet = at(spec, "networkSpec", "vnet");
  return vnetIdIn(textAt(spec, "subscriptionID"), textAt(vnet, "resourceGroup"), textAt(vnet, "name"));
};

/** The VNET that AzureCluster names. Of one that others have made, the plan knows names and ranges only. */
export function readTopology(resources: PlanResources): Topology {
  const network = at(ofType(resources, "AzureCluster")[0]?.inputs.spec, "networkSpec");
  const id = clusterVnetId(resources);
  const vnet = withId(resources, "VirtualNetwork", "virtualNetworkName", id);
  const { existing, firewall } = componentsIn(resources, "ExistingNetwork")[0]?.inputs ?? {};
  const others = (raw: Record<string, unknown>): Subnet => ({
    name: text(raw.name),
    cidrs: strings(raw.cidrBlocks),
    group: { name: textAt(raw, "securityGroup", "name") },
    table: { name: textAt(raw, "routeTable", "name") || `the route table of ${text(raw.name)}` },
    ...(firewall === undefined ? { nat: { addresses: strings(at(existing, "egressCidrs")) } } : {}),
    defaultOutbound: true,
  });
  return {
    vnet: lastPart(id),
    cidrs: strings(at(vnet?.inputs, "addressSpace", "addressPrefixes") ?? at(network, "vnet", "cidrBlocks")),
    // CAPZ makes no security group or route in a VNET that it has not made (CAPZ v1.27.0 azure/services/securitygroups), so
    // those of AzureCluster say nothing.
    subnets:
      vnet === undefined
        ? list(at(network, "subnets")).map(others)
        : list(vnet.inputs.subnets).map((raw) => subnetOf(resources, raw)),
    peerings: peeringsOf(resources, id),
    ...(vnet === undefined ? {} : { dnsServers: strings(at(vnet.inputs, "dhcpOptions", "dnsServers")) }),
  };
}

/** A subnet of any VNET of the plan. */
export function subnetWithId(resources: PlanResources, id: string): Subnet | undefined {
  const vnet = withId(
    resources,
    "VirtualNetwork",
    "virtualNetworkName",
    id.split("/").slice(0, -2).join("/"),
  );
  const raw = list(vnet?.inputs.subnets).find(({ name }) => text(name) === lastPart(id));
  return raw === undefined ? undefined : subnetOf(resources, raw);
}
