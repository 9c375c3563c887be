import { lastPart } from "../../../platform/azure/resourceParts";
import { bastionNeeds } from "../../../platform/network/bastion";
import { at, textAt } from "../../../tools/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import { type Row, row } from "../row";
import { missingRow } from "./found";
import { apiVersion } from "./network";
import { networkLine } from "./stackLine";

/** Compares the Azure Bastion of others with what commands by private address need. */

const check = "Azure Bastion";

/** https://learn.microsoft.com/rest/api/virtualnetwork/bastion-hosts/get */
export async function bastion(arm: Arm, id: string): Promise<Row[]> {
  const found = await orMissing(arm.get(id, apiVersion));
  const name = lastPart(id);
  if (found === undefined) {
    return [missingRow(check, id, networkLine("bastion.bastionId", "ID"))];
  }
  const sku = textAt(found, "sku", "name");
  const missing = bastionNeeds.switches.filter((key) => at(found, "properties", key) !== true);
  const isSmall = !bastionNeeds.skus.includes(sku);
  return !isSmall && missing.length === 0
    ? [row("ok", check, `${name} connects to private addresses`)]
    : [
        row(
          "warning",
          check,
          `${name} has ${[...(isSmall ? [`the SKU ${sku}`] : []), ...missing.map((key) => `no ${key}`)].join(", ")}, so ssh and RDP by private address are refused`,
          `az resource update --ids ${id} --set ${[...(isSmall ? ["sku.name=Standard"] : []), ...missing.map((key) => `properties.${key}=true`)].join(" ")}`,
        ),
      ];
}
