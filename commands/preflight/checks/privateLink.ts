import { bash } from "capz-windows-kit/shell";
import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import type { PrivateLinkModel } from "../../../plan/model/cluster/types";
import { ofType, type PlanResources } from "../../../plan/model/cluster/resources";
import type { ExistingNetworkNeed } from "../existingNetwork";
import { orOk, present, type Row, rowsOf } from "../row";
import { partId, sameId } from "./found";
import { apiVersion } from "./network";

/** The private link to the API server: where its service goes, and whether an endpoint is connected to it. */

const check = "private link";
const { error, ok } = rowsOf(check);

/** https://learn.microsoft.com/azure/private-link/disable-private-link-service-network-policy */
async function subnetRows(arm: Arm, subnetId: string): Promise<Row[]> {
  const found = await orMissing(arm.get(subnetId, apiVersion));
  return present(
    found !== undefined &&
      textAt(found, "properties", "privateLinkServiceNetworkPolicies") !== "Disabled" &&
      error(
        `${lastPart(subnetId)} has network policies for private link services, so Azure takes none there`,
        bash`az network vnet subnet update --ids ${subnetId} --private-link-service-network-policies Disabled`,
      ),
  );
}

/**
 * What to do about a connection that is not approved. Whoever may see the service can ask for one, so only that of the stack's own
 * endpoint is approved, and of an endpoint that others made the reader decides.
 */
function connectionRemedy(id: string, { one, endpoint, state }: Connection, own: string | undefined): string {
  if (own === undefined || !sameId(endpoint, own)) {
    return bash`az network private-endpoint-connection list --id ${id}   # approve --id ID, if you know who made the endpoint`;
  }
  return state === "Disconnected"
    ? bash`az network private-endpoint delete --ids ${own}   # then make it again`
    : bash`az network private-endpoint-connection approve --id ${partId(id, "privateEndpointConnections", one)}`;
}

interface Connection {
  readonly one: unknown;
  readonly endpoint: string;
  readonly state: string;
}

/**
 * https://learn.microsoft.com/rest/api/virtualnetwork/private-link-services/get; nothing before CAPZ has made it.
 * @param own - ARM ID of the endpoint of the stack, if it makes one
 */
async function connectionRows(arm: Arm, id: string, own: string | undefined): Promise<Row[]> {
  const found = await orMissing(arm.get(id, apiVersion));
  const connections = list(at(found, "properties", "privateEndpointConnections")).map((one): Connection => ({
    one,
    endpoint: textAt(one, "properties", "privateEndpoint", "id"),
    state: textAt(one, "properties", "privateLinkServiceConnectionState", "status"),
  }));
  const closed = connections.filter(({ state }) => state !== "Approved");
  return connections.length > 0 && closed.length === connections.length
    ? closed.map((one) =>
        error(
          `the private endpoint ${lastPart(one.endpoint)} is ${one.state} on ${lastPart(id)}, so the management cluster does not reach the API server`,
          connectionRemedy(id, one, own),
        ),
      )
    : [];
}

export async function privateLinkRows(
  arm: Arm,
  { id, subnetId }: PrivateLinkModel,
  {
    resources,
    existing,
  }: { readonly resources: PlanResources; readonly existing: ExistingNetworkNeed | undefined },
): Promise<Row[]> {
  const rows = [
    ...(existing?.subnets[0] === undefined ? [] : await subnetRows(arm, existing.subnets[0].id)),
    ...(await connectionRows(arm, id, ofType(resources, "PrivateEndpoint")[0]?.id)),
  ];
  const more =
    "Not asked: the subnet and the region of its private endpoint, which Azure checks when it makes one.";
  return orOk(
    rows,
    ok(`nothing is in the way of ${lastPart(id)}`, ...(subnetId === undefined ? [] : [more])),
  );
}
