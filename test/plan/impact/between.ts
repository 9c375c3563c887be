import { diffPlans } from "../../../plan/compare/diffPlans";
import type { Impact } from "../../../plan/impact/impact";
import { impactsOf } from "../../../plan/impact/impacts";
import type { PlanDocument } from "capz-windows-contract";
import { updateInline } from "../../support/inlinePlans";
import { documentOf } from "../../support/planDocuments";

/** What a change means, by the plans before and after it. */
export const impactsOfPlans = (base: PlanDocument, head: PlanDocument): Impact[] =>
  impactsOf({ base, head, diff: diffPlans(base, head) });

/** The same of two stack files; keys without the prefix. */
export async function impactsBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Promise<Impact[]> {
  return impactsOfPlans(documentOf(await updateInline(before)), documentOf(await updateInline(after)));
}
