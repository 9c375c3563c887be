import { bash, verbatim } from "capz-windows-kit/shell";
import { aksDelegation, apiServerPrefix } from "capz-windows-platform/azure/managementNetwork";
import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { parseCidr } from "capz-windows-platform/network/addressing";
import { subnetParts, vnetIdOf } from "capz-windows-platform/company-network/existingNetwork";
import { textAt } from "capz-windows-kit/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import type { Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";
import { delegationsOf, missingRow, prefixesOf, regionOf, roomOf } from "./found";
import { apiVersion } from "./network";

/** Compares the subnet of others for AKS with what AKS needs of it. */

const check = "management network";
const { error, warning, ok } = rowsOf(check);

const networkLine = (inner: string): string => `capz-windows:management: {network: {${inner}}}`;

/** https://learn.microsoft.com/azure/aks/api-server-vnet-integration */
async function apiServerRows(arm: Arm, id: string): Promise<Row[]> {
  const name = subnetParts(id).subnet;
  const line = networkLine("apiServer: {subnetId: ID}");
  const found = await orMissing(arm.get(id, apiVersion));
  if (found === undefined) {
    return [missingRow(check, id, line, `${name}, for the API server, does not exist`)];
  }
  const isLarge = prefixesOf(found).some((text) => (parseCidr(text)?.prefix ?? 32) <= apiServerPrefix);
  return present(
    !delegationsOf(found).includes(aksDelegation) &&
      error(
        `${name} is not delegated to ${aksDelegation}, so the API server cannot use it`,
        bash`az network vnet subnet update --ids ${id} --delegations ${aksDelegation}`,
      ),
    !isLarge && error(`${name} is smaller than the /${apiServerPrefix} of an API server`, line),
  );
}

/** https://learn.microsoft.com/rest/api/dns/privatedns/private-zones/get */
async function zoneRows(arm: Arm, id: string): Promise<Row[]> {
  const line = networkLine("apiServer: {privateDnsZone: ID}");
  const what = `the zone ${lastPart(id)} does not exist, or this login may not read it`;
  const found = await orMissing(arm.get(id, "2020-06-01"));
  return found === undefined ? [missingRow(check, id, line, what)] : [];
}

/** https://learn.microsoft.com/rest/api/virtualnetwork/subnets/get and virtual-networks/get */
export async function managementNetwork(arm: Arm, { aksNetwork, location }: Needs): Promise<Row[]> {
  const { subnetId: id, apiServerSubnetId, zoneId, outbound, addresses = 0 } = aksNetwork ?? {};
  const ofApiServer = [
    ...(apiServerSubnetId === undefined ? [] : await apiServerRows(arm, apiServerSubnetId)),
    ...(zoneId === undefined ? [] : await zoneRows(arm, zoneId)),
  ];
  if (id === undefined) {
    return ofApiServer;
  }
  const { vnet, subnet: name } = subnetParts(id);
  const line = networkLine(`subnetId: ID   # of a subnet in ${location}`);
  const [subnet, around] = await Promise.all([
    orMissing(arm.get(id, apiVersion)),
    orMissing(arm.get(vnetIdOf(id), apiVersion)),
  ]);
  if (subnet === undefined) {
    return [missingRow(check, id, line, `${name} is not in the VNET ${vnet}`)];
  }
  const region = regionOf(around);
  const update = bash`az network vnet subnet update --ids ${id}`;
  const delegated = delegationsOf(subnet);
  const { room, taken } = roomOf(subnet);
  const [part, what] =
    outbound === "firewall" ? ["routeTable", "route table"] : ["natGateway", "NAT gateway"];
  const rows = present(
    ...ofApiServer,
    region !== location &&
      error(
        `${vnet} is in ${region}, and the stack is in ${location}: Azure attaches nodes only to VNETs in their region`,
        line,
      ),
    delegated.length > 0 &&
      error(
        `${name} is delegated to ${delegated.join(", ")}, so nodes of AKS cannot use it`,
        bash`${verbatim(update)} --remove delegations`,
        line,
      ),
    // Those that are taken may be the nodes of this cluster.
    room - taken < addresses &&
      (room < addresses ? error : warning)(
        `${name} has ${room} addresses, ${taken} are taken, maybe by this cluster, and the nodes of AKS need ${addresses} during an upgrade (management.maxNodeCount)`,
        line,
      ),
    (outbound === "firewall" || outbound === "existingNat") &&
      textAt(subnet, "properties", part, "id") === "" &&
      error(
        `${name} has no ${what}, and management.network.outbound says ${outbound}: AKS refuses to start without a way out`,
        line,
      ),
  );
  return orOk(rows, ok(`${name} has what AKS needs`));
}
