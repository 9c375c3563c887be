import { z } from "zod";
import { formatRange } from "../../../tools/problem";
import type { BillItem, ClusterModel, NodeRange } from "../model/cluster/types";
import { monthly, type PriceList } from "./prices";
import { present } from "../../../tools/present";

/** What a stack costs a month by price lists, and what a change makes of it. */

/** An amount of money; with autoscalers from their smallest to their largest number. */
export type Range = NodeRange;

const text = z.string();
const range = z.strictObject({ min: z.number(), max: z.number() });

const costSide = z.strictObject({
  count: range,
  price: text,
  /** A month. Missing where the price list does not have it. */
  month: range.exactOptional(),
});
export type CostSide = z.infer<typeof costSide>;

const costLine = z.strictObject({
  owner: text,
  role: text,
  before: costSide.exactOptional(),
  after: costSide.exactOptional(),
});
export type CostLine = z.infer<typeof costLine>;

const stackCost = z.strictObject({
  /** Which prices: "retail prices of westeurope in USD of 2026-11-20". */
  source: text,
  /** ISO 4217 */
  currency: text.regex(/^[A-Z]{3}$/),
  /** Whether two stacks are compared. */
  compared: z.boolean(),
  lines: z.array(costLine).readonly(),
  /** Of what has a price; missing for a stack that does not exist. */
  before: range.exactOptional(),
  after: range.exactOptional(),
  /** What it costs while some machines keep their old size: `kept` says which. */
  until: z.strictObject({ month: range, kept: z.array(text).readonly() }).exactOptional(),
  notes: z.array(text).readonly(),
});
export type StackCost = z.infer<typeof stackCost>;

/** What a stack costs, or why that is not known. */
export const costOrNone = z.union([z.strictObject({ missing: text }), stackCost]);
export type CostOrNone = z.infer<typeof costOrNone>;

const nothing: Range = { min: 0, max: 0 };

const plus = (a: Range, b: Range): Range => ({ min: a.min + b.min, max: a.max + b.max });

/** Differences of the smallest and of the largest amounts. */
export const minus = (a: Range = nothing, b: Range = nothing): Range => ({
  min: a.min - b.min,
  max: a.max - b.max,
});

function sideOf({ count, price }: BillItem, list: PriceList): CostSide {
  const one = monthly(list, price);
  return {
    ...{ count, price },
    ...(one === undefined ? {} : { month: { min: one * count.min, max: one * count.max } }),
  };
}

/** What a plan has no part in, in the words of a user. */
export const notIncluded =
  "Not included: traffic and what load balancers and NAT process, volumes, snapshots and load balancers that " +
  "applications ask for, transactions of disks, support, taxes; and discounts: agreements, reservations, savings plans.";

/** Days after which prices are called old. */
const freshDays = 30;

const ageNote = ({ region, date }: PriceList, day: string): string[] => {
  const age = Math.floor((Date.parse(day) - Date.parse(date)) / 86_400_000);
  return age > freshDays
    ? [`The prices of ${region} are ${age} days old; \`--prices\` fetches them again.`]
    : [];
};

/** One side of a comparison, with the prices of its region. */
export interface BillSide {
  readonly bill: ClusterModel["bill"];
  readonly list: PriceList;
}

const linesOf = (side: BillSide | undefined): ReadonlyMap<string, { item: BillItem; cost: CostSide }> =>
  new Map(
    side?.bill.map((item) => [`${item.owner}/${item.role}`, { item, cost: sideOf(item, side.list) }]) ?? [],
  );

const totalOf = (costs: Iterable<{ cost: CostSide }>): Range =>
  [...costs].reduce((sum, { cost }) => plus(sum, cost.month ?? nothing), nothing);

/** Machines of the base that a change does not replace, although those that come later cost something else. */
export interface Kept {
  /** "pool win1" */
  readonly owner: string;
  readonly count: NodeRange;
}

/** The total while these machines run; `undefined` where none costs anything else. */
function untilReplaced(total: Range, lines: readonly CostLine[], kept: readonly Kept[]): StackCost["until"] {
  const each = kept.flatMap(({ owner, count }) => {
    const line = lines.find((one) => one.owner === owner && one.role === "machines");
    const [old, now] = [line?.before, line?.after].map((side) =>
      side?.month === undefined || side.count.max === 0 ? undefined : side.month.max / side.count.max,
    );
    return present(
      old !== undefined &&
        now !== undefined &&
        old !== now &&
        !(count.max <= 0) && {
          text: `${formatRange(count.min, count.max)} of ${owner} stay ${line?.before?.price ?? ""}`,
          count,
          more: old - now,
        },
    );
  });
  return each.length === 0
    ? undefined
    : {
        month: each.reduce(
          (sum, { count, more }) => plus(sum, { min: count.min * more, max: count.max * more }),
          total,
        ),
        kept: each.map(({ text }) => text),
      };
}

/**
 * @param before missing where nothing is compared, or the stack is new
 * @param after missing where the stack is removed
 */
export function costOf({
  before,
  after,
  compared,
  day,
  kept = [],
}: {
  readonly before?: BillSide | undefined;
  readonly after?: BillSide | undefined;
  readonly compared: boolean;
  readonly kept?: readonly Kept[];
  /** Today: 2026-11-23. */
  readonly day: string;
}): StackCost {
  const [base, head] = [linesOf(before), linesOf(after)];
  const lists = [...new Set([after, before].flatMap((side) => side?.list ?? []))];
  const lines = [...new Map([...head, ...base])].map(
    ([
      key,
      {
        item: { owner, role },
      },
    ]) => {
      const [old, now] = [base.get(key)?.cost, head.get(key)?.cost];
      return { owner, role, ...(old && { before: old }), ...(now && { after: now }) };
    },
  );
  const until = after && untilReplaced(totalOf(head.values()), lines, kept);
  const unknown = [...base.values(), ...head.values()].filter(({ cost }) => cost.month === undefined);
  return {
    source: lists
      .map(({ region, currency, date }) => `prices of ${region} in ${currency} of ${date}`)
      .join(", "),
    currency: lists[0]?.currency ?? "USD",
    compared,
    lines,
    ...(before && { before: totalOf(base.values()) }),
    ...(after && { after: totalOf(head.values()) }),
    ...(until && { until }),
    notes: present(
      unknown.length > 0 &&
        `Without a price, and not counted: ${[...new Set(unknown.map(({ cost }) => cost.price))].join(", ")}. \`--prices\` asks for those that are new.`,
      ...lists.flatMap((list) => ageNote(list, day)),
      notIncluded,
    ),
  };
}
