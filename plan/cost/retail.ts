import { isRecord, numberAt, textAt } from "capz-windows-kit/untyped";
import type { PriceList } from "./prices";

/**
 * Rows of Azure's public price list (https://learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices)
 * and what they are the price of. Infracost 95ba4f49 internal/resources/azure reads machines and disks by the same fields.
 */

/** The region of what costs the same everywhere, such as NAT gateways. */
export const everywhere = "Global";

const disks: Readonly<Record<string, string>> = {
  "Premium SSD Managed Disks": "Premium",
  "Standard SSD Managed Disks": "StandardSSD",
  "Standard HDD Managed Disks": "Standard",
};

/** By service and meter. */
const meters: Readonly<Record<string, string>> = {
  "Azure Bastion/Standard Gateway": "Azure Bastion Standard",
  "NAT Gateway/Standard Gateway": "NAT gateway",
  "Virtual Network/Standard IPv4 Static Public IP": "public IPv4 address",
};

/**
 * "Standard_D4s_v5 Windows spot". Other products have the same sizes: Cloud Services, dedicated hosts, and machines with
 * low priority, which came before spot.
 */
function machineName(row: unknown): string | undefined {
  const [size, product, sku] = ["armSkuName", "productName", "skuName"].map((field) => textAt(row, field));
  const isWindows = (product ?? "").endsWith("Windows");
  const isLinux = /Series( Linux)?$/i.test(product ?? "");
  if ((!isWindows && !isLinux) || (sku ?? "").endsWith("Low Priority")) {
    return undefined;
  }
  return `${size ?? ""} ${isWindows ? "Windows" : "Linux"}${(sku ?? "").endsWith("Spot") ? " spot" : ""}`;
}

/** "Premium_LRS P10"; other meters of disks count operations, mounts and bursts. */
function diskName(row: unknown): string | undefined {
  const type = disks[textAt(row, "productName")];
  const [, tier = "", copies = ""] = /^([PES]\d+) (LRS|ZRS)$/.exec(textAt(row, "skuName")) ?? [];
  const isDisk = /^[PES]\d+( [LZ]RS)? Disks?$/.test(textAt(row, "meterName"));
  return type === undefined || tier === "" || !isDisk ? undefined : `${type}_${copies} ${tier}`;
}

function nameOf(row: unknown): string | undefined {
  const service = textAt(row, "serviceName");
  if (service === "Virtual Machines") {
    return machineName(row);
  }
  return service === "Storage" ? diskName(row) : meters[`${service}/${textAt(row, "meterName")}`];
}

/** The list has the past and the future, too: whether a price is in force on a day. */
const isInForce = (row: unknown, day: string): boolean => {
  const end = textAt(row, "effectiveEndDate");
  return textAt(row, "effectiveStartDate").slice(0, 10) <= day && (end === "" || end.slice(0, 10) >= day);
};

/** A regional price comes before one for everywhere, and of two that are in force the later. */
const order = (row: unknown, region: string): string =>
  `${textAt(row, "armRegionName") === region ? 1 : 0} ${textAt(row, "effectiveStartDate")}`;

/** Prices from pay-as-you-go rows of a region and of everywhere. */
export function pricesOf(
  rows: readonly unknown[],
  { region, day }: { readonly region: string; readonly day: string },
): Pick<PriceList, "perHour" | "perMonth"> {
  const usable = rows
    .filter(
      (row) =>
        isRecord(row) &&
        row.type === "Consumption" &&
        [region, everywhere].includes(textAt(row, "armRegionName")) &&
        (numberAt(row, "tierMinimumUnits") ?? 0) === 0 &&
        (numberAt(row, "retailPrice") ?? 0) > 0 &&
        isInForce(row, day),
    )
    .sort((a, b) => (order(a, region) < order(b, region) ? -1 : 1));
  // The last of a name wins; the file is sorted by name.
  const per = (unit: RegExp): Record<string, number> => {
    const found = new Map<string, number>();
    for (const row of usable.filter((each) => unit.test(textAt(each, "unitOfMeasure")))) {
      const name = nameOf(row);
      if (name !== undefined) {
        found.set(name, numberAt(row, "retailPrice") ?? 0);
      }
    }
    return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return { perHour: per(/^1[ /]Hour$/), perMonth: per(/^1[ /]Month$/) };
}
