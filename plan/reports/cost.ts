import { type CostLine, type CostSide, plus, type StackCost, zero } from "../cost/cost";
import type { NodeRange } from "../model/cluster/types";
import { rangeText } from "./clusterText";
import type { ReportRow } from "./layout";
import { type StackReport, differs, isRefused } from "./stackReport";
import { visibleText as visible } from "capz-windows-kit/visible";

/** What a stack costs a month, as the rows of a table. */

export interface CostRow {
  readonly owner: string;
  readonly what: string;
  /** A month. */
  readonly amount: string;
}

export interface CostTable {
  readonly title: string;
  readonly rows: readonly CostRow[];
  readonly note: string;
}

/** What a plan has no part in. */
const notIncluded =
  "Not included: the fee and the disks of AKS, load balancers, traffic, what applications ask for, machines that a rollout adds for its minutes, support, taxes and discounts.";

/** $1,234 or $12.34 or $1,234 to $2,345 */
function moneyText({ min, max }: NodeRange, currency: string): string {
  const one = (amount: number): string => {
    const digits = amount < 100 ? 2 : 0;
    return amount.toLocaleString("en-US", {
      style: "currency",
      currency,
      // JSON has no negative zero: an amount that is zero has no sign.
      signDisplay: "negative",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  };
  const [low, high] = [one(min), one(max)];
  return low === high ? low : `${low} to ${high}`;
}

const sideText = (side: CostSide | undefined): string =>
  side === undefined ? "nothing" : `${rangeText(side.count)} × ${side.price}`;

function rowOf({ owner, role, before, after }: CostLine, { compared, currency }: StackCost): CostRow {
  const amount = (side: CostSide | undefined): string => {
    const month = side === undefined ? zero : side.month;
    return month === undefined ? "no price" : moneyText(month, currency);
  };
  const [old, now] = [sideText(before), sideText(after)];
  return {
    owner: plain(owner),
    what: plain(`${role}: ${compared && old !== now ? `${old} → ${now}` : now}`),
    amount: compared ? `${amount(before)} → ${amount(after)}` : amount(after),
  };
}

/** The sum, which is smaller than what will be paid where something has no price. */
function totalRow({ lines, compared, currency }: StackCost): CostRow {
  const total = (when: "before" | "after"): string => {
    const sides = lines.flatMap((line) => line[when] ?? []);
    const sum = sides.reduce((all, { month = zero }) => plus(all, month), zero);
    const isComplete = sides.every(({ month }) => month !== undefined);
    return `${isComplete ? "" : "at least "}${moneyText(sum, currency)}`;
  };
  return {
    owner: "total",
    what: "",
    amount: compared ? `${total("before")} → ${total("after")}` : total("after"),
  };
}

const isChanged = ({ before, after }: CostLine): boolean => JSON.stringify(before) !== JSON.stringify(after);

/** In one line: a report can come from a stranger. */
const plain = (text: string): string => visible(text).replace(/\s+/g, " ");

/** Of a comparison only what changes; `undefined` without prices, where nothing changes, or the change is refused. */
export function costTable({
  cost,
  comparison,
}: Pick<StackReport, "cost" | "comparison">): CostTable | undefined {
  if (cost === undefined || (comparison !== undefined && (isRefused(comparison) || !differs(comparison)))) {
    return undefined;
  }
  const lines = cost.compared ? cost.lines.filter(isChanged) : cost.lines;
  return lines.length === 0
    ? undefined
    : {
        title: `Cost a month (730 hours), ${plain(cost.source)}`,
        rows: [...lines.map((line) => rowOf(line, cost)), totalRow(cost)],
        note: notIncluded,
      };
}

/** For a terminal: what belongs together has one label. */
export const costTextRows = ({ rows }: CostTable): ReportRow[] =>
  [...new Set(rows.map(({ owner }) => owner))].map((label) => ({
    label,
    lines: rows
      .filter(({ owner }) => owner === label)
      .map(({ what, amount }) => (what === "" ? amount : `${what}: ${amount}`)),
  }));
