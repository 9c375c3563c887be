import { readdirSync } from "node:fs";
import { join } from "node:path";
import { apiService, expectedMtu, expectedNode, outsideName } from "capz-windows-probe/expected";
import { nodesOf } from "capz-windows-probe/nodes";
import { computerName } from "capz-windows-platform/machines/naming";
import { loadSettings } from "../../config/load";
import { stackFacts } from "../../config/stackFacts";
import { projectConfig } from "../../config/stackFile";
import { named, nodeObject } from "../../packages/probe/test/nodeObjects";
import { projectDir, readExample } from "../support/stacks";

/** What the probe expects of each example. */

const examples = readdirSync(join(projectDir, "test/stacks"))
  .map((file) => /^Pulumi\.(.+)\.yaml$/.exec(file)?.[1])
  .filter((name) => name !== undefined);

describe.each(examples)("the example %s", (name) => {
  const { config, file } = readExample(name);
  const facts = stackFacts(loadSettings(projectConfig(config), file).settings);
  const pools = facts.pools
    .filter(({ kind }) => kind === "MachinePool")
    .map(({ name: pool, os }) => ({ pool, os }));

  it("has an expected value for everything on every pool", () => {
    for (const { pool, os } of pools) {
      const expected = expectedNode(facts, pool)!;
      expect(expected.labels["kubernetes.io/os"]).toBe(os);
      expect(expected.maxPods).toBeGreaterThan(0);
      for (const place of ["host", "pod"] as const) {
        expect(expectedMtu(facts, os, place).bytes).toBeGreaterThanOrEqual(1280);
      }
    }
    expect(apiService(facts)).toBe(facts.network.serviceCidr.replace(/0\/\d+$/, "1"));
    expect(outsideName(facts)).toMatch(/^[a-z0-9.-]+$/);
  });

  it("knows its nodes by their names", () => {
    const objects = pools.map(({ pool, os }) => nodeObject(computerName(pool, os, 0), os));
    expect(named(nodesOf(facts, objects)).sort()).toEqual(
      pools.map(({ pool, os }) => `${pool}: ${computerName(pool, os, 0)}`).sort(),
    );
  });
});
