import { costOf } from "../cost/cost";
import { fetchPrices, type FetchOptions } from "../cost/fetchPrices";
import { type PriceList, PricesError, readPrices, writePrices } from "../cost/prices";
import type { ClusterModel } from "../model/cluster/types";
import type { StackReport } from "../reports/stackReport";

export interface CostOptions {
  readonly projectDir: string;
  /** Whether to ask Azure's price list. */
  readonly fetch: boolean;
  readonly fetching?: Partial<FetchOptions>;
  readonly onProgress: (text: string) => void;
  /** Gets a line for a person. */
  readonly onFailure: (text: string) => void;
}

/** The clusters of a report that are in a region: a stack that only uses a management cluster has no costs. */
const clustersOf = ({ base, plan }: StackReport): ClusterModel[] =>
  [base, plan?.cluster].filter((cluster) => cluster !== undefined).filter(({ location }) => location !== "");

/** The sizes of VMs in a bill or in a price list: "Standard_D4s_v5" of "Standard_D4s_v5 Windows". */
const sizesIn = (prices: readonly string[]): string[] =>
  prices.flatMap((price) => /^([\w-]+) (Linux|Windows)( spot)?$/.exec(price)?.[1] ?? []);

/** The prices of a region from its file, or fetched: those that its stacks need, and those that the file has, for other stacks. */
async function priceList(
  region: string,
  bills: ClusterModel["bill"],
  { projectDir, fetch, fetching, onProgress, onFailure }: CostOptions,
): Promise<PriceList | undefined> {
  const day = new Date().toISOString().slice(0, 10);
  let list: PriceList | undefined;
  try {
    list = readPrices(projectDir, region);
    if (fetch) {
      onProgress(`Fetching the prices of ${region}`);
      const known = Object.keys(list?.perHour ?? {});
      const sizes = new Set(sizesIn([...known, ...bills.map(({ price }) => price)]));
      list = await fetchPrices(region, [...sizes].sort(), { day, ...fetching });
      writePrices(projectDir, list);
    }
  } catch (error) {
    if (!(error instanceof PricesError)) {
      throw error;
    }
    onFailure(`Prices of ${region}: ${error.message}.`);
  }
  return list;
}

/** What a stack costs; `undefined` where its region has no price list, or a change moves it to another one. */
function costOfReport(report: StackReport, lists: ReadonlyMap<string, PriceList>): StackReport["cost"] {
  const regions = new Set(clustersOf(report).map(({ location }) => location));
  const [region = ""] = regions;
  const list = lists.get(region);
  if (regions.size > 1 || list === undefined || report.comparison?.status === "failed") {
    return undefined;
  }
  const sides = { before: report.base?.bill, after: report.plan?.cluster.bill };
  return costOf(sides, list, report.comparison !== undefined);
}

/** Adds to each report what its stack costs, where the project has the prices. */
export async function withCosts<Report extends StackReport>(
  reports: readonly Report[],
  options: CostOptions,
): Promise<Report[]> {
  const clusters = reports.flatMap(clustersOf);
  const lists = new Map<string, PriceList>();
  for (const region of new Set(clusters.map(({ location }) => location))) {
    const bills = clusters.filter(({ location }) => location === region).flatMap(({ bill }) => bill);
    const list = await priceList(region, bills, options);
    if (list !== undefined) {
      lists.set(region, list);
    }
  }
  return reports.map((report) => {
    const cost = costOfReport(report, lists);
    return cost === undefined ? report : { ...report, cost };
  });
}
