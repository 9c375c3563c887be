import { stringify } from "yaml";
import { compared } from "../../commands/import/capz/compare";
import { poolOptions } from "../../capi/poolOptions";
import { objectsOfPlan } from "../../commands/import/plan";
import { exampleStacks, planOf } from "../support/plans";
import { isThorough } from "capz-windows-test-kit/sample";
import { notCarried } from "./notCarried";
import { answered, answers, importText, planner } from "./support";

/**
 * The objects of our own stacks are a source like any other, and must be imported to the same stack. They are printed
 * like by an API server; test/controllers proves that the real webhooks do not change the result.
 */
describe("the objects of an example stack", () => {
  test.each(isThorough ? exampleStacks : ["hub-spoke", "everything"])(
    "%s become a stack with the same objects",
    async (stack) => {
      const plan = await planOf(stack);
      const text = plan.objects.management
        .map(({ object }) =>
          stringify({ ...object, metadata: { ...object.metadata, resourceVersion: "1" }, status: {} }),
        )
        .join("---\n");
      const { config, open, unexplained, fields } = await importText(text, {
        RESOURCE_GROUP_OF_MYCOMPANY: "platform",
      });
      const found = compared(objectsOfPlan(plan), await planner(answered(config)));
      const differences = found.map(({ place, kind, path }) => `${place} ${kind} ${path}`);
      expect(differences.sort()).toEqual([...(notCarried[stack] ?? [])].sort());
      expect(unexplained).toEqual([]);
      // Fields of the source; those that only the plan has are no part of the sum, nor those that controllers set.
      const lost = found.filter(({ before }) => before !== undefined).length - (fields?.byControllers ?? 0);
      expect((fields?.same ?? 0) + lost).toBe(fields?.all);
      if (stack === "everything") {
        const pools = [config.linuxPools, config.windowsPools].flatMap((all) =>
          Object.values(all as Record<string, object>),
        );
        const read = new Set(pools.flatMap((pool) => Object.keys(pool)));
        const forgotten = Object.keys(poolOptions).filter((name) => !read.has(name));
        // The pools have the version of the cluster, and no field that only an override has.
        expect(forgotten).toEqual(["kubernetesVersion", "overrides"]);
      }
      // An import does not read Secrets, so their contents are an open question.
      expect(open.map(({ path }) => path).filter((path) => !(path in answers))).toEqual(
        stack === "everything"
          ? ["secretFiles"]
          : "managementKubeconfig" in config
            ? ["managementKubeconfig"]
            : [],
      );
    },
  );
});
