import fc from "fast-check";
import type { PropertyChange } from "../../../plan/compare/stackDiff";
import type { StackComparison } from "../../../plan/impact/impact";
import { severities } from "../../../plan/impact/impact";
import type { Box, Picture } from "../../../plan/reports/picture/boxes";
import type { StackReport } from "../../../plan/reports/stackReport";
import { levels } from "capz-windows-kit/finding";
import { codePoint } from "capz-windows-test-kit/codePoint";

/** Comparisons for tests: small ones written by hand, and arbitrary ones. */

/** What a value would write below itself. */
export const forged = "::error::forged";

/** A copy whose texts all have a line of their own, without keys and what is chosen from a list. */
export function withForgedLines<T>(value: T): T {
  const text = JSON.stringify(value, (key, one: unknown) =>
    typeof one === "string" && !["kind", "severity", "status", "work", "os"].includes(key)
      ? `${one}\n${forged}`
      : one,
  );
  return JSON.parse(text) as T;
}

const urn = (name: string, type = "kubernetes:core/v1:ConfigMap"): string =>
  `urn:pulumi:dev::capz-windows::${type}::${name}`;

export const unchanged: StackComparison = {
  project: "capz-windows",
  stack: "dev",
  against: "main (1a2b3c4)",
  status: "compared",
  changes: [],
  unchanged: 53,
  outputs: [],
  nodes: [],
  impacts: [],
  warnings: [],
  fixedWarnings: [],
};

/** A pool that rolls, a network that is replaced, and a value for each way to show one. */
export const example: StackComparison = {
  ...unchanged,
  unchanged: 50,
  changes: [
    {
      kind: "replace",
      urn: urn("network-vnet", "azure-native:network:VirtualNetwork"),
      type: "azure-native:network:VirtualNetwork",
      name: "network-vnet",
      properties: [{ path: "location", before: "westeurope", after: "northeurope" }],
      options: [{ path: "protect", before: true }],
    },
    {
      kind: "update",
      urn: urn("calico-part-1"),
      type: "kubernetes:core/v1:ConfigMap",
      name: "calico-part-1",
      formerUrn: urn("calico-part-0"),
      properties: [
        {
          path: 'data["calico.yaml"]',
          before: "mtu: 1350\n",
          after: "mtu: 1400\n",
          text: ["@@ -1 +1 @@", "-mtu: 1350", "+mtu: 1400"],
        },
      ],
      options: [],
    },
    {
      kind: "create",
      urn: urn("x"),
      type: "kubernetes:core/v1:ConfigMap",
      name: "x",
      properties: [],
      options: [],
    },
  ],
  outputs: [{ path: "mtu", before: 1400, after: 1350 }],
  nodes: [{ path: "win1/user-data.txt", text: ["@@ -1 +1 @@", "-a", "+b"] }],
  impacts: [
    {
      severity: "destroys",
      rule: "location",
      what: "The VNET network-vnet is deleted and made again",
      why: "its location cannot change",
      nodes: 5,
      instead: "make a new stack beside it",
      source: "https://learn.microsoft.com/azure",
      urns: [urn("network-vnet", "azure-native:network:VirtualNetwork")],
    },
    {
      severity: "rolls",
      rule: "image",
      what: "Windows pool win1 rolls: 2 nodes, surge 1",
      why: "the image is part of the machines",
      nodes: 2,
      source: "project",
      urns: [],
    },
  ],
  warnings: ["controlPlane.replicas: one machine"],
  fixedWarnings: ["azure.subscriptionId: the example's"],
};

/** Texts of an attacker who wants to break out of their place in a page or comment. */
const nasty = fc.constantFrom(
  ...[
    "```",
    "````\n# out",
    "`",
    "``x`",
    "</details>",
    "<details>",
    "<script>alert(1)</script>",
    "<!-- ",
    "-->",
  ],
  ...["@octocat", "@org/team", "#1", "owner/repo#1", "GH-12", "https://evil.example/a", "www.evil.example"],
  ...["[a](javascript:alert(1))", "![x](https://evil.example/p.png)", "| a | b |", "\n\n## Title\n"],
  ...["\r\n---\r\n", "\u202egnp.exe", "\u200b", "\u001b[31mred", "\u0000", "\ud800", "&lt;", "&#64;octocat"],
  ...["$x$", "~~~\nx", "    code", "user@evil.example", "mailto:a@b.example", "[^1]: note"],
  ...["[a]: https://evil.example", "\\", "\\`", "'\"><img src=x>"],
);

