import { bash } from "capz-windows-kit/shell";
import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { collapseCidrs, covers, parseCidr } from "capz-windows-platform/network/addressing";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import type { Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";
import { missingRow, regionOf } from "./found";
import { apiVersion } from "./network";

/** Compares the NAT gateway or the route table of others, through which machines leave, with the stack file. */

const check = "way out";
const { error, warning, ok } = rowsOf(check);

const line = (key: string, value: string): string => `capz-windows:network: {outbound: {${key}: ${value}}}`;

const idsAt = (found: unknown, key: string): string[] =>
  list(at(found, "properties", key)).map((one) => textAt(one, "id"));

/** Azure attaches it only to subnets in the same region. */
function placeRow(found: unknown, key: string, id: string, { location }: Needs): Row | false {
  const region = regionOf(found);
  return (
    region !== location &&
    error(
      `${lastPart(id)} is in ${region}, and the stack is in ${location}: Azure attaches it only to subnets in the same region`,
      line(key, `ID   # of one in ${location}`),
    )
  );
}

/** As which machines leave: single addresses, and prefixes. */
export async function addressesOf(arm: Arm, gateway: unknown): Promise<string[]> {
  const read = (key: string) =>
    Promise.all(idsAt(gateway, key).map((id) => orMissing(arm.get(id, apiVersion))));
  const [addresses, prefixes] = await Promise.all([read("publicIpAddresses"), read("publicIpPrefixes")]);
  return [
    ...addresses.map((address) => `${textAt(address, "properties", "ipAddress")}/32`),
    ...prefixes.map((prefix) => textAt(prefix, "properties", "ipPrefix")),
  ].filter((range) => parseCidr(range) !== undefined);
}

/** Its addresses, by which nodes come to a public API server. */
function addressRow(
  id: string,
  actual: readonly string[],
  given: readonly string[] | undefined,
  isPublic: boolean,
): Row | false {
  const missing = actual.filter((cidr) => !covers(given ?? [], [cidr]));
  if (actual.length === 0) {
    return error(
      `${lastPart(id)} has no public address, so nothing leaves through it`,
      bash`az network nat gateway update --ids ${id} --public-ip-addresses PUBLIC-IP-ID`,
    );
  }
  return (
    given !== undefined &&
    missing.length > 0 &&
    (isPublic ? error : warning)(
      `${lastPart(id)} also has ${missing.join(", ")}, and the stack file says ${given.join(", ")}${isPublic ? ": the security group would not let nodes reach the API server from there" : ""}`,
      line("egressCidrs", `[${collapseCidrs(actual).join(", ")}]`),
    )
  );
}

/** https://learn.microsoft.com/rest/api/nat-gateway/nat-gateways/get */
async function natRows(arm: Arm, id: string, egressCidrs: readonly string[] | undefined, needs: Needs) {
  const found = await orMissing(arm.get(id, apiVersion));
  if (found === undefined) {
    return [missingRow(check, id, line("natGatewayId", "ID"))];
  }
  const own = `/subscriptions/${needs.subscriptionId}/resourceGroups/${needs.resourceGroup}/providers/Microsoft.Network/virtualNetworks/${needs.vnet.name}/subnets/`;
  const others = idsAt(found, "subnets").filter(
    (subnet) => !subnet.toLowerCase().startsWith(own.toLowerCase()),
  );
  const vnets = [...new Set(others.map((subnet) => subnet.split("/").at(-3) ?? subnet))];
  return present(
    placeRow(found, "natGatewayId", id, needs),
    vnets.length > 0 &&
      error(
        `${lastPart(id)} is attached to subnets of ${vnets.join(", ")}, and Azure attaches a NAT gateway to one VNET only`,
        line("natGatewayId", "ID   # of one that no other VNET has"),
      ),
    addressRow(id, await addressesOf(arm, found), egressCidrs, needs.dnsLabel !== undefined),
  );
}

/** https://learn.microsoft.com/rest/api/virtualnetwork/route-tables/get */
async function routeRows(arm: Arm, id: string, needs: Needs): Promise<Row[]> {
  const found = await orMissing(arm.get(id, apiVersion));
  if (found === undefined) {
    return [missingRow(check, id, line("routeTableId", "ID"))];
  }
  const everything = list(at(found, "properties", "routes")).find(
    (route) => textAt(route, "properties", "addressPrefix") === "0.0.0.0/0",
  );
  const hop = textAt(everything, "properties", "nextHopType");
  const other = `${line("routeTableId", "ID")}   # of one that leads 0.0.0.0/0 to a firewall`;
  return present(
    placeRow(found, "routeTableId", id, needs),
    // No error: a gateway may announce the default route by BGP.
    everything === undefined &&
      warning(
        `${lastPart(id)} has no route 0.0.0.0/0: machines leave only where a gateway announces one by BGP`,
        other,
      ),
    everything !== undefined &&
      !["VirtualAppliance", "VirtualNetworkGateway"].includes(hop) &&
      error(
        `${lastPart(id)} leads 0.0.0.0/0 to ${hop}, and not to a firewall: machines have no public address, so nothing leaves`,
        other,
      ),
  );
}

/** What others have made for the way out; no row where they have made nothing. */
export async function wayOut(arm: Arm, needs: Needs): Promise<Row[]> {
  const { natGatewayId, routeTableId, egressCidrs } = needs.outbound ?? {};
  const id = natGatewayId ?? routeTableId;
  if (id === undefined) {
    return [];
  }
  const rows =
    id === natGatewayId ? await natRows(arm, id, egressCidrs, needs) : await routeRows(arm, id, needs);
  return orOk(rows, ok(`${lastPart(id)} is as the stack file says`));
}
