import { bash } from "capz-windows-kit/shell";
import { managementPeering } from "capz-windows-platform/azure/managementNetwork";
import { covers, overlaps, parseCidr } from "capz-windows-platform/network/addressing";
import { vnetIdIn } from "capz-windows-platform/company-network/outbound";
import {
  type Peering,
  peeringNames,
  remoteSideCommand,
} from "capz-windows-platform/company-network/peerings";
import { resourceParts } from "capz-windows-platform/azure/resourceParts";
import { at, list, ownValue, strings, textAt } from "capz-windows-kit/untyped";
import { componentsIn, type PlanResources } from "../../../plan/model/cluster/resources";
import { type Arm, orMissing } from "../../azure/arm";
import type { Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";
import { partId, sameId } from "./found";
import { apiVersion } from "./network";

/** Compares a VNET with which the stack is peered with the stack file, and reads the state of both sides. */

const line = (name: string, setting: string): string =>
  name === managementPeering
    ? "npx pulumi up # in the stack of management.stack, whose outputs have the VNET and its ranges; management.peering says who makes which side"
    : `capz-windows:network: {peerings: {${name}: {${setting}}}}`;

const otherRange = "capz-windows:network: {vnetCidr: A-FREE-RANGE}";

/** The peering with the VNET of another stack, of which the plan has read the outputs; nothing where it simulates them. */
export function peeringOfStack(resources: PlanResources): Needs["peerings"] {
  const [component] = componentsIn(resources, "VnetPeerings");
  const peering = at(component?.inputs, "peerings", managementPeering) as Peering | undefined;
  return peering === undefined ||
    componentsIn(resources, "StackCluster").length === 0 ||
    // As plan/simulation/stackReference.ts names it.
    resourceParts(peering.vnetId).resourceGroup === "simulated"
    ? {}
    : { [managementPeering]: peering };
}

/** Whether two ranges overlap; what is no range overlaps none. */
const meet = (a: string, b: string): boolean => {
  const [one, other] = [parseCidr(a), parseCidr(b)];
  return one !== undefined && other !== undefined && overlaps(one, other);
};

interface Sides {
  readonly name: string;
  readonly peering: Peering;
  readonly needs: Needs;
  /** Name of the other VNET. */
  readonly vnet: string;
  readonly ownId: string;
  /** The other VNET, and its side of the peering. */
  readonly found: unknown;
  readonly remote: unknown;
  /** The side of the stack, once it exists. */
  readonly own: unknown;
  readonly rows: ReturnType<typeof rowsOf>;
}

const stateOf = (side: unknown): string => textAt(side, "properties", "peeringState");

/** The ranges of the other VNET. */
function rangeRows({ name, peering, vnet, found, needs, rows: { error, warning } }: Sides): Row[] {
  const real = strings(at(found, "properties", "addressSpace", "addressPrefixes")).filter(
    (range) => parseCidr(range) !== undefined,
  );
  const wanted = line(name, `addressSpaces: [${real.join(", ")}]`);
  const missing = real.filter((range) => !covers(peering.addressSpaces, [range]));
  const surplus = peering.addressSpaces.filter((range) => !real.some((other) => meet(range, other)));
  const met = missing.find((range) => meet(range, needs.vnet.cidr));
  return present(
    met !== undefined
      ? error(
          `${vnet} also has ${met}, which overlaps ${needs.vnet.cidr} of the stack: Azure refuses the peering`,
          otherRange,
        )
      : missing.length > 0 &&
          peering.addressSpaces.length > 0 &&
          error(
            `${vnet} also has ${missing.join(", ")}, which nothing compares with pods and Services: the stack file does not say it`,
            wanted,
          ),
    surplus.length > 0 && warning(`${vnet} has no ${surplus.join(", ")}, which the stack file says`, wanted),
  );
}

/** A gateway that is there, and that the other side lets the stack use. */
function gatewayRows({
  name,
  peering,
  vnet,
  found,
  remote,
  own,
  ownId,
  needs,
  rows: { error },
}: Sides): Row[] {
  const without = line(name, "useRemoteGateways: false");
  const hasGateway = list(at(found, "properties", "subnets")).some(
    (subnet) =>
      textAt(subnet, "name") === "GatewaySubnet" &&
      list(at(subnet, "properties", "ipConfigurations")).length > 0,
  );
  const isAllowed =
    peering.remoteSide === "stack" ||
    at(remote, "properties", "allowGatewayTransit") === true ||
    at(own, "properties", "useRemoteGateways") === true;
  if (!peering.useRemoteGateways || (hasGateway && isAllowed)) {
    return [];
  }
  if (!hasGateway) {
    return [error(`${vnet} has no gateway in a GatewaySubnet, so Azure refuses useRemoteGateways`, without)];
  }
  if (remote === undefined) {
    return [
      error(
        `the other side does not exist, and Azure refuses useRemoteGateways until it allows gateway transit`,
        ...(own === undefined ? [`${without}   # until it exists`] : []),
        remoteSideCommand(needs.clusterName, ownId, peering),
      ),
    ];
  }
  return [
    error(
      `the other side, ${textAt(remote, "name")}, does not allow gateway transit, so Azure refuses useRemoteGateways`,
      bash`az network vnet peering update --ids ${partId(peering.vnetId, "virtualNetworkPeerings", remote)} --set allowGatewayTransit=true`,
    ),
  ];
}

/** Whether packets pass, once the stack has its side. */
function stateRows({ name, peering, vnet, remote, own, ownId, needs, rows: { error } }: Sides): Row[] {
  const gone = [own, remote].find((side) => stateOf(side) === "Disconnected");
  if (gone !== undefined) {
    return [
      error(
        `${textAt(gone, "name")} is Disconnected: its other side was deleted, and Azure does not connect it again`,
        bash`az network vnet peering delete --ids ${partId(gone === own ? ownId : peering.vnetId, "virtualNetworkPeerings", gone)}`,
      ),
    ];
  }
  const names = peeringNames(needs.clusterName, name);
  if (peering.remoteSide === "stack" && remote !== undefined && textAt(remote, "name") !== names.remote) {
    return [
      error(
        `${vnet} has a side of this peering already, ${textAt(remote, "name")}, which the stack does not know: Azure has one peering between two VNETs`,
        line(name, "remoteSide: manual"),
      ),
    ];
  }
  if (peering.remoteSide === "manual" && own !== undefined && remote === undefined) {
    return [
      error(
        `${names.own} is ${stateOf(own)}: the other side does not exist, so nothing passes`,
        remoteSideCommand(needs.clusterName, ownId, peering),
      ),
    ];
  }
  return [];
}

/** https://learn.microsoft.com/rest/api/virtualnetwork/virtual-networks/get */
export async function peering(arm: Arm, name: string, needs: Needs): Promise<Row[]> {
  const wanted = ownValue(needs.peerings, name);
  if (wanted === undefined) {
    return [];
  }
  const rows = rowsOf(`peering ${name}`);
  const ownId = vnetIdIn(needs.subscriptionId, needs.resourceGroup, needs.vnet.name);
  const vnet = resourceParts(wanted.vnetId).name;
  const found = await orMissing(arm.get(wanted.vnetId, apiVersion));
  if (found === undefined) {
    const show = bash`az network vnet show --ids ${wanted.vnetId}`;
    return [rows.error(`${vnet} does not exist`, line(name, "vnetId: ID"), show)];
  }
  const own = await orMissing(
    arm.get(`${ownId}/virtualNetworkPeerings/${peeringNames(needs.clusterName, name).own}`, apiVersion),
  );
  const remote = list(at(found, "properties", "virtualNetworkPeerings")).find((each) =>
    sameId(textAt(each, "properties", "remoteVirtualNetwork", "id"), ownId),
  );
  const sides: Sides = { name, peering: wanted, needs, vnet, ownId, found, remote, own, rows };
  const later =
    wanted.remoteSide === "manual" ? "; its side is made by others, once `pulumi up` has made the VNET" : "";
  return orOk(
    [...rangeRows(sides), ...gatewayRows(sides), ...stateRows(sides)],
    rows.ok(
      own !== undefined
        ? `${stateOf(own)}, and ${vnet} is as the stack file says`
        : `${vnet} is as the stack file says${later}`,
    ),
  );
}
