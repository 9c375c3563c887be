import { lastPart } from "../../../platform/azure/resourceParts";
import { at, list, textAt } from "../../../tools/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import type { ExistingNetworkNeed, SubnetNeed } from "../existingNetwork";
import type { Needs } from "../needs";
import { type Row, row } from "../row";
import { regionOf, roomOf } from "./found";
import { apiVersion, prefixesOf } from "./network";
import { networkLine } from "./stackLine";

/** Compares a VNET of others with what the stack file says about it. */

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** https://learn.microsoft.com/rest/api/virtualnetwork/virtual-networks/get */
export async function existingVnet(
  arm: Arm,
  { vnetId }: ExistingNetworkNeed,
  { location }: Needs,
): Promise<Row[]> {
  const found = await orMissing(arm.get(vnetId, apiVersion));
  const region = regionOf(found);
  // Without the VNET its subnets are missing, which the check of each says.
  return found === undefined
    ? []
    : region === location
      ? [row("ok", "network", `${lastPart(vnetId)} is in ${location}`)]
      : [
          row(
            "error",
            "network",
            `${lastPart(vnetId)} is in ${region}, and the stack is in ${location}: Azure attaches machines only to VNETs of their own region`,
            `capz-windows:azure: {location: ${region}}`,
            networkLine("existing", "{...}   # subnets of a VNET in " + location),
          ),
        ];
}

/** The security group: Azure's standard load balancers let nothing in without one. */
function securityGroupRows(
  found: unknown,
  { name, id, keys, securityGroup: wanted }: SubnetNeed,
  { subnets }: ExistingNetworkNeed,
): Row[] {
  const group = textAt(found, "properties", "networkSecurityGroup", "id");
  if (same(group, wanted)) {
    return [];
  }
  const parent = (of: string): string => of.split("/").slice(0, -1).join("/");
  const isNear = same(parent(group), parent(wanted));
  // Another name for the group of several subnets would be wrong for the others.
  const isAlone =
    subnets.filter((subnet) => subnet.keys.securityGroup === keys.securityGroup).length === 1 && isNear;
  return [
    row(
      "error",
      `subnet ${name}`,
      group === ""
        ? `${name} has no security group, and the stack file says ${lastPart(wanted)}`
        : `${name} has the security group ${isNear ? lastPart(group) : group}, and the stack file says ${isNear ? lastPart(wanted) : wanted}`,
      `az network vnet subnet update --ids ${id} --network-security-group ${wanted}`,
      ...(isAlone ? [networkLine(keys.securityGroup, lastPart(group))] : []),
    ),
  ];
}

/** The route table, into which the cloud provider looks. Pods need no routes, so the cluster works with another one. */
function routeTableRows(
  found: unknown,
  { name, id }: SubnetNeed,
  { routeTableId: wanted }: ExistingNetworkNeed,
): Row[] {
  const real = textAt(found, "properties", "routeTable", "id");
  return wanted === undefined || same(real, wanted)
    ? []
    : [
        row(
          "warning",
          `subnet ${name}`,
          real === ""
            ? `${name} has no route table, and the stack file says ${lastPart(wanted)}`
            : `${name} has the route table ${real}, and the stack file says ${wanted}`,
          `az network vnet subnet update --ids ${id} --route-table ${wanted}`,
          ...(same(real, wanted.replace(/[^/]+$/, lastPart(real))) && real !== ""
            ? [networkLine("existing.routeTable", lastPart(real))]
            : []),
        ),
      ];
}

/** Addresses that are free. Those that are taken may be of this cluster. */
function roomRows(found: unknown, { name, keys, addresses }: SubnetNeed): Row[] {
  const { room, taken } = roomOf(found);
  return taken === 0 || room - taken >= addresses
    ? []
    : [
        row(
          "warning",
          `subnet ${name}`,
          `${name} has ${room} addresses, ${taken} are taken, and the cluster needs ${addresses} (machines, those of a rollout, and an internal load balancer): that is enough only if the others are its own`,
          networkLine(keys.id, "ID   # of a larger subnet"),
        ),
      ];
}

/** https://learn.microsoft.com/rest/api/virtualnetwork/subnets/get */
export async function existingSubnet(
  arm: Arm,
  subnet: SubnetNeed,
  network: ExistingNetworkNeed,
): Promise<Row[]> {
  const { name, id, keys, cidr, needsWayOut } = subnet;
  const check = `subnet ${name}`;
  const update = `az network vnet subnet update --ids ${id}`;
  const found = await orMissing(arm.get(id, apiVersion));
  if (found === undefined) {
    return [
      row(
        "error",
        check,
        `${name} is not in the VNET ${lastPart(network.vnetId)}`,
        networkLine(keys.id, "ID"),
        `az resource show --ids ${id}`,
      ),
    ];
  }
  // The cluster uses IPv4 alone; a further IPv6 range of the subnet is no obstacle.
  const prefixes = prefixesOf(found).filter((prefix) => !prefix.includes(":"));
  const [first = ""] = prefixes;
  const services = list(at(found, "properties", "delegations"))
    .map((delegation) => textAt(delegation, "properties", "serviceName") || textAt(delegation, "name"))
    .join(", ");
  const attached = ["natGateway", "routeTable"].filter(
    (part) => textAt(found, "properties", part, "id") !== "",
  );
  const rows = [
    ...(prefixes.length === 1 && first === cidr
      ? []
      : [
          row(
            "error",
            check,
            `${name} has ${prefixes.join(", ")}, and the stack file says ${cidr}`,
            prefixes.length === 1
              ? networkLine(keys.cidr, first)
              : networkLine(keys.id, "ID   # of a subnet with one range"),
          ),
        ]),
    ...(services === ""
      ? []
      : [
          row(
            "error",
            check,
            `${name} is delegated to ${services}, so machines cannot use it`,
            `${update} --remove delegations`,
            networkLine(keys.id, "ID"),
          ),
        ]),
    ...securityGroupRows(found, subnet, network),
    ...routeTableRows(found, subnet, network),
    ...roomRows(found, subnet),
    // No error: a gateway may announce a default route by BGP, and older VNETs have Azure's default outbound access
    // (https://learn.microsoft.com/azure/virtual-network/ip-services/default-outbound-access).
    ...(!needsWayOut || attached.length > 0
      ? []
      : [
          row(
            "warning",
            check,
            `${name} has neither a NAT gateway nor a route table: its machines reach the Internet only if something else in the VNET lets them out`,
            `${update} --nat-gateway NAT-GATEWAY-ID`,
            `${update} --route-table ${network.routeTableId === undefined ? "ROUTE-TABLE-ID" : lastPart(network.routeTableId)}`,
          ),
        ]),
  ];
  return rows.length > 0 ? rows : [row("ok", check, `${name} is as the stack file says`)];
}
