import { diffPlans } from "../../../plan/compare/diffPlans";
import { impactsOf } from "../../../plan/impact/impacts";
import { updateInline } from "../../support/inlinePlans";
import { documentOf } from "../../support/planDocuments";
import { plans } from "./plans";

it("the login for the other side of a peering comes and goes with it, and destroys nothing", async () => {
  const [without, hub] = [
    documentOf(await updateInline(plans.base)),
    documentOf(await updateInline(plans.hub)),
  ];
  const said = (base: typeof hub, head: typeof hub) =>
    impactsOf({ base, head, diff: diffPlans(base, head) }).map(({ rule, severity, what }) => [
      rule,
      severity,
      what,
    ]);
  const login = "The login for the other side of a peering (peering-hub-provider)";
  expect(said(without, hub)).toContainEqual(["peering", "changes", `${login} is new`]);
  const gone = said(hub, without);
  expect(gone).toContainEqual(["peering", "changes", `${login} is no longer needed`]);
  expect(gone.map(([, severity]) => severity)).not.toContain("destroys");
});
