import { stringify } from "yaml";
import { compared, pathOf } from "../../import/capz/compare";
import { objectsOfPlan } from "../../import/plan";
import { planOf } from "../support/plans";
import { importText, planner } from "./support";

/** The objects of our own stacks are a source like any other, and the stack that comes out of them must be the same. */
describe("the objects of an example stack", () => {
  test.each(["dev", "existing", "prod", "pools", "private", "volumes", "autoscaled"])(
    "%s become a stack with the same objects",
    async (stack) => {
      const plan = await planOf(stack);
      const text = plan.objects.management.map(({ object }) => stringify(object)).join("---\n");
      const { config, open, unexplained } = await importText(text);
      const differences = compared(objectsOfPlan(plan), await planner(config)).map(
        (difference) => `${difference.place} ${difference.kind} ${pathOf(difference)}`,
      );
      expect({ open, unexplained, differences }).toEqual({ open: [], unexplained: [], differences: [] });
    },
    120_000,
  );

  // It has every key of pools. Not all of them are read from objects yet: what is not becomes an override or is named.
  test("everything becomes a stack that can be planned", async () => {
    const plan = await planOf("everything");
    const { config, leftOut } = await importText(
      plan.objects.management.map(({ object }) => stringify(object)).join("---\n"),
    );
    expect(Object.keys(config.windowsPools as object)).toEqual(
      Object.keys(plan.settings.windowsPools).sort(),
    );
    expect(leftOut.map(({ why }) => why)).toContain(
      "it is in the resource group of the cluster, and goes with it",
    );
  }, 120_000);
});
