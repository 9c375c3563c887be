import { bash, verbatim } from "capz-windows-kit/shell";
import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import type { ExistingNetworkNeed, SubnetNeed } from "../existingNetwork";
import type { Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";
import { missingRow, prefixesOf, regionOf, roomOf, sameId } from "./found";
import { apiVersion } from "./network";
import { networkLine, quoted } from "./stackLine";

/** Compares a VNET of others with what the stack file says about it. */

/** https://learn.microsoft.com/rest/api/virtualnetwork/virtual-networks/get */
export async function existingVnet(
  arm: Arm,
  { vnetId }: ExistingNetworkNeed,
  { location }: Needs,
): Promise<Row[]> {
  const { error, ok } = rowsOf("network");
  const found = await orMissing(arm.get(vnetId, apiVersion));
  const region = regionOf(found);
  // Without the VNET its subnets are missing, which the check of each says.
  return present(
    found !== undefined &&
      (region === location
        ? ok(`${lastPart(vnetId)} is in ${location}`)
        : error(
            `${lastPart(vnetId)} is in ${region}, and the stack is in ${location}: Azure attaches machines only to VNETs in their region`,
            `capz-windows:azure: {location: ${quoted(region)}}`,
            networkLine("existing", "{...}   # subnets of a VNET in " + location),
          )),
  );
}

/** The security group: Azure's standard load balancers let nothing in without one. */
function securityGroupRow(
  found: unknown,
  { name, id, keys, securityGroup: wanted }: SubnetNeed,
  { subnets }: ExistingNetworkNeed,
): Row | false {
  const group = textAt(found, "properties", "networkSecurityGroup", "id");
  const parent = (of: string): string => of.split("/").slice(0, -1).join("/");
  const isNear = sameId(parent(group), parent(wanted));
  // Another name for the group of several subnets would be wrong for the others.
  const isAlone =
    subnets.filter((subnet) => subnet.keys.securityGroup === keys.securityGroup).length === 1 && isNear;
  return (
    !sameId(group, wanted) &&
    rowsOf(`subnet ${name}`).error(
      group === ""
        ? `${name} has no security group, and the stack file says ${lastPart(wanted)}`
        : `${name} has the security group ${isNear ? lastPart(group) : group}, and the stack file says ${isNear ? lastPart(wanted) : wanted}`,
      bash`az network vnet subnet update --ids ${id} --network-security-group ${wanted}`,
      ...(isAlone ? [networkLine(keys.securityGroup, quoted(lastPart(group)))] : []),
    )
  );
}

/** The route table, into which the cloud provider looks. Pods need no routes, so the cluster works with another one. */
function routeTableRow(
  found: unknown,
  { name, id }: SubnetNeed,
  { routeTableId: wanted }: ExistingNetworkNeed,
): Row | false {
  const real = textAt(found, "properties", "routeTable", "id");
  return (
    wanted !== undefined &&
    !sameId(real, wanted) &&
    rowsOf(`subnet ${name}`).warning(
      real === ""
        ? `${name} has no route table, and the stack file says ${lastPart(wanted)}`
        : `${name} has the route table ${real}, and the stack file says ${wanted}`,
      bash`az network vnet subnet update --ids ${id} --route-table ${wanted}`,
      ...(sameId(real, wanted.replace(/[^/]+$/, lastPart(real))) && real !== ""
        ? [networkLine("existing.routeTable", quoted(lastPart(real)))]
        : []),
    )
  );
}

/** https://learn.microsoft.com/rest/api/virtualnetwork/subnets/get */
export async function existingSubnet(
  arm: Arm,
  subnet: SubnetNeed,
  network: ExistingNetworkNeed,
): Promise<Row[]> {
  const { name, id, keys, cidr, needsWayOut, addresses } = subnet;
  const check = `subnet ${name}`;
  const { error, warning, ok } = rowsOf(check);
  const update = bash`az network vnet subnet update --ids ${id}`;
  const found = await orMissing(arm.get(id, apiVersion));
  if (found === undefined) {
    const what = `${name} is not in the VNET ${lastPart(network.vnetId)}`;
    return [missingRow(check, id, networkLine(keys.id, "ID"), what)];
  }
  // The cluster uses IPv4 alone; a further IPv6 range of the subnet is no obstacle.
  const prefixes = prefixesOf(found).filter((prefix) => !prefix.includes(":"));
  const [first = ""] = prefixes;
  const services = list(at(found, "properties", "delegations"))
    .map((delegation) => textAt(delegation, "properties", "serviceName") || textAt(delegation, "name"))
    .join(", ");
  const isAttached = ["natGateway", "routeTable"].some(
    (part) => textAt(found, "properties", part, "id") !== "",
  );
  // Those that are taken may be of this cluster.
  const { room, taken } = roomOf(found);
  const rows = present(
    (prefixes.length !== 1 || first !== cidr) &&
      error(
        `${name} has ${prefixes.join(", ")}, and the stack file says ${cidr}`,
        prefixes.length === 1
          ? networkLine(keys.cidr, quoted(first))
          : networkLine(keys.id, "ID   # of a subnet with one range"),
      ),
    services !== "" &&
      error(
        `${name} is delegated to ${services}, so machines cannot use it`,
        bash`${verbatim(update)} --remove delegations`,
        networkLine(keys.id, "ID"),
      ),
    securityGroupRow(found, subnet, network),
    routeTableRow(found, subnet, network),
    taken > 0 &&
      room - taken < addresses &&
      warning(
        `${name} has ${room} addresses, ${taken} are taken, and the cluster needs ${addresses} (machines, those of a rollout, and an internal load balancer): that is enough only if the others are its own`,
        networkLine(keys.id, "ID   # of a larger subnet"),
      ),
    // No error: a gateway may announce a default route by BGP, and older VNETs have Azure's default outbound access
    // (https://learn.microsoft.com/azure/virtual-network/ip-services/default-outbound-access).
    needsWayOut &&
      !isAttached &&
      warning(
        `${name} has neither a NAT gateway nor a route table: its machines reach the Internet only if something else in the VNET lets them out`,
        bash`${verbatim(update)} --nat-gateway NAT-GATEWAY-ID`,
        bash`${verbatim(update)} --route-table ${network.routeTableId === undefined ? "ROUTE-TABLE-ID" : lastPart(network.routeTableId)}`,
      ),
  );
  return orOk(rows, ok(`${name} is as the stack file says`));
}
