import { costOf, type Kept, type BillSide } from "../cost/cost";
import { fetchPrices, type FetchOptions, PricesError } from "../cost/fetchPrices";
import { type PriceList, pricesFile, readPrices, writePrices } from "../cost/prices";
import { findPool } from "../impact/machines";
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

/**
 * Fetches the prices that the stacks need, and those that the file of the region has, for other stacks.
 * @returns why they were not fetched, for a person
 */
async function renew(
  projectDir: string,
  clusters: readonly ClusterModel[],
  options: FetchOptions,
): Promise<string | undefined> {
  const region = clusters[0]?.location ?? "";
  const old = readPrices(projectDir, region);
  const known = typeof old === "object" ? Object.keys(old.perHour) : [];
  const needed = clusters.flatMap(({ bill }) => bill.map(({ price }) => price));
  try {
    const sizes = [...new Set(sizesIn([...known, ...needed]))].sort();
    writePrices(projectDir, await fetchPrices(region, sizes, options));
    return undefined;
  } catch (error) {
    if (error instanceof PricesError) {
      return `The prices of ${region} were not fetched: ${error.message}.`;
    }
    throw error;
  }
}

/** Machines that keep their old size, because CAPZ renews only a part of a scale set. */
const keptMachines = ({ base, plan, comparison }: StackReport): Kept[] =>
  (comparison?.impacts ?? [])
    .filter(({ rule }) => rule === "pool-partly-renewed")
    .flatMap(({ urns, nodes }) =>
      (plan?.cluster.pools ?? [])
        .filter(({ members }) => urns.includes(members.infrastructure ?? ""))
        .map(({ name, replicas, autoscale }) => {
          const before = findPool(base, name)?.replicas ?? replicas;
          const min = Math.min(before, replicas) - nodes;
          return {
            owner: `pool ${name}`,
            count: { min, max: min + Math.max(0, (autoscale?.max ?? 0) - replicas) },
          };
        }),
    );

/** Adds to each report what its stack costs, as far as the price lists of the project say. */
export async function withCosts(
  reports: readonly StackReport[],
  { projectDir, fetch, fetching, onProgress, onFailure }: CostOptions,
): Promise<StackReport[]> {
  const day = new Date().toISOString().slice(0, 10);
  const clusters = reports.flatMap(clustersOf);
  const regions = [...new Set(clusters.map(({ location }) => location))];
  const failures = new Map<string, string>();
  for (const region of fetch ? regions : []) {
    onProgress(`Fetching the prices of ${region}`);
    const own = clusters.filter(({ location }) => location === region);
    const failure = await renew(projectDir, own, { day, ...fetching });
    if (failure !== undefined) {
      failures.set(region, failure);
      onFailure(failure);
    }
  }
  const lists = new Map(regions.map((region) => [region, readPrices(projectDir, region)]));
  const costOfReport = (report: StackReport): StackReport["cost"] => {
    const sides = clustersOf(report).map(({ location }) => ({ location, list: lists.get(location) }));
    const lacking = sides.find(({ list }) => typeof list !== "object");
    const currencies = sides.flatMap(({ list }) => (typeof list === "object" ? list.currency : []));
    const failed = [...new Set(sides.flatMap(({ location }) => failures.get(location) ?? []))];
    if (sides.length === 0 || report.comparison?.status === "failed") {
      return undefined;
    }
    if (lacking !== undefined) {
      const { location, list } = lacking;
      // Not a word where nobody has asked for prices.
      if (list === undefined && failed.length === 0) {
        return undefined;
      }
      const why = typeof list === "string" ? list : `No ${pricesFile(location)}`;
      return { missing: [`${why}.`, ...failed].join(" ") };
    }
    if (new Set(currencies).size > 1) {
      return {
        missing: `The prices of the two regions are in different currencies: ${currencies.join(", ")}.`,
      };
    }
    const sideOf = (cluster: ClusterModel | undefined): BillSide | undefined =>
      cluster && { bill: cluster.bill, list: lists.get(cluster.location) as PriceList };
    const cost = costOf({
      ...{ before: sideOf(report.base), after: sideOf(report.plan?.cluster), day },
      compared: report.comparison !== undefined,
      kept: keptMachines(report),
    });
    return { ...cost, notes: [...failed, ...cost.notes] };
  };
  return reports.map((report) => {
    const cost = costOfReport(report);
    return cost === undefined ? report : { ...report, cost };
  });
}
