import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { goldenDifference, goldenOf } from "../support/golden";
import { allExamples, exampleStacks, planOf, furtherStacks } from "../support/plans";
import { projectDir } from "../support/stacks";

const all = [...allExamples, ...furtherStacks];

describe("test/golden", () => {
  it.each(all)("is what a plan of %s writes (npm run golden, after reading)", async (stack) => {
    const difference = goldenDifference(projectDir, stack, goldenOf(await planOf(stack)));
    if (difference !== undefined) {
      throw new Error(difference);
    }
  });

  it("has each example stack and no other", () => {
    const sums = readFileSync(join(projectDir, "test/golden/sums.sha256"), "utf8");
    const names = [...sums.matchAll(/ {2}(.*)\//g)].map(([, name]) => name);
    expect([...new Set(names)].sort()).toEqual([...all].sort());
  });

  it("keeps every kind of object of all stacks as text", async () => {
    const plans = await Promise.all(exampleStacks.map(planOf));
    const made = plans.flatMap(({ objects }) =>
      [...objects.management, ...objects.sample].map(({ object }) => object.kind),
    );
    const folder = join(projectDir, "test/golden");
    const kept = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\b(management|sample)\b.*\.yaml$/.test(path))
      .flatMap((path) => /^kind: (.*)$/m.exec(readFileSync(join(folder, path), "utf8"))?.[1] ?? []);
    expect([...new Set(kept)].sort()).toEqual([...new Set(made)].sort());
  });

  it("shows what differs, group by group and text by text, and names the command that explains it", async () => {
    const golden = new Map(goldenOf(await planOf("everything")));
    const nat = golden.get("azure/network-nat.json")!;
    golden.set("azure/network-nat.json", nat.replace('"everything-node-natgw"', '"other"'));
    golden.set("azure", "another hash");
    golden.delete("azure/network-routes.json");
    golden.set("nodes/new/user-data.txt", "");
    expect(goldenDifference(projectDir, "everything", golden)).toMatchInlineSnapshot(`
     "The plan of everything is not what test/golden says:

     changed  azure
     changed  azure/network-nat.json
       @@ -4,7 +4,7 @@
          "inputs": {
            "idleTimeoutInMinutes": 4,
            "location": "westeurope",
       -    "natGatewayName": "everything-node-natgw",
       +    "natGatewayName": "other",
            "publicIpAddresses": [
              {
                "id": "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/everything/providers/Microsoft.Network/publicIPAddresses/pip-everything-node-natgw"
     deleted  azure/network-routes.json
     new  nodes/new/user-data.txt

     What the change means for a cluster that runs:
       npm run plan -- --config-file examples/Pulumi.everything.yaml --against HEAD
     If that is intended, \`npm run golden\` writes the files again."
    `);
  });

  it.each([
    ["an option", { options: { protect: true } }, ["plan.json"]],
    ["a dependency", { dependencies: [] }, ["order.txt", "plan.json"]],
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
