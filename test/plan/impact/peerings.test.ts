import { impactsBetween } from "./between";
import { plans } from "./plans";

it("the login for the other side of a peering comes and goes with it, and destroys nothing", async () => {
  const said = async (before: object, after: object) =>
    (await impactsBetween({ ...before }, { ...after })).map(({ rule, severity, what }) => [
      rule,
      severity,
      what,
    ]);
  const provider = "the provider peering-hub-provider (azure-native)";
  expect(await said(plans.base, plans.hub)).toContainEqual([
    "pulumi-provider",
    "metadata",
    `Pulumi uses ${provider}`,
  ]);
  const gone = await said(plans.hub, plans.base);
  expect(gone).toContainEqual(["pulumi-provider", "metadata", `Pulumi no longer needs ${provider}`]);
  expect(gone.map(([, severity]) => severity)).not.toContain("destroys");
});
