import fc from "fast-check";
import { costOf } from "../../../plan/cost/cost";
import type { PriceList } from "../../../plan/cost/prices";
import type { BillItem } from "../../../plan/model/cluster/types";
import { costTable } from "../../../plan/reports/cost";

/** The prices are invented. */
const list: PriceList = {
  version: 1,
  region: "westeurope",
  currency: "USD",
  date: "2026-11-20",
  source: "a test",
  perHour: { "Standard_D4s_v5 Linux": 0.2, "Standard_D4s_v5 Windows": 0.4, "NAT gateway": 0.025 },
  perMonth: { "Premium_LRS P10": 20, "Premium_LRS P15": 40 },
};

const item = (owner: string, role: string, price: string, min: number, max = min): BillItem => ({
  ...{ owner, role, price },
  count: { min, max },
});

const bill = [
  item("pool win", "machines", "Standard_D4s_v5 Windows", 2, 4),
  item("pool win", "OS disks", "Premium_LRS P10", 2, 4),
  item("network", "NAT gateway", "NAT gateway", 1),
];

const note =
  "Not included: the fee and the disks of AKS, load balancers, traffic, what applications ask for, machines that a rollout adds for its minutes, support, taxes and discounts.";

it("is the price of each item in a month of 730 hours, from the smallest to the largest number", () => {
  const cost = costOf({ after: bill }, list, false);
  expect(costTable({ cost })).toEqual({
    title: "Cost a month (730 hours), prices of westeurope in USD of 2026-11-20",
    rows: [
      { owner: "pool win", what: "machines: 2–4 × Standard_D4s_v5 Windows", amount: "$584 to $1,168" },
      { owner: "pool win", what: "OS disks: 2–4 × Premium_LRS P10", amount: "$40.00 to $80.00" },
      { owner: "network", what: "NAT gateway: 1 × NAT gateway", amount: "$18.25" },
      { owner: "total", what: "", amount: "$642 to $1,266" },
    ],
    note,
  });
});

it("of a change is before and after of each line that changes", () => {
  const after = [
    item("pool win", "machines", "Standard_D4s_v5 Linux", 2, 4),
    item("pool win", "OS disks", "Premium_LRS P10", 2, 4),
    item("pool new", "OS disks", "Premium_LRS P15", 3),
  ];
  const cost = costOf({ before: bill, after }, list, true);
  expect(costTable({ cost })?.rows).toEqual([
    {
      owner: "pool win",
      what: "machines: 2–4 × Standard_D4s_v5 Windows → 2–4 × Standard_D4s_v5 Linux",
      amount: "$584 to $1,168 → $292 to $584",
    },
    { owner: "pool new", what: "OS disks: nothing → 3 × Premium_LRS P15", amount: "$0.00 → $120" },
    {
      owner: "network",
      what: "NAT gateway: 1 × NAT gateway → nothing",
      amount: "$18.25 → $0.00",
    },
    { owner: "total", what: "", amount: "$642 to $1,266 → $452 to $784" },
  ]);
});

it("names what has no price, and claims no total", () => {
  const after = [item("pool win", "machines", "Standard_X9 Windows", 2, 4), ...bill.slice(1)];
  const cost = costOf({ before: bill, after }, list, true);
  expect(costTable({ cost })).toMatchObject({
    rows: [
      {
        owner: "pool win",
        what: "machines: 2–4 × Standard_D4s_v5 Windows → 2–4 × Standard_X9 Windows",
        amount: "$584 to $1,168 → no price",
      },
      { owner: "total", amount: "$642 to $1,266 → at least $58.25 to $98.25" },
    ],
  });
});

it("of a change that costs nothing is not said", () => {
  expect(costTable({ cost: costOf({ before: bill, after: bill }, list, true) })).toBeUndefined();
});

it("is not shown where a change is refused", () => {
  const comparison = { impacts: [{ severity: "refused" }] } as never;
  const other = costOf({ before: bill, after: [] }, list, true);
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

const totals = ({ lines }: ReturnType<typeof costOf>, when: "before" | "after", end: "min" | "max"): number =>
  lines.reduce((sum, line) => sum + (line[when]?.month?.[end] ?? 0), 0);

describe("of any stack", () => {
  it("has each item once, nothing changes by no change, and more machines never cost less", () => {
    fc.assert(
      fc.property(anyBill, fc.nat(), (items, which) => {
        const same = costOf({ before: items, after: items }, list, true);
        expect(same.lines.map(({ before }) => before)).toEqual(same.lines.map(({ after }) => after));
        expect(same.lines).toHaveLength(items.length);
        const more = items.map((each, index) =>
          index === which % items.length
            ? { ...each, count: { min: each.count.min, max: each.count.max + 1 } }
            : each,
        );
        const cost = costOf({ before: items, after: more }, list, true);
        expect(totals(cost, "after", "min")).toBeCloseTo(totals(cost, "before", "min"), 6);
        const rise = totals(cost, "after", "max") - totals(cost, "before", "max");
        expect(rise).toBeGreaterThanOrEqual(items.length === 0 ? 0 : 1);
      }),
    );
  });
});

it("of an amount that is zero when it is rounded has no sign", () => {
  const free = { ...list, perHour: { "NAT gateway": -1e-9 }, perMonth: { "Premium_LRS P10": -0 } };
  const items = [item("network", "NAT gateway", "NAT gateway", 1), item("p", "d", "Premium_LRS P10", 1)];
  const cost = costOf({ after: items }, free, false);
  expect(costTable({ cost })?.rows.map(({ amount }) => amount)).toEqual(["$0.00", "$0.00", "$0.00"]);
});
