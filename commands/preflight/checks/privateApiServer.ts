import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import type { PrivateApiServerNeed } from "../privateApiServer";
import { orOk, present, type Row, rowsOf } from "../row";
import { missingRow, sameId } from "./found";
import { apiVersion } from "./network";
import { networkLine } from "./stackLine";

/** The zone, the record and the address of a private API server. */

const check = "private API server";
const { error, ok } = rowsOf(check);
const dnsVersion = "2020-06-01";

/**
 * Zones of others, and their records. A stack adds a record to one, and Azure keeps one of each name.
 * https://learn.microsoft.com/rest/api/dns/privatedns/private-zones/get and record-sets/get
 */
async function zoneRows(arm: Arm, id: string, ip: string): Promise<Row[]> {
  const key = "apiServer.dns.zoneId";
  if ((await orMissing(arm.get(id, dnsVersion))) === undefined) {
    const what = `the zone ${lastPart(id)} does not exist, or this login may not read it`;
    return [missingRow(check, id, networkLine(key, "ID"), what)];
  }
  const record = await orMissing(arm.get(`${id}/A/apiserver`, dnsVersion));
  const addresses = list(at(record, "properties", "aRecords")).map((one) => textAt(one, "ipv4Address"));
  return present(
    addresses.length > 0 &&
      !addresses.includes(ip) &&
      error(
        `apiserver.${lastPart(id)} is ${addresses.join(", ")} already, and the stack file says ${ip}: another cluster has the zone`,
        networkLine(key, "ID   # of another zone"),
      ),
  );
}

/**
 * Zones with the same name in the subscription that one of the VNETs is linked to: Azure refuses a second link.
 * https://learn.microsoft.com/rest/api/dns/privatedns/private-zones/list and virtual-network-links/list
 */
async function linkRows(
  arm: Arm,
  { zoneName, zoneId, ownZoneId, vnetIds, subscription }: PrivateApiServerNeed,
): Promise<Row[]> {
  const zones = await arm.list(
    `/subscriptions/${subscription}/providers/Microsoft.Network/privateDnsZones`,
    dnsVersion,
  );
  const others = zones
    .map((zone) => textAt(zone, "id"))
    .filter((id) => sameId(lastPart(id), zoneName) && !sameId(id, zoneId === "" ? ownZoneId : zoneId));
  const found = await Promise.all(
    others.map(async (id) =>
      (await arm.list(`${id}/virtualNetworkLinks`, dnsVersion))
        .map((link) => textAt(link, "properties", "virtualNetwork", "id"))
        .filter((vnet) => vnetIds.some((one) => sameId(one, vnet)))
        .map((vnet) =>
          error(
            `${lastPart(vnet)} is linked to another zone ${zoneName} already (${id}), and Azure links a VNET to one zone of a name`,
            networkLine("apiServer.dns.zoneName", "NAME   # of another zone"),
          ),
        ),
    ),
  );
  return found.flat();
}

/** https://learn.microsoft.com/rest/api/virtualnetwork/virtual-networks/check-ip-address-availability */
async function addressRows(
  arm: Arm,
  { ip, existingVnetId, balancerId }: PrivateApiServerNeed,
): Promise<Row[]> {
  if (existingVnetId === undefined || (await orMissing(arm.get(balancerId, apiVersion))) !== undefined) {
    // In a VNET of the stack no other machine takes it, and the own load balancer has it.
    return [];
  }
  const answer = await orMissing(
    arm.get(`${existingVnetId}/CheckIPAddressAvailability`, apiVersion, { ipAddress: ip }),
  );
  return present(
    at(answer, "available") === false &&
      error(
        `${ip}, the address of the API server, is taken in ${lastPart(existingVnetId)}`,
        networkLine("apiServer.ip", "ADDRESS   # one that is free"),
      ),
  );
}

export async function privateApiServerRows(arm: Arm, need: PrivateApiServerNeed): Promise<Row[]> {
  const rows = [
    ...(need.zoneId === "" ? [] : await zoneRows(arm, need.zoneId, need.ip)),
    ...(need.vnetIds.length === 0 ? [] : await linkRows(arm, need)),
    ...(await addressRows(arm, need)),
  ];
  return orOk(rows, ok(`${need.zoneName} and ${need.ip} are as the stack file needs them`));
}
