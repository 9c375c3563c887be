import { diffPlans } from "../../plan/compare/diffPlans";
import { impactRules } from "../../plan/impact/allRules";
import { impactsOf } from "../../plan/impact/impacts";
import type { PlanDocument } from "capz-windows-contract";
import type { Plain } from "capz-windows-kit/untyped";
import { cases } from "../plan/impact/cases";
import { updateInline } from "../support/inlinePlans";
import { documentOf } from "../support/planDocuments";
import { existingManagement } from "../support/stacks";
import { accepted, changed, destroying, refused, refusedByAzure, stackBefore, withoutRow } from "./changes";

/** What the plan says of the rows that are refused, without an engine, and whether there is one for each rule that refuses. */

const { managementKubeconfig } = existingManagement;
const planned = async (config: Plain): Promise<PlanDocument> =>
  documentOf(await updateInline({ secretFiles: "own: one", managementKubeconfig, ...config }));

const before = stackBefore("rows");
const rows = [
  ...[...refused, ...destroying].map((change) => [change.what, change, before] as const),
  ...refusedByAzure.map((change) => [change.what, change, accepted.reduce(changed, before)] as const),
];

it.each(rows)("the plan says by the rule of the row what it is: %s", async (_, change, config) => {
  const [base, head] = [await planned(config), await planned(changed(config, change))];
  const impacts = impactsOf({ base, head, diff: diffPlans(base, head) });
  const severity = destroying.includes(change) ? "destroys" : "refused";
  expect(impacts).toContainEqual(expect.objectContaining({ rule: change.rule, severity }));
});

it("each rule that refuses what a stack file can say has a row, or a reason", () => {
  const withRow = rows.map(([, { rule }]) => rule);
  const ofCases = cases.filter(({ severity }) => severity === "refused");
  // Edits are changes that no stack file can make.
  const ofStackFiles = ofCases.filter(({ edit, editBefore }) => (edit ?? editBefore) === undefined);
  const onlyEdits = ofCases
    .map(({ rule }) => rule)
    .filter((id) => !ofStackFiles.some(({ rule }) => rule === id));
  const refusing = impactRules.filter(({ severity, later }) => severity === "refused" && later !== true);
  const all = new Set([...refusing.map(({ id }) => id), ...ofStackFiles.map(({ rule }) => rule)]);
  const needed = [...all].filter((id) => !withRow.includes(id) && !onlyEdits.includes(id));
  expect(needed.sort()).toEqual(Object.keys(withoutRow).sort());
  expect(needed.length).toBeLessThan(refused.length);
});
