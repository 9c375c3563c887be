import { list, strings, text, textAt, at } from "../../../tools/untyped";
import { overlaps, parseCidr } from "../../../platform/network/addressing";
import { type Arm, orMissing } from "../../azure/arm";
import type { Needs } from "../needs";
import { type Row, row } from "../row";
import { networkLine } from "./stackLine";

/** Compares the resource group and the VNET with those that exist already. */

export const apiVersion = "2023-05-01";

/** Whether two ranges overlap; what is no range overlaps none. */
export const meet = (a: string, b: string): boolean => {
  const [one, other] = [parseCidr(a), parseCidr(b)];
  return one !== undefined && other !== undefined && overlaps(one, other);
};

const rangesOf = (vnet: unknown): string[] =>
  strings(at(vnet, "properties", "addressSpace", "addressPrefixes"));

export const prefixesOf = (subnet: unknown): string[] => [
  ...strings(at(subnet, "properties", "addressPrefixes")),
  ...[textAt(subnet, "properties", "addressPrefix")].filter((prefix) => prefix !== ""),
];

/** Subnets that Azure would refuse: another range for one that is in use, and overlapping ranges. */
function subnetRows(found: unknown, { resourceGroup, vnet, subnets }: Needs): Row[] {
  return list(at(found, "properties", "subnets")).flatMap((subnet) => {
    const name = text(subnet.name);
    const prefixes = prefixesOf(subnet);
    const [first = ""] = prefixes;
    const own = subnets.find((each) => each.name === name);
    const met =
      own === undefined ? subnets.find(({ cidr }) => prefixes.some((each) => meet(each, cidr))) : undefined;
    const isDelegated = list(at(subnet, "properties", "delegations")).length > 0;
    const change = `az network vnet subnet update --resource-group ${resourceGroup} --vnet-name ${vnet.name} --name ${name}`;
    return [
      ...(own !== undefined && isDelegated
        ? [
            row(
              "error",
              "network",
              `the subnet ${name} of ${vnet.name} is delegated, so machines cannot use it`,
              `${change} --remove delegations`,
            ),
          ]
        : []),
      ...(own !== undefined && first !== "" && !prefixes.includes(own.cidr)
        ? [
            row(
              "error",
              "network",
              `the subnet ${name} has ${first}, and the stack file says ${own.cidr}; Azure does not change the range while machines are in it`,
              networkLine(own.key, first),
            ),
          ]
        : []),
      ...(met === undefined
        ? []
        : [
            row(
              "error",
              "network",
              `the subnet ${name} of ${vnet.name}, which does not belong to this stack, has ${first}, which overlaps ${met.cidr} of ${met.name}`,
              networkLine(met.key, "A-FREE-RANGE"),
            ),
          ]),
    ];
  });
}

/** Azure refuses a range that overlaps that of a peered VNET. */
function peeringRows(found: unknown, { vnet }: Needs): Row[] {
  return list(at(found, "properties", "virtualNetworkPeerings")).flatMap((peering) => {
    const name = text(peering.name);
    const remote = strings(at(peering, "properties", "remoteAddressSpace", "addressPrefixes"));
    const met = remote.find((range) => meet(range, vnet.cidr));
    const state = textAt(peering, "properties", "peeringState");
    return [
      ...(met === undefined
        ? []
        : [
            row(
              "error",
              "network",
              `${vnet.cidr} overlaps ${met} of the VNET that ${name} peers with`,
              "capz-windows:network: {vnetCidr: A-FREE-RANGE}",
            ),
          ]),
      ...(state === "Disconnected"
        ? [
            row(
              "warning",
              "network",
              `the peering ${name} of ${vnet.name} is Disconnected: the other side was deleted`,
              "Delete it, and create both sides of the peering again.",
            ),
          ]
        : []),
    ];
  });
}

/**
 * The end of a sentence that names the networks that can never be peered with this one. That is no error, but the range
 * can be changed easily only before machines are in it.
 */
async function others(arm: Arm, { subscriptionId, vnet }: Needs): Promise<string> {
  const all = await arm
    .list(`/subscriptions/${subscriptionId}/providers/Microsoft.Network/virtualNetworks`, apiVersion)
    .catch(() => []);
  const same = all
    .filter(({ name }) => text(name) !== vnet.name)
    .filter((each) => rangesOf(each).some((range) => meet(range, vnet.cidr)))
    .map(({ name }) => text(name));
  const named = `${same.slice(0, 3).join(", ")}${same.length > 3 ? ` and ${same.length - 3} more` : ""}`;
  return same.length === 0 ? "" : `; it can never be peered with ${named}, whose addresses overlap`;
}

/** https://learn.microsoft.com/rest/api/resources/resource-groups/get and virtualnetwork/virtual-networks/get */
export async function network(arm: Arm, needs: Needs): Promise<Row[]> {
  const { subscriptionId, resourceGroup, location, vnet, existing } = needs;
  const path = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
  const free = async (): Promise<Row[]> =>
    existing === undefined
      ? [row("ok", "network", `${vnet.name} will be created with ${vnet.cidr}${await others(arm, needs)}`)]
      : [];
  const group = await orMissing(arm.get(path, "2021-04-01"));
  if (group === undefined) {
    return [row("ok", "resource group", `${resourceGroup} will be created`), ...(await free())];
  }
  if (textAt(group, "properties", "provisioningState") === "Deleting") {
    return [
      row(
        "error",
        "resource group",
        `${resourceGroup} is being deleted`,
        `az group wait --deleted --name ${resourceGroup}`,
      ),
    ];
  }
  if (textAt(group, "location").toLowerCase() !== location) {
    return [
      row(
        "error",
        "resource group",
        `${resourceGroup} exists in ${textAt(group, "location")}, and the stack is in ${location}`,
        "capz-windows:azure: {resourceGroup: ANOTHER-NAME}",
      ),
    ];
  }
  // What an earlier `up` has made in the group.
  const [made, version] =
    existing === undefined
      ? [`${path}/providers/Microsoft.Network/virtualNetworks/${vnet.name}`, apiVersion]
      : [needs.controlPlaneIdentity, "2023-01-31"];
  const found = await orMissing(arm.get(made, version));
  if (found === undefined) {
    return [
      row(
        "warning",
        "resource group",
        `${resourceGroup} exists without ${made.split("/").at(-1)}: \`up\` creates the group itself, and fails if the group exists and is not in the stack's state`,
        "capz-windows:azure: {resourceGroup: ANOTHER-NAME}   # a first deployment",
        "npx pulumi up   # again, where an earlier one was interrupted",
      ),
      ...(await free()),
    ];
  }
  const there = row("ok", "resource group", `${resourceGroup} exists`);
  if (existing !== undefined) {
    return [there];
  }
  const ranges = rangesOf(found);
  const wrong = [
    ...(ranges.includes(vnet.cidr)
      ? []
      : [
          row(
            "error",
            "network",
            `${vnet.name} exists with ${ranges.join(", ")}, and the stack file says ${vnet.cidr}`,
            `capz-windows:network: {vnetCidr: ${ranges[0] ?? "RANGE"}}`,
          ),
        ]),
    ...subnetRows(found, needs),
    ...peeringRows(found, needs),
  ];
  return [
    there,
    ...(wrong.length > 0 ? wrong : [row("ok", "network", `${vnet.name} is as the stack file says`)]),
  ];
}
