import { redact } from "../../plan/engine";
import { updateInline } from "../support/inlinePlans";
import { exampleStacks, inputsOf, nameOf, objectsOf, planOf } from "../support/plans";
import { minimal } from "../support/stacks";

it("waits for the pools after the Cluster, and only in a stack that says so", async () => {
  const waits = (await planOf("prod")).update.resources.filter(({ type }) => type.endsWith("Patch"));
  expect(waits.map(({ name }) => name).sort()).toEqual([
    "cluster-linux1-running",
    "cluster-win2022-running",
    "cluster-win2025-running",
  ]);
  for (const { inputs, dependencies, options } of waits) {
    expect(redact(inputs)).toMatchObject({
      kind: "MachinePool",
      metadata: { annotations: { "pulumi.com/waitFor": "jsonpath={.status.phase}=Running" } },
    });
    expect(dependencies.map(nameOf)).toContain("cluster-cluster");
    expect(nameOf(options.deletedWith!)).toBe("cluster-cluster");
  }
  const { update } = await planOf("dev");
  expect(update.resources.filter(({ type }) => type.endsWith("Patch"))).toEqual([]);
  // On the MachinePools themselves, which the Cluster waits for, the wait would never end.
  for (const stack of exampleStacks) {
    for (const { metadata } of objectsOf(await planOf(stack), "MachinePool")) {
      expect(metadata.annotations).toMatchObject({ "pulumi.com/skipAwait": "true" });
      expect(Object.keys(metadata.annotations!)).not.toContain("pulumi.com/waitFor");
    }
  }
});

it("waits again for a pool that changes, and for no other", async () => {
  const plans = ["Standard_D4s_v5", "Standard_D8s_v5"].map((vmSize) =>
    updateInline({ ...minimal(), wait: "nodes", windowsPools: { win1: { vmSize }, win2: {} } }),
  );
  const [before, after] = await Promise.all(plans);
  // Pulumi waits for what it updates, so a wait that stays as it is waits for nothing.
  const wait = (plan: typeof before, pool: string) => inputsOf(plan!, `cluster-${pool}-running`);
  expect(wait(after, "win1")).not.toEqual(wait(before, "win1"));
  expect(wait(after, "win2")).toEqual(wait(before, "win2"));
});
