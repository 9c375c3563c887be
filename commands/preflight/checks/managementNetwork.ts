import { aksDelegation, apiServerPrefix } from "../../../platform/azure/managementNetwork";
import { lastPart } from "../../../platform/azure/resourceParts";
import { parseCidr } from "../../../platform/network/addressing";
import { subnetParts, vnetIdOf } from "../../../platform/network/existingNetwork";
import { at, list, textAt } from "../../../tools/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import type { Needs } from "../needs";
import { type Row, row } from "../row";
import { missingRow, regionOf, roomOf } from "./found";
import { apiVersion, prefixesOf } from "./network";

/** Compares the subnet of others for AKS with what AKS needs of it. */

const check = "management network";

/** The services to which a subnet is delegated. */
const delegationsOf = (subnet: unknown): string[] =>
  list(at(subnet, "properties", "delegations")).map((one) => textAt(one, "properties", "serviceName"));

/** https://learn.microsoft.com/azure/aks/api-server-vnet-integration */
async function apiServerRows(arm: Arm, id: string): Promise<Row[]> {
  const name = subnetParts(id).subnet;
  const line = "capz-windows:management: {network: {apiServer: {subnetId: ID}}}";
  const found = await orMissing(arm.get(id, apiVersion));
  const delegated = delegationsOf(found);
  const isLarge = prefixesOf(found).some((text) => (parseCidr(text)?.prefix ?? 32) <= apiServerPrefix);
  return found === undefined
    ? [missingRow(check, id, line, `${name}, for the API server, does not exist`)]
    : [
        ...(delegated.includes(aksDelegation)
          ? []
          : [
              row(
                "error",
                check,
                `${name} is not delegated to ${aksDelegation}, so the API server cannot use it`,
                `az network vnet subnet update --ids ${id} --delegations ${aksDelegation}`,
              ),
            ]),
        ...(isLarge
          ? []
          : [row("error", check, `${name} is smaller than the /${apiServerPrefix} of an API server`, line)]),
      ];
}

/** https://learn.microsoft.com/rest/api/dns/privatedns/private-zones/get */
const zoneRows = async (arm: Arm, id: string): Promise<Row[]> =>
  (await orMissing(arm.get(id, "2020-06-01"))) === undefined
    ? [
        missingRow(
          check,
          id,
          "capz-windows:management: {network: {apiServer: {privateDnsZone: ID}}}",
          `the zone ${lastPart(id)} does not exist, or this login may not read it`,
        ),
      ]
    : [];

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
  const line = `capz-windows:management: {network: {subnetId: ID   # of a subnet in ${location}}}`;
  const [subnet, around] = await Promise.all([
    orMissing(arm.get(id, apiVersion)),
    orMissing(arm.get(vnetIdOf(id), apiVersion)),
  ]);
  if (subnet === undefined) {
    return [missingRow(check, id, line, `${name} is not in the VNET ${vnet}`)];
  }
  const region = regionOf(around);
  const update = `az network vnet subnet update --ids ${id}`;
  const delegated = delegationsOf(subnet);
  const { room, taken } = roomOf(subnet);
  const [part, flag, what] =
    outbound === "firewall"
      ? (["routeTable", "--route-table ROUTE-TABLE-ID", "route table"] as const)
      : (["natGateway", "--nat-gateway NAT-GATEWAY-ID", "NAT gateway"] as const);
  const rows = [
    ...ofApiServer,
    ...(region === location
      ? []
      : [
          row(
            "error",
            check,
            `${vnet} is in ${region}, and the stack is in ${location}: Azure attaches nodes only to VNETs of their own region`,
            line,
          ),
        ]),
    ...(delegated.length === 0
      ? []
      : [
          row(
            "error",
            check,
            `${name} is delegated to ${delegated.join(", ")}, so nodes of AKS cannot use it`,
            `${update} --remove delegations`,
            line,
          ),
        ]),
    // Those that are taken may be the nodes of this cluster.
    ...(room >= addresses
      ? []
      : [
          row(
            "error",
            check,
            `${name} has ${room} addresses, and the nodes of AKS need ${addresses} during an upgrade (management.maxNodeCount)`,
            line,
          ),
        ]),
    ...(room >= addresses && room - taken < addresses
      ? [
          row(
            "warning",
            check,
            `${name} has ${room} addresses, ${taken} are taken, and the nodes of AKS need ${addresses} during an upgrade: that is enough only if most of them are its own`,
            line,
          ),
        ]
      : []),
    ...((outbound === "firewall" || outbound === "existingNat") &&
    textAt(subnet, "properties", part, "id") === ""
      ? [
          row(
            "error",
            check,
            `${name} has no ${what}, and management.network.outbound says ${outbound}: AKS refuses to start without a way out`,
            `${update} ${flag}`,
          ),
        ]
      : []),
  ];
  return rows.length > 0 ? rows : [row("ok", check, `${name} has what AKS needs`)];
}
