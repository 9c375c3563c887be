import { download, type DownloadOptions } from "capz-windows-kit/io/download";
import { jsonOf, weightOf } from "capz-windows-kit/io/json";
import { allPages, EndlessListError, type ListBudget, listBudget } from "capz-windows-kit/io/pages";
import { isRecord, textAt } from "capz-windows-kit/untyped";
import { PricesError, type PriceList } from "./prices";
import { everywhere, pricesOf } from "./retail";
import { messageOf } from "capz-windows-kit/messageOf";

/** Asks Azure's public price list, which needs no login. */

export interface FetchOptions extends DownloadOptions {
  readonly endpoint?: string;
  /** 2026-11-23 */
  readonly day: string;
}

const source = "https://prices.azure.com/api/retail/prices";

async function page(url: URL, options: DownloadOptions) {
  let body: Buffer;
  let answer: unknown;
  try {
    body = await download(url.href, options);
    answer = jsonOf(body);
  } catch (error) {
    throw new PricesError(`${url.host}: ${messageOf(error)}`);
  }
  if (isRecord(answer) && Array.isArray(answer.Items)) {
    return { answer, bytes: body.length };
  }
  throw new PricesError(`${url.host}: the answer is not a price list`);
}

/** All rows that a filter finds. */
async function rowsOf(
  filter: string,
  { endpoint = source, ...options }: FetchOptions,
  budget: ListBudget,
): Promise<unknown[]> {
  const first = new URL(endpoint);
  first.searchParams.set("$filter", filter);
  try {
    return await allPages(async (link) => {
      const { answer, bytes } = await page(link === "" ? first : pageOf(first, link), options);
      const items = answer.Items as unknown[];
      return { items, next: textAt(answer, "NextPageLink"), bytes, values: weightOf(items) };
    }, budget);
  } catch (error) {
    throw error instanceof EndlessListError ? new PricesError(`${first.host}: ${error.message}`) : error;
  }
}

/** The list names its port, too: https://prices.azure.com:443/… */
function pageOf(first: URL, link: string): URL {
  if (!URL.canParse(link) || new URL(link).origin !== first.origin) {
    throw new PricesError(`${first.host}: the next page of its list is on another host`);
  }
  return new URL(link);
}

/**
 * The pay-as-you-go prices of a region in US dollars: those of some VM sizes, and of everything else that a stack has.
 * @throws PricesError
 */
export async function fetchPrices(
  region: string,
  sizes: readonly string[],
  options: FetchOptions,
): Promise<PriceList> {
  const inRegion = `armRegionName eq '${region}'`;
  const filters = [
    `serviceName eq 'Azure Bastion' and ${inRegion}`,
    `serviceName eq 'Virtual Network' and productName eq 'IP Addresses' and ${inRegion}`,
    ...[region, everywhere].map((place) => `serviceName eq 'NAT Gateway' and armRegionName eq '${place}'`),
    ...["Premium SSD", "Standard SSD", "Standard HDD"].map(
      (kind) => `serviceName eq 'Storage' and productName eq '${kind} Managed Disks' and ${inRegion}`,
    ),
    ...sizes.map((size) => `serviceName eq 'Virtual Machines' and armSkuName eq '${size}' and ${inRegion}`),
  ];
  const rows: unknown[] = [];
  const budget = listBudget();
  // One after the other: the list answers 429 to many at once.
  for (const filter of filters) {
    rows.push(...(await rowsOf(`${filter} and priceType eq 'Consumption'`, options, budget)));
  }
  if (!rows.some((row) => textAt(row, "armRegionName") === region)) {
    throw new PricesError(`Azure's price list has no region ${region}`);
  }
  const { day } = options;
  return { version: 1, region, currency: "USD", date: day, source, ...pricesOf(rows, { region, day }) };
}
