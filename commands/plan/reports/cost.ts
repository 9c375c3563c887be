import { type CostLine, type CostSide, minus, type Range, type StackCost } from "../cost/cost";
import type { ReportRow } from "./layout";
import { type StackReport, differs, isRefused } from "./stackReport";
import { visible } from "./values";

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
  readonly notes: readonly string[];
}

const numberText = ({ min, max }: Range): string => (min === max ? String(min) : `${min}–${max}`);

/** $1,234 or $12.34 or $1,234 to $2,345; a difference has its sign. */
function moneyText(
  { min, max }: Range,
  currency: string,
  sign: "negative" | "exceptZero" = "negative",
): string {
  const one = (amount: number): string =>
    amount.toLocaleString("en-US", {
      ...{ style: "currency", currency, signDisplay: sign },
      ...(Math.abs(amount) < 100
        ? { minimumFractionDigits: 2, maximumFractionDigits: 2 }
        : { minimumFractionDigits: 0, maximumFractionDigits: 0 }),
    });
  const [low, high] = [one(min), one(max)];
  return low === high ? low : `${low} to ${high}`;
}

const sideText = (side: CostSide | undefined): string =>
  side === undefined ? "nothing" : `${numberText(side.count)} × ${side.price}`;

/** An amount that may be smaller than what will be paid, because something has no price. */
interface Amount {
  readonly month: Range | undefined;
  readonly isComplete: boolean;
}

/** "a → b (+c)", or one amount where nothing is compared. */
function amountText(before: Amount, after: Amount, { currency, compared }: StackCost): string {
  const one = ({ month, isComplete }: Amount): string =>
    month === undefined ? "no price" : `${isComplete ? "" : "at least "}${moneyText(month, currency)}`;
  const areComplete = before.isComplete && after.isComplete;
  return !compared
    ? one(after)
    : `${one(before)} → ${one(after)}${areComplete ? ` (${moneyText(minus(after.month, before.month), currency, "exceptZero")})` : ""}`;
}

const zero: Range = { min: 0, max: 0 };

const sideAmount = (side: CostSide | undefined): Amount =>
  side === undefined
    ? { month: zero, isComplete: true }
    : { month: side.month, isComplete: side.month !== undefined };

function rowOf({ owner, role, before, after }: CostLine, cost: StackCost): CostRow {
  const [old, now] = [sideText(before), sideText(after)];
  return {
    owner: plain(owner),
    what: plain(`${role}: ${cost.compared && old !== now ? `${old} → ${now}` : now}`),
    amount: amountText(sideAmount(before), sideAmount(after), cost),
  };
}

function totalRow(cost: StackCost): CostRow {
  const total = (side: "before" | "after"): Amount => ({
    month: cost[side] ?? zero,
    isComplete: cost.lines.every((line) => sideAmount(line[side]).isComplete),
  });
  return { owner: "total", what: "", amount: amountText(total("before"), total("after"), cost) };
}

const isChanged = ({ before, after }: CostLine): boolean => JSON.stringify(before) !== JSON.stringify(after);

/** In one line: a report can come from a stranger. */
const plain = (text: string): string => visible(text).replace(/\s+/g, " ");

/** Of a comparison only what changes; `undefined` where nothing changes, or the change is refused. */
export function costTable({
  cost,
  comparison,
}: Pick<StackReport, "cost" | "comparison">): CostTable | undefined {
  if (cost === undefined || (comparison !== undefined && (isRefused(comparison) || !differs(comparison)))) {
    return undefined;
  }
  const rolls = comparison?.schedule?.pools.some(({ work }) => work === "replaced") === true;
  const surge = rolls ? ["Machines that a rollout adds for its minutes are not counted."] : [];
  if ("missing" in cost) {
    return { title: "Cost", rows: [], notes: [plain(`Cost a month: unknown. ${cost.missing}`)] };
  }
  const lines = cost.compared ? cost.lines.filter(isChanged) : cost.lines;
  if (cost.compared && lines.length === 0) {
    return { title: "Cost", rows: [], notes: [["Cost a month: unchanged.", ...surge].join(" ")] };
  }
  const { until, currency } = cost;
  const now =
    until === undefined
      ? []
      : [
          `This is the cost once all machines are replaced. Until then it is ${moneyText(until.month, currency)} a month: ${until.kept.join(", ")}.`,
        ];
  return {
    title: `Cost a month (730 hours), ${plain(cost.source)}`,
    rows: [...lines.map((line) => rowOf(line, cost)), totalRow(cost)],
    notes: [...now, ...surge, ...cost.notes].map(plain),
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
