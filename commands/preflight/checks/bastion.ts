import { bash, verbatim } from "capz-windows-kit/shell";
import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { bastionNeeds } from "capz-windows-platform/network/bastion";
import { at, textAt } from "capz-windows-kit/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import { type Row, rowsOf } from "../row";
import { missingRow } from "./found";
import { apiVersion } from "./network";
import { networkLine } from "./stackLine";

/** Compares the Azure Bastion of others with what commands by private address need. */

const check = "Azure Bastion";
const { warning, ok } = rowsOf(check);

/** https://learn.microsoft.com/rest/api/virtualnetwork/bastion-hosts/get */
export async function bastion(arm: Arm, id: string): Promise<Row[]> {
  const found = await orMissing(arm.get(id, apiVersion));
  const name = lastPart(id);
  if (found === undefined) {
    return [missingRow(check, id, networkLine("bastion.bastionId", "ID"))];
  }
  const sku = textAt(found, "sku", "name");
  const isSmall = !bastionNeeds.skus.includes(sku);
  const missing = bastionNeeds.switches.filter((key) => at(found, "properties", key) !== true);
  const lacks = [...(isSmall ? [`the SKU ${sku}`] : []), ...missing.map((key) => `no ${key}`)];
  const set = [
    ...(isSmall ? ["sku.name=Standard"] : []),
    ...missing.map((key) => `properties.${key}=true`),
  ].join(" ");
  return [
    lacks.length === 0
      ? ok(`${name} connects to private addresses`)
      : warning(
          `${name} has ${lacks.join(", ")}, so ssh and RDP by private address are refused`,
          bash`az resource update --ids ${id} --set ${verbatim(set)}`,
        ),
  ];
}
