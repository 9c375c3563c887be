import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stacksOf } from "capz-windows-kit/stackNames";
import { copyOf, goldenDifference, goldenOf } from "../support/golden";
import { allExamples, planOf, furtherStacks } from "../support/plans";
import { exampleFile, projectDir } from "../support/stacks";

const all = [...allExamples, ...furtherStacks];

describe("test/golden", () => {
  it.each(all)("is what a plan of %s writes (npm run golden, after reading)", async (stack) => {
    const difference = goldenDifference(projectDir, stack, goldenOf(await planOf(stack)));
    if (difference !== undefined) {
      throw new Error(difference);
    }
  });

  it("is of the examples as they are (npm run golden); a deleted one changes nothing", () => {
    const examples = join(projectDir, "examples");
    for (const stack of existsSync(examples) ? stacksOf(examples) : []) {
      const copy = copyOf(readFileSync(join(examples, `Pulumi.${stack}.yaml`), "utf8"));
      expect({ stack, copy }).toEqual({
        stack,
        copy: readFileSync(join(projectDir, exampleFile(stack)), "utf8"),
      });
    }
  });

  it("has each example stack and no other", () => {
    const sums = readFileSync(join(projectDir, "test/golden/sums.sha256"), "utf8");
    const names = [...sums.matchAll(/ {2}(.*)\//g)].map(([, name]) => name);
    expect([...new Set(names)].sort()).toEqual([...all].sort());
  });

  it("shows what differs, group by group and text by text, and names the command that explains it", async () => {
    const golden = new Map(goldenOf(await planOf("dev")));
    const pool = golden.get("management/azuremachinepool-win1.yaml")!;
    golden.set("management/azuremachinepool-win1.yaml", pool.replace("westeurope", "northeurope"));
    golden.set("azure", "another hash");
    golden.delete("management/machinepool-win1.yaml");
    golden.set("sample/02-service-other.yaml", "");
    expect(goldenDifference(projectDir, "dev", golden)).toMatchInlineSnapshot(`
     "The plan of dev is not what test/golden says:

     changed  azure
     changed  management/azuremachinepool-win1.yaml
       @@ -7,7 +7,7 @@
          name: win1
          namespace: dev
        spec:
       -  location: westeurope
       +  location: northeurope
          strategy:
            rollingUpdate:
              deletePolicy: Oldest
     deleted  management/machinepool-win1.yaml
     new  sample/02-service-other.yaml

     What the change means for a cluster that runs:
       npm run plan -- --config-file test/stacks/Pulumi.dev.yaml --against origin/main
     If that is intended, \`npm run golden\` writes the files again."
    `);
  });

  it.each([
    ["an option", { options: { protect: true } }, ["resources.json"]],
    ["a dependency", { dependencies: [] }, ["order.txt", "resources.json"]],
  ])("says that %s of a resource is another one", async (_what, change, expected) => {
    const plan = await planOf("everything");
    const resources = plan.resources.map((one) =>
      one.name === "bastion-host" ? { ...one, ...change } : one,
    );
    const golden = goldenOf({ ...plan, resources });
    const changed = [...goldenOf(plan)].filter(([path, text]) => golden.get(path) !== text);
    expect(changed.map(([path]) => path)).toEqual(expected);
  });
});
