import { bash, verbatim } from "capz-windows-kit/shell";
import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { textAt } from "capz-windows-kit/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import type { ExistingNetworkNeed, SubnetNeed } from "../existingNetwork";
import type { Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";
import { delegationsOf, missingRow, prefixesOf, regionOf, roomOf, sameId } from "./found";
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
            networkLine("existing", `{...}   # subnets of a VNET in ${location}`),
          )),
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
  const services = delegationsOf(found).join(", ");
  const attached = (part: string): string => textAt(found, "properties", part, "id");
  const [group, table, nat] = [
    attached("networkSecurityGroup"),
    attached("routeTable"),
    attached("natGateway"),
  ];
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
    // Azure's standard load balancers let nothing in without one.
    !sameId(group, subnet.securityGroup) &&
      error(
        `${name} has ${group === "" ? "no security group" : `the security group ${group}`}, and the stack file says ${subnet.securityGroup}`,
        networkLine(keys.securityGroup, "NAME"),
        bash`${verbatim(update)} --network-security-group ${subnet.securityGroup}`,
      ),
    // The cloud provider looks into it. Pods need no routes, so the cluster works with another one.
    network.routeTableId !== undefined &&
      !sameId(table, network.routeTableId) &&
      warning(
        `${name} has ${table === "" ? "no route table" : `the route table ${table}`}, and the stack file says ${network.routeTableId}`,
        networkLine("existing.routeTable", "NAME"),
        bash`${verbatim(update)} --route-table ${network.routeTableId}`,
      ),
    taken > 0 &&
      room - taken < addresses &&
      warning(
        `${name} has ${room} addresses, ${taken} are taken, and the cluster needs ${addresses} (machines, those of a rollout, and an internal load balancer): that is enough only if the others are its own`,
        networkLine(keys.id, "ID   # of a larger subnet"),
      ),
    // No error: a gateway may announce a default route by BGP, and older VNETs have Azure's default outbound access
    // (https://learn.microsoft.com/azure/virtual-network/ip-services/default-outbound-access).
    needsWayOut &&
      table === "" &&
      nat === "" &&
      warning(
        `${name} has neither a NAT gateway nor a route table: its machines reach the Internet only if something else in the VNET lets them out`,
        bash`${verbatim(update)} --nat-gateway NAT-GATEWAY-ID   # or --route-table`,
      ),
  );
  return orOk(rows, ok(`${name} is as the stack file says`));
}
