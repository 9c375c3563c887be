import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { goldenDifference, goldenFiles } from "../support/golden";
import { planFiles } from "../../commands/plan/render/render";
import { clientsNamespace } from "../../platform/cluster/clients";
import { stacksOf } from "../../config/stackNames";
import { allExamples, exampleStacks, planOf, furtherStacks } from "../support/plans";
import { exampleFile, projectDir } from "../support/stacks";

const all = [...allExamples, ...furtherStacks];

describe("test/golden", () => {
  it.each(all)("is what a plan of %s writes (npm run golden, after reading)", async (stack) => {
    const difference = goldenDifference(projectDir, stack, goldenFiles(await planOf(stack)));
    if (difference !== undefined) {
      throw new Error(difference);
    }
  });

  it("is of the examples as they are (npm run golden); a deleted one changes nothing", () => {
    const examples = join(projectDir, "examples");
    for (const stack of existsSync(examples) ? stacksOf(examples) : []) {
      const example = readFileSync(join(examples, `Pulumi.${stack}.yaml`), "utf8");
      expect({ stack, text: readFileSync(join(projectDir, exampleFile(stack)), "utf8") }).toEqual({
        stack,
        text: example,
      });
    }
  });

  it("has each example stack and no other", () => {
    const names = readdirSync(join(projectDir, "test/golden")).map((name) => name.replace(/\.sha256$/, ""));
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

  it("names the files of a stack whose hashes differ", async () => {
    const files = new Map(goldenFiles(await planOf("pools")));
    files.set("azure/network-nat.json", "{}");
    files.delete("azure/network-routes.json");
    expect(goldenDifference(projectDir, "pools", files)).toBe(
      [
        "The plan of pools is not what test/golden/pools.sha256 says:",
        "",
        "changed  azure/network-nat.json",
        "deleted  azure/network-routes.json",
        "",
        "What the change means for a cluster that runs:",
        "  npm run plan -- --config-file test/stacks/Pulumi.pools.yaml --against HEAD",
        "If that is intended, `npm run golden` writes the files again.",
      ].join("\n"),
    );
  });

  it("shows the differences file by file, and names the command that explains them", async () => {
    const files = new Map(goldenFiles(await planOf("everything")));
    const nat = files.get("azure/network-nat.json")!;
    files.set("azure/network-nat.json", nat.replace('"everything-node-natgw"', '"other"'));
    files.delete("azure/network-routes.json");
    files.set("nodes/new/user-data.txt", "");
    expect(goldenDifference(projectDir, "everything", files)).toMatchInlineSnapshot(`
     "The plan of everything is not what test/golden/everything says:

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
       npm run plan -- --config-file test/stacks/Pulumi.everything.yaml --against HEAD
     If that is intended, \`npm run golden\` writes the files again."
    `);
  });

  it.each(exampleStacks)("leaves out of the plan of %s only what other files contain", async (stack) => {
    const plan = await planOf(stack);
    const [all, golden] = [planFiles(plan), goldenFiles(plan)];
    expect([...all.keys()].filter((path) => !golden.has(path) && !path.startsWith("workload/"))).toEqual([
      "plan.json",
    ]);
    const delivered = plan.objects.management.flatMap(({ object }) =>
      object.kind === "ConfigMap" && object.metadata.namespace !== clientsNamespace
        ? Object.values(object.data as Record<string, string>)
        : [],
    );
    const streams = [...all].filter(([path]) => path.startsWith("workload/")).map(([, text]) => text);
    expect(streams.sort()).toEqual(delivered.sort());
  });

  it("has in resources.yaml everything of a resource that its own file does not have", async () => {
    const text = goldenFiles(await planOf("prod")).get("resources.yaml")!;
    const entry = (name: string): string =>
      text
        .split(/^ {2}- /m)
        .find((part) => part.split("\n")[0]!.endsWith(`::${name}`))!
        // Changes with everything that the pool's nodes get.
        .replace(/(awaited: )[0-9a-f]{8}\n/, "$1(hash)\n");
    expect(entry("pools-win2022-running")).toMatchInlineSnapshot(`
     "urn: urn:pulumi:prod::capz-windows::capz-windows:index:RunningPools$kubernetes:cluster.x-k8s.io/v1beta2:MachinePoolPatch::pools-win2022-running
         parent: pools
         provider: management-provider
         inputs:
           apiVersion: cluster.x-k8s.io/v1beta2
           kind: MachinePool
           metadata:
             annotations:
               capz-windows/awaited: (hash)
               pulumi.com/patchForce: "true"
               pulumi.com/waitFor: jsonpath={.status.phase}=Running
             name: win2022
             namespace: prod
         options:
           customTimeouts:
             create: 60m
             delete: 60m
             update: 60m
           deletedWith: cluster-cluster
           hooks:
             onError:
               - pools-webhooks
         dependencies:
           - those of pools
     "
    `);
    expect(entry("cluster-api-identity-control-plane-network-role")).toMatchInlineSnapshot(`
     "urn: urn:pulumi:prod::capz-windows::capz-windows:index:ClusterApi$capz-windows:index:ControllerIdentity$azure-native:authorization:RoleAssignment::cluster-api-identity-control-plane-network-role
         parent: cluster-api-identity
         provider: azure
         options:
           deleteBeforeReplace: true
           replaceOnChanges:
             - principalId
         dependencies:
           - cluster-api-identity-control-plane
           - network-resource-group
     "
    `);
    expect(text).toMatch(/^outputs:\n/m);
    expect(text).toMatch(/^warnings:\n/m);
  });
});
