import fc from "fast-check";
import { costOf, type BillSide } from "../../../commands/plan/cost/cost";
import type { PriceList } from "../../../commands/plan/cost/prices";
import type { BillItem } from "../../../commands/plan/model/cluster/types";
import { costTable } from "../../../commands/plan/reports/cost";

/** The prices are invented. */
const list: PriceList = {
  version: 1,
  region: "westeurope",
  currency: "USD",
  date: "2026-11-20",
  source: "a test",
  perHour: { "Standard_D4s_v5 Linux": 0.2, "Standard_D4s_v5 Windows": 0.4, "load balancer": 0.025 },
  perMonth: { "Premium_LRS P10": 20, "Premium_LRS P15": 40 },
};

const day = "2026-11-23";

const item = (owner: string, role: string, price: string, min: number, max = min): BillItem => ({
  ...{ owner, role, price },
  count: { min, max },
});

const bill = [
  item("pool win", "machines", "Standard_D4s_v5 Windows", 2, 4),
  item("pool win", "OS disks", "Premium_LRS P10", 2, 4),
  item("network", "load balancer", "load balancer", 1),
];

const side = (of: readonly BillItem[], prices = list): BillSide => ({ bill: of, list: prices });

const notIncluded =
  "Not included: traffic and what load balancers and NAT process, volumes, snapshots and load balancers that " +
  "applications ask for, transactions of disks, support, taxes; and discounts: agreements, reservations, savings plans.";

it("is the price of each item in a month of 730 hours, from the smallest to the largest number", () => {
  const cost = costOf({ after: side(bill), compared: false, day });
  expect(costTable({ cost })).toEqual({
    title: "Cost a month (730 hours), prices of westeurope in USD of 2026-11-20",
    rows: [
      { owner: "pool win", what: "machines: 2–4 × Standard_D4s_v5 Windows", amount: "$584 to $1,168" },
      { owner: "pool win", what: "OS disks: 2–4 × Premium_LRS P10", amount: "$40.00 to $80.00" },
      { owner: "network", what: "load balancer: 1 × load balancer", amount: "$18.25" },
      { owner: "total", what: "", amount: "$642 to $1,266" },
    ],
    notes: [notIncluded],
  });
});

it("of a change is before, after and the difference of each line that changes", () => {
  const after = [
    item("pool win", "machines", "Standard_D4s_v5 Linux", 2, 4),
    item("pool win", "OS disks", "Premium_LRS P10", 2, 4),
    item("pool new", "OS disks", "Premium_LRS P15", 3),
  ];
  const cost = costOf({ before: side(bill), after: side(after), compared: true, day });
  expect(costTable({ cost })?.rows).toEqual([
    {
      owner: "pool win",
      what: "machines: 2–4 × Standard_D4s_v5 Windows → 2–4 × Standard_D4s_v5 Linux",
      amount: "$584 to $1,168 → $292 to $584 (-$292 to -$584)",
    },
    { owner: "pool new", what: "OS disks: nothing → 3 × Premium_LRS P15", amount: "$0.00 → $120 (+$120)" },
    {
      owner: "network",
      what: "load balancer: 1 × load balancer → nothing",
      amount: "$18.25 → $0.00 (-$18.25)",
    },
    { owner: "total", what: "", amount: "$642 to $1,266 → $452 to $784 (-$190 to -$482)" },
  ]);
});

it("names what has no price, and claims neither a total nor a difference", () => {
  const after = [item("pool win", "machines", "Standard_X9 Windows", 2, 4), ...bill.slice(1)];
  const cost = costOf({ before: side(bill), after: side(after), compared: true, day });
  expect(costTable({ cost })).toMatchObject({
    rows: [
      {
        owner: "pool win",
        what: "machines: 2–4 × Standard_D4s_v5 Windows → 2–4 × Standard_X9 Windows",
        amount: "$584 to $1,168 → no price",
      },
      { owner: "total", amount: "$642 to $1,266 → at least $58.25 to $98.25" },
    ],
    notes: [
      "Without a price, and not counted: Standard_X9 Windows. `--prices` asks for those that are new.",
      notIncluded,
    ],
  });
});

it.each([
  ["2026-12-20", []],
  ["2026-12-21", ["The prices of westeurope are 31 days old; `--prices` fetches them again."]],
])("says on %s whether prices of 2026-11-20 are old", (today, notes) => {
  expect(costOf({ after: side(bill), compared: false, day: today }).notes).toEqual([...notes, notIncluded]);
});

