import { z } from "zod";
import type { BillItem, ClusterModel, NodeRange } from "../model/cluster/types";
import { monthly, type PriceList } from "./prices";

/** What a stack costs a month by price lists, before and after a change. */

const text = z.string();
/** An amount of money or a number of things; with autoscalers from the smallest to the largest. */
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

export const stackCost = z.strictObject({
  /** Which prices: "prices of westeurope in USD of 2026-11-20". */
  source: text,
  /** ISO 4217 */
  currency: text.regex(/^[A-Z]{3}$/),
  /** Whether two stacks are compared. */
  compared: z.boolean(),
  lines: z.array(costLine).readonly(),
});
export type StackCost = z.infer<typeof stackCost>;

export const zero: NodeRange = { min: 0, max: 0 };

export const plus = (a: NodeRange, b: NodeRange): NodeRange => ({ min: a.min + b.min, max: a.max + b.max });

function sideOf({ count, price }: BillItem, list: PriceList): CostSide {
  const one = monthly(list, price);
  return {
    count,
    price,
    ...(one === undefined ? {} : { month: { min: one * count.min, max: one * count.max } }),
  };
}

type Bill = ClusterModel["bill"];

/**
 * @param before missing where nothing is compared, or the stack is new
 * @param after missing where the stack is removed
 * @param list of the region of both
 */
export function costOf(
  sides: { readonly before?: Bill | undefined; readonly after?: Bill | undefined },
  list: PriceList,
  compared: boolean,
): StackCost {
  const lines = new Map<string, CostLine>();
  for (const when of ["after", "before"] as const) {
    for (const item of sides[when] ?? []) {
      const { owner, role } = item;
      const key = `${owner}/${role}`;
      lines.set(key, { ...(lines.get(key) ?? { owner, role }), [when]: sideOf(item, list) });
    }
  }
  const { region, currency, date } = list;
  const source = `prices of ${region} in ${currency} of ${date}`;
  return { source, currency, compared, lines: [...lines.values()] };
}