export const nastyText = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: nasty },
      fc.string({ unit: codePoint, maxLength: 12 }),
      fc.constant(" "),
    ),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(""));

const property = fc.oneof(
  fc.record({ path: nastyText, before: fc.jsonValue(), after: nastyText }),
  fc.record({ path: nastyText, before: nastyText }),
  fc.record({ path: nastyText, text: fc.array(nastyText, { maxLength: 5 }) }),
) as fc.Arbitrary<PropertyChange>;

const properties = fc.array(property, { maxLength: 4 });
const texts = fc.array(nastyText, { maxLength: 4 });

const change = fc.record(
  {
    kind: fc.constantFrom("create", "update", "replace", "delete"),
    urn: nastyText,
    type: nastyText,
    name: nastyText,
    formerUrn: nastyText,
    properties,
    options: properties,
  },
  { requiredKeys: ["kind", "urn", "type", "name", "properties", "options"] },
);

const impact = fc.record(
  {
    severity: fc.constantFrom(...severities),
    rule: nastyText,
    what: nastyText,
    why: nastyText,
    nodes: fc.nat(100),
    instead: nastyText,
    source: nastyText,
    urns: texts,
  },
  { requiredKeys: ["severity", "rule", "what", "why", "nodes", "source", "urns"] },
);

export const anyComparison = fc.record({
  project: nastyText,
  stack: nastyText,
  against: nastyText,
  status: fc.constantFrom("compared", "new", "removed", "failed"),
  failure: nastyText,
  changes: fc.array(change, { maxLength: 5 }),
  unchanged: fc.nat(),
  outputs: properties,
  nodes: properties,
  impacts: fc.array(impact, { maxLength: 5 }),
  warnings: texts,
  fixedWarnings: texts,
}) as fc.Arbitrary<StackComparison>;

const exception = fc.record({ until: nastyText, reason: nastyText });

const finding = fc.record(
  {
    ...{ id: nastyText, title: nastyText, path: nastyText, message: nastyText, write: nastyText },
    level: fc.constantFrom(...levels),
    ...{ source: nastyText, accepted: exception, ended: exception, file: nastyText, line: fc.nat() },
  },
  { requiredKeys: ["id", "title", "path", "message", "level", "file", "line"] },
);

const amount = fc.record({ min: fc.double({ noNaN: true, noDefaultInfinity: true }), max: fc.nat() });
const costSide = fc.record(
  { count: amount, price: nastyText, month: amount },
  { requiredKeys: ["count", "price"] },
);

const anyCost: fc.Arbitrary<NonNullable<StackReport["cost"]>> = fc.record({
  source: nastyText,
  currency: fc.constantFrom("USD", "EUR"),
  compared: fc.boolean(),
  lines: fc.array(
    fc.record(
      { owner: nastyText, role: nastyText, before: costSide, after: costSide },
      { requiredKeys: ["owner", "role"] },
    ),
    { maxLength: 3 },
  ),
});

const box = (boxes: fc.Arbitrary<Box[]>): fc.Arbitrary<Box> =>
  fc.record(
    {
      ...{ tone: fc.constantFrom("network", "windows"), title: nastyText, badge: nastyText },
      ...{ lines: fc.array(nastyText, { maxLength: 2 }), boxes },
      change: fc.constantFrom("new", "changed", "removed"),
    },
    { requiredKeys: ["tone", "title", "lines", "boxes"] },
  );
const leaf = box(fc.constant([]));
const anyPicture: fc.Arbitrary<Picture> = fc.record({
  management: leaf,
  cluster: box(fc.array(box(fc.array(leaf, { maxLength: 2 })), { maxLength: 2 })),
});

export const anyReports: fc.Arbitrary<StackReport[]> = fc
  .array(anyComparison, { minLength: 1, maxLength: 4 })
  .chain((comparisons) =>
    fc.tuple(
      ...comparisons.map((comparison) =>
        fc
          .tuple(anyCost, fc.array(finding, { maxLength: 3 }), anyPicture)
          .map(([cost, findings, picture]) => ({
            ...{ stack: comparison.stack, comparison, cost, findings, picture },
            newFindings: findings.slice(1),
          })),
      ),
    ),
  );

export const reportOf = (comparison: StackComparison): StackReport[] => [
  { stack: comparison.stack, comparison },
];
