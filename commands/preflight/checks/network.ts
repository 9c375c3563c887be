import { bash } from "capz-windows-kit/shell";
import { list, strings, text, textAt, at } from "capz-windows-kit/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import type { Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";
import { prefixesOf } from "./found";
import { networkLine, quoted } from "./stackLine";

/** Compares the resource group and the VNET with those that exist already. */

export const apiVersion = "2023-05-01";

const { error, ok } = rowsOf("network");
const group = rowsOf("resource group");

const rangesOf = (vnet: unknown): string[] =>
  strings(at(vnet, "properties", "addressSpace", "addressPrefixes"));

/** Subnets of the stack that its machines cannot use, or whose range cannot change. */
const subnetRows = (found: unknown, { resourceGroup, vnet, subnets }: Needs): Row[] =>
  list(at(found, "properties", "subnets")).flatMap((subnet) => {
    const name = text(subnet.name);
    const prefixes = prefixesOf(subnet);
    const [first = ""] = prefixes;
    const own = subnets.find((each) => each.name === name);
    const isDelegated = list(at(subnet, "properties", "delegations")).length > 0;
    return present(
      own !== undefined &&
        isDelegated &&
        error(
          `the subnet ${name} of ${vnet.name} is delegated, so machines cannot use it`,
          bash`az network vnet subnet update --resource-group ${resourceGroup} --vnet-name ${vnet.name} --name ${name} --remove delegations`,
        ),
      own !== undefined &&
        first !== "" &&
        !prefixes.includes(own.cidr) &&
        error(
          `the subnet ${name} has ${first}, and the stack file says ${own.cidr}; Azure does not change the range while machines are in it`,
          networkLine(own.key, quoted(first)),
        ),
    );
  });

/** https://learn.microsoft.com/rest/api/resources/resource-groups/get and virtualnetwork/virtual-networks/get */
export async function network(arm: Arm, needs: Needs): Promise<Row[]> {
  const { subscriptionId, resourceGroup, location, vnet, existing } = needs;
  const path = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
  const anotherGroup = "capz-windows:azure: {resourceGroup: ANOTHER-NAME}";
  const free = existing === undefined ? [ok(`${vnet.name} will be created with ${vnet.cidr}`)] : [];
  const there = await orMissing(arm.get(path, "2021-04-01"));
  if (there === undefined) {
    return [group.ok(`${resourceGroup} will be created`), ...free];
  }
  if (textAt(there, "properties", "provisioningState") === "Deleting") {
    const wait = bash`az group wait --deleted --name ${resourceGroup}`;
    return [group.error(`${resourceGroup} is being deleted`, wait)];
  }
  if (textAt(there, "location").toLowerCase() !== location) {
    return [
      group.error(
        `${resourceGroup} exists in ${textAt(there, "location")}, and the stack is in ${location}`,
        anotherGroup,
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
      group.warning(
        `${resourceGroup} exists without ${made.split("/").at(-1)}: \`up\` creates the group itself, and fails if the group exists and is not in the stack's state`,
        `${anotherGroup}   # a first deployment`,
        "npx pulumi up   # again, where an earlier one was interrupted",
      ),
      ...free,
    ];
  }
  const exists = group.ok(`${resourceGroup} exists`);
  if (existing !== undefined) {
    return [exists];
  }
  const ranges = rangesOf(found);
  const wrong = present(
    !ranges.includes(vnet.cidr) &&
      error(
        `${vnet.name} exists with ${ranges.join(", ")}, and the stack file says ${vnet.cidr}`,
        `capz-windows:network: {vnetCidr: ${quoted(ranges[0] ?? "RANGE")}}`,
      ),
    ...subnetRows(found, needs),
  );
  return [exists, ...orOk(wrong, ok(`${vnet.name} is as the stack file says`))];
}