it("uses the prices of both regions where a change moves the stack", () => {
  const north = { ...list, region: "northeurope", perHour: { "Standard_D4s_v5 Windows": 0.1 } };
  const [machines] = bill;
  const cost = costOf({ before: side([machines!]), after: side([machines!], north), compared: true, day });
  expect(costTable({ cost })).toMatchObject({
    title:
      "Cost a month (730 hours), prices of northeurope in USD of 2026-11-20, prices of westeurope in USD of 2026-11-20",
    rows: [
      {
        what: "machines: 2–4 × Standard_D4s_v5 Windows",
        amount: "$584 to $1,168 → $146 to $292 (-$438 to -$876)",
      },
      { owner: "total" },
    ],
  });
});

it("of a change that costs nothing is said too, and that machines of a rollout are not counted", () => {
  const cost = costOf({ before: side(bill), after: side(bill), compared: true, day });
  const unchanged = { title: "Cost", rows: [], notes: ["Cost a month: unchanged."] };
  expect(costTable({ cost })).toEqual(unchanged);
  const comparison = {
    ...{ status: "compared", changes: [{}], impacts: [], schedule: { pools: [{ work: "replaced" }] } },
  } as never;
  expect(costTable({ cost, comparison })?.notes).toEqual([
    "Cost a month: unchanged. Machines that a rollout adds for its minutes are not counted.",
  ]);
});

it("of machines that keep their old size is said for now, and once all are replaced", () => {
  const after = [item("pool win", "machines", "Standard_D4s_v5 Linux", 3, 5)];
  const before = [item("pool win", "machines", "Standard_D4s_v5 Windows", 3, 5)];
  const kept = [{ owner: "pool win", count: { min: 2, max: 4 } }];
  const cost = costOf({ before: side(before), after: side(after), compared: true, kept, day });
  expect(costTable({ cost })).toMatchObject({
    rows: [
      {
        what: "machines: 3–5 × Standard_D4s_v5 Windows → 3–5 × Standard_D4s_v5 Linux",
        amount: "$876 to $1,460 → $438 to $730 (-$438 to -$730)",
      },
      { owner: "total", amount: "$876 to $1,460 → $438 to $730 (-$438 to -$730)" },
    ],
    notes: [
      "This is the cost once all machines are replaced. Until then it is $730 to $1,314 a month: 2 to 4 of pool win stay Standard_D4s_v5 Windows.",
      notIncluded,
    ],
  });
});

it("is not shown where a change is refused", () => {
  const comparison = { impacts: [{ severity: "refused" }] } as never;
  const other = costOf({ before: side(bill), after: side([]), compared: true, day });
  expect(costTable({ cost: other, comparison })).toBeUndefined();
});

const prices = [...Object.keys(list.perHour), ...Object.keys(list.perMonth)];

const anyBill = fc.uniqueArray(
  fc
    .record({
      owner: fc.constantFrom("pool a", "pool b", "network"),
      role: fc.constantFrom("machines", "OS disks"),
      price: fc.constantFrom(...prices),
      count: fc.record({ min: fc.nat(50), more: fc.nat(50) }),
    })
    .map(({ count: { min, more }, ...rest }) => ({ ...rest, count: { min, max: min + more } })),
  { selector: ({ owner, role }) => `${owner}/${role}` },
);

describe("of any stack", () => {
  it("is the sum of its lines, nothing changes by no change, and more machines never cost less", () => {
    fc.assert(
      fc.property(anyBill, fc.nat(), (items, which) => {
        const same = costOf({ before: side(items), after: side(items), compared: true, day });
        expect(same.before).toEqual(same.after);
        for (const end of ["min", "max"] as const) {
          const sum = same.lines.reduce((total, { after }) => total + (after?.month?.[end] ?? NaN), 0);
          expect(same.after?.[end]).toBeCloseTo(sum, 6);
        }
        const more = items.map((each, index) =>
          index === which % items.length
            ? { ...each, count: { min: each.count.min, max: each.count.max + 1 } }
            : each,
        );
        const { before, after } = costOf({ before: side(items), after: side(more), compared: true, day });
        expect(after!.min).toBe(before!.min);
        expect(after!.max - before!.max).toBeGreaterThanOrEqual(items.length === 0 ? 0 : 1);
      }),
    );
  });
});
