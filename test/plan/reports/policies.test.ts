import { htmlReport } from "../../../plan/reports/html/page";
import { markdownReport } from "../../../plan/reports/markdown/markdownReport";
import { findingWord, policyFindings, verdict, warningsBeside } from "../../../plan/reports/policyTexts";
import { formatComparisons } from "../../../plan/reports/text";
import type { Finding } from "capz-windows-kit/finding";
import { example, unchanged } from "./comparisons";

/** Findings of policies in the reports for people. */

const place = { file: "stacks/Pulumi.prod.yaml", title: "a title" };

const findings: readonly Finding[] = [
  {
    ...{
      ...place,
      id: "windows-mainstream-end",
      level: "note",
      line: 20,
      path: "windowsPools.a.windowsServer",
    },
    ...{ message: "old", write: 'windowsServer: "2025"' },
  },
  {
    ...{ ...place, id: "unprotected", level: "warning", line: 7, path: "protect", message: "false" },
    ...{ write: "protect: true", accepted: { until: "2027-03-31", reason: "a\n test" } },
  },
  {
    ...{ ...place, id: "public-cluster", level: "error", line: 9, path: "access.allowedCidrs" },
    ...{ message: "open", write: "allowedCidrs: [<your network as a CIDR>] # in access" },
    ended: { until: "2026-03-31", reason: "the office moves" },
  },
  { ...place, id: "stack-warning", level: "warning", line: 1, path: "wait", message: "slow" },
];

const style = { color: false, width: 100, verbose: false };

it("are sorted, worst first and accepted last, without other warnings", () => {
  expect(policyFindings(findings).map(({ id }) => id)).toEqual([
    "public-cluster",
    "windows-mainstream-end",
    "unprotected",
  ]);
  expect(policyFindings(undefined)).toEqual([]);
});

it("are not said a second time among the warnings", () => {
  const warnings = ["access.allowedCidrs, wait: open", "wait: slow"];
  expect(warningsBeside(warnings, findings)).toEqual(["wait: open", "wait: slow"]);
  expect(warningsBeside(warnings, undefined)).toBe(warnings);
});

it("text: a comparison has errors first, and counts the rest where something changes", () => {
  const text = formatComparisons([{ stack: "dev", comparison: example, findings }], style);
  const errors = [
    "",
    "Errors of policies",
    "  error  access.allowedCidrs: open (public-cluster, stacks/Pulumi.prod.yaml:9)",
    "         The exception ended on 2026-03-31: the office moves",
    "         write: allowedCidrs: [<your network as a CIDR>] # in access",
    "",
  ].join("\n");
  const [, , ...lines] = text.split("\n");
  expect(lines.join("\n").startsWith(errors)).toBe(true);
  expect(text).toContain("\n\nPolicies\n  1 note, 1 accepted: the plan without --against shows them\n");
  const same = formatComparisons([{ stack: "dev", comparison: unchanged, findings }], style);
  expect(same).toBe(
    `dev: policy error: a title – no change\ncapz-windows against main (1a2b3c4); resources: none changed, 53 unchanged\n${errors}`,
  );
  expect(formatComparisons([{ stack: "dev", comparison: example, findings: [] }], style)).not.toMatch(
    /policies/i,
  );
});

it("a comparison says what a change adds", () => {
  const report = { stack: "dev", comparison: example, findings, newFindings: findings.slice(0, 3) };
  const added = policyFindings(report.newFindings).filter((finding) => findingWord(finding) !== "error");
  expect(added.length).toBeGreaterThan(0);
  const text = formatComparisons([report], style);
  expect(text).toMatch(/\n\nPolicies\n(?: {2}new .*\n)+ {2}with these, 1 note, 1 accepted: /);
  const markdown = markdownReport([report]);
  expect(markdown).toContain("**New findings of policies**\n\n- ");
  expect(markdownReport([{ ...report, newFindings: [] }])).not.toContain("New findings");
});

const listedErrors = [
  "- 🔴 **error** access.allowedCidrs: open (`public-cluster`, `stacks/Pulumi.prod.yaml:9`)",
  "  - The exception ended on 2026-03-31: the office moves",
  "  - write: `allowedCidrs: [<your network as a CIDR>] # in access`",
  "",
].join("\n");

const listed = [
  "- 🔵 **note** windowsPools.a.windowsServer: old (`windows-mainstream-end`, `stacks/Pulumi.prod.yaml:20`)",
  '  - write: `windowsServer: "2025"`',
  "- ⚪ **accepted** protect: false (`unprotected`, `stacks/Pulumi.prod.yaml:7`)",
  "  - Accepted until 2027-03-31: a test",
  "",
].join("\n");

it("Markdown: errors stand first; a plan lists the rest, a comparison folds it", () => {
  const errors = `**Errors of policies**\n\n${listedErrors}`;
  const plan = markdownReport([{ stack: "dev", findings }]);
  expect(plan).toContain(`### 🔴 \`dev\`: policy error: a title – planned\n\n${errors}`);
  expect(plan).toContain(`**Policies**\n\n${listed}`);
  const comparison = markdownReport([{ stack: "dev", comparison: example, findings }]);
  expect(comparison).toMatch(
    /^## Plan against [^\n]*\n\n### 🔴 `dev`: policy error: a title – destroys: [^\n]*\n\n\*\*Errors/,
  );
  expect(comparison).toContain(`<details><summary>Policies: 1 note, 1 accepted</summary>\n\n${listed}`);
  expect(markdownReport([{ stack: "dev", comparison: unchanged, findings }])).toContain(errors);
  expect(markdownReport([{ stack: "dev", findings: findings.slice(3) }])).not.toContain("Policies");
  expect(markdownReport([{ stack: "dev", comparison: example, findings: [] }])).not.toContain("Policies");
});

it("HTML: a list with the rule, the place and what to write", () => {
  const page = htmlReport([{ stack: "dev", findings }]);
  expect(page).toContain("<code>public-cluster</code>, <code>stacks/Pulumi.prod.yaml:9</code>");
  expect(page).toContain("write: <code>allowedCidrs: [&lt;your network as a CIDR&gt;] # in access</code>");
  expect(page).toContain("Accepted until 2027-03-31: a test");
  expect(htmlReport([{ stack: "dev", findings: [] }])).not.toContain("Policies");
});

it("the last line of a plan counts them, and the other warnings", () => {
  const others = ["protect: false", "azure.subscriptionId: the placeholder"];
  expect(verdict(findings, others)).toEqual(["1 error, 1 note, 1 accepted of policies, 1 other warning."]);
  expect(verdict(undefined, others)).toEqual(["2 other warnings."]);
  expect(verdict([], [])).toEqual([]);
});
