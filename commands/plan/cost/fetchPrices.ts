import { download, type DownloadOptions } from "../../../io/download";
import { isRecord, textAt } from "../../../tools/untyped";
import type { PriceList } from "./prices";
import { everywhere, pricesOf } from "./retail";

/** Asks Azure's public price list, which needs no login. */

/** There are no prices; the message says why, in one line. */
export class PricesError extends Error {
  override readonly name = "PricesError";
}

export interface FetchOptions extends DownloadOptions {
  readonly endpoint?: string;
  /** 2026-11-23 */
  readonly day: string;
}

const source = "https://prices.azure.com/api/retail/prices";

/** A question has one or two pages; more are a mistake of a server. */
const mostPages = 50;

async function page(url: URL, options: DownloadOptions): Promise<Record<string, unknown>> {
  let body: Buffer;
  try {
    body = await download(url.href, options);
  } catch (error) {
    throw new PricesError(`${url.host}: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    const answer: unknown = JSON.parse(body.toString());
    if (isRecord(answer) && Array.isArray(answer.Items)) {
      return answer;
    }
  } catch {
    // The same mistake as JSON of another shape: a page of a proxy, for example.
  }
  throw new PricesError(`${url.host}: the answer is not a price list`);
}

/** All rows that a filter finds. */
async function rowsOf(filter: string, { endpoint = source, ...options }: FetchOptions): Promise<unknown[]> {
  const rows: unknown[] = [];
  let url = new URL(endpoint);
  url.searchParams.set("$filter", filter);
  for (let pages = 1; ; pages += 1) {
    const answer = await page(url, options);
    rows.push(...(answer.Items as unknown[]));
    const next = textAt(answer, "NextPageLink");
    if (next === "") {
      return rows;
    }
    // The list names its port, too: https://prices.azure.com:443/…
    if (!URL.canParse(next) || new URL(next).origin !== url.origin || pages === mostPages) {
      throw new PricesError(`${url.host}: its list does not end within ${mostPages} pages of this host`);
    }
    url = new URL(next);
  }
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
    `serviceName eq 'Azure Kubernetes Service' and ${inRegion}`,
    `serviceName eq 'Azure Bastion' and ${inRegion}`,
    `serviceName eq 'Virtual Network' and productName eq 'IP Addresses' and ${inRegion}`,
    ...["Load Balancer", "NAT Gateway"].flatMap((service) =>
      [region, everywhere].map((place) => `serviceName eq '${service}' and armRegionName eq '${place}'`),
    ),
    ...["Premium SSD", "Standard SSD", "Standard HDD"].map(
      (kind) => `serviceName eq 'Storage' and productName eq '${kind} Managed Disks' and ${inRegion}`,
    ),
    ...sizes.map((size) => `serviceName eq 'Virtual Machines' and armSkuName eq '${size}' and ${inRegion}`),
  ];
  const rows: unknown[] = [];
  // One after the other: the list answers 429 to many at once.
  for (const filter of filters) {
    rows.push(...(await rowsOf(`${filter} and priceType eq 'Consumption'`, options)));
  }
  if (!rows.some((row) => textAt(row, "armRegionName") === region)) {
    throw new PricesError(`Azure's price list has no region ${region}`);
  }
  const { day } = options;
  return { version: 1, region, currency: "USD", date: day, source, ...pricesOf(rows, { region, day }) };
}
