import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lt, minVersion } from "semver";
import { parse } from "yaml";
import { exampleStacks, planOf } from "../support/plans";
import { projectDir } from "../support/stacks";

/** Whether webhooks admit the type: all kinds of Cluster API, CAPZ and their operator. */
const isAdmitted = (type: string): boolean => /^kubernetes:[^:]*cluster\.x-k8s\.io\//.test(type);

describe.each(exampleStacks)("the objects of the stack %s", (stack) => {
  it("are retried while the webhooks that admit them are unavailable, and no others", async () => {
    const { update } = await planOf(stack);
    const retried = update.resources
      .filter(({ options }) => options.hooks?.onError !== undefined)
      .map(({ name }) => name);
    expect(retried).toEqual(update.resources.filter(({ type }) => isAdmitted(type)).map(({ name }) => name));
    expect(retried.length).toBeGreaterThan(8);
  });
});

it.each(["Pulumi.yaml", "PulumiPlugin.yaml"])("%s requires a CLI that has error hooks", (file) => {
  const { requiredPulumiVersion } = parse(readFileSync(join(projectDir, file), "utf8")) as {
    requiredPulumiVersion: string;
  };
  // CHANGELOG of pulumi/pulumi: from 3.244 on the engine forwards all errors of a provider to error hooks.
  expect(lt(minVersion(requiredPulumiVersion)!, "3.244.0")).toBe(false);
});
