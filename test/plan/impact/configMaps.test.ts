import { diffPlans } from "../../../plan/compare/diffPlans";
import { impactsOf } from "../../../plan/impact/impacts";
import { planOfResources, resourceOf } from "../../support/planDocuments";

it("a ConfigMap that no add-on delivers has no objects, whatever its texts say", () => {
  const note = resourceOf("kubernetes:core/v1:ConfigMap", "management-client", { data: { stack: "team-a" } });
  const [base, head] = [planOfResources(), planOfResources(note)];
  expect(impactsOf({ base, head, diff: diffPlans(base, head) })).toMatchObject([
    { rule: "other", severity: "changes", what: "ConfigMap management-client is new", urns: [note.urn] },
  ]);
});
