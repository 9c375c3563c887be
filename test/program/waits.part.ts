import type { RegisteredResource } from "pulumi-plan-engine";
import { redact, Unknown } from "pulumi-plan-engine";
import type { KubernetesObject } from "capz-types";
import { isMet, waitsOf } from "../life/waits";
import type { Plan } from "../../plan/model/plan";
import { updateInline } from "../support/inlinePlans";
import {
  exampleStacks,
  expectAfter,
  inputsOf,
  nameOf,
  objectsOf,
  planOf,
  planWithPreview,
  requires,
} from "../support/plans";
import { minimal } from "../support/stacks";

const patchesOf = ({ update }: Plan): RegisteredResource[] =>
  update.resources.filter(({ type }) => type.endsWith("Patch"));

it("waits for the pools after the Cluster and the network, and only with `wait: nodes`", async () => {
  const prod = await planOf("prod");
  const waits = patchesOf(prod).filter(({ name }) => name.startsWith("pools-"));
  expect(waits.map(({ name }) => name).sort()).toEqual([
    "pools-linux1-running",
    "pools-win2022-running",
    "pools-win2025-running",
  ]);
  for (const { inputs, dependencies, options } of waits) {
    expect(redact(inputs)).toMatchObject({
      kind: "MachinePool",
      metadata: {
        annotations: {
          "pulumi.com/waitFor": expect.stringContaining("jsonpath={.status.phase}=Running") as string,
        },
      },
    });
    // Without Calico no node is ready. With --parallel 1, a wait before Calico would keep it from being created.
    expect(dependencies.map(nameOf)).toEqual(expect.arrayContaining(["cluster-cluster", "calico-set"]));
    expect(nameOf(options.deletedWith!)).toBe("cluster-cluster");
  }
  expect(patchesOf(await planOf("dev")).filter(({ name }) => name.startsWith("pools-"))).toEqual([]);
  // A wait on the MachinePools themselves would never end, because the Cluster is created after them.
  for (const stack of exampleStacks) {
    for (const { metadata } of objectsOf(await planOf(stack), "MachinePool")) {
      expect(metadata.annotations).toMatchObject({ "pulumi.com/deletionPropagationPolicy": "background" });
      expect(Object.keys(metadata.annotations!)).not.toContain("pulumi.com/waitFor");
    }
  }
});

it("waits again for a pool that changes, and for no other", async () => {
  const plans = ["Standard_D4s_v5", "Standard_D8s_v5"].map((vmSize) =>
    updateInline({ ...minimal(), wait: "nodes", windowsPools: { win1: { vmSize }, win2: {} } }),
  );
  const [before, after] = await Promise.all(plans);
  // Pulumi waits only for resources that it updates, so an unchanged patch waits for nothing.
  const wait = (plan: typeof before, pool: string) => inputsOf(plan!, `pools-${pool}-running`);
  expect(wait(after, "win1")).not.toEqual(wait(before, "win1"));
  expect(wait(after, "win2")).toEqual(wait(before, "win2"));
});

/** The resource as one of the runs registered it. */
const inRun = (plan: Plan, run: "preview" | "update", name: string): RegisteredResource =>
  plan[run].resources.find((found) => found.name === name)!;

it.each(exampleStacks)(
  "%s: the Cluster is created without a wait, and a patch waits for its API server",
  async (stack) => {
    const plan = await planOf(stack);
    const { inputs, options, dependencies } = inRun(plan, "update", "cluster-initialized");
    expect(inputs).toMatchObject({
      apiVersion: "cluster.x-k8s.io/v1beta2",
      kind: "Cluster",
      metadata: {
        name: stack,
        namespace: stack,
        annotations: {
          "capz-windows/awaited": "control plane",
          "pulumi.com/waitFor": JSON.stringify([
            "jsonpath={.status.initialization.controlPlaneInitialized}=true",
            "jsonpath={.metadata.annotations['capz-windows/awaited']}=control plane",
          ]),
          "pulumi.com/patchForce": "true",
        },
      },
    });
    expect(Object.keys(inputs)).not.toContain("status");
    expect(dependencies.map(nameOf)).toContain("cluster-cluster");
    expect(nameOf(options.deletedWith!)).toBe("cluster-cluster");
    expect(options.customTimeouts).toEqual({ create: "60m", update: "60m", delete: "60m" });
  },
);

it("does not take an object from before a patch for the patched one, even if nothing else is waited for", async () => {
  for (const stack of exampleStacks) {
    for (const { name, inputs } of patchesOf(await planOf(stack))) {
      const patched = redact(inputs) as KubernetesObject;
      const before = { ...patched, metadata: { ...patched.metadata, annotations: {} } };
      const onlyPatched = waitsOf(patched, patched).filter(
        (condition) => isMet(condition, patched) && !isMet(condition, before),
      );
      expect([name, onlyPatched]).toEqual([name, [expect.any(String)]]);
    }
  }
});

it("leaves a patch unknown in the preview that creates its object, because the API server would refuse it", async () => {
  const plan = await planWithPreview("prod");
  for (const { name } of patchesOf(plan)) {
    const { metadata } = inRun(plan, "preview", name).inputs as { metadata: { annotations: unknown } };
    expect([name, metadata.annotations]).toEqual([name, expect.any(Unknown)]);
  }
});

it("creates Calico's set and those that no node needs after the API server answers, and all others before the Cluster", async () => {
  for (const stack of exampleStacks) {
    const plan = await planOf(stack);
    const sets = plan.update.resources.filter(({ type }) => type.endsWith("/v1beta2:ClusterResourceSet"));
    const late = sets.filter(({ name }) => requires(plan, name).has("cluster-initialized"));
    expect([stack, late.map(({ name }) => name).sort()]).toEqual([
      stack,
      [
        ...(stack === "dockershim" ? [] : ["calico-set"]),
        // Manifests of the user's come after the CNI.
        ...(stack === "everything" ? ["extra-policy-set", "extra-quota-set"] : []),
        ...(stack === "dockershim" ? [] : ["windows-workloads-set"]),
      ],
    ]);
    const early = sets.filter((set) => !late.includes(set)).map(({ name }) => name);
    expectAfter(plan, "cluster-cluster", early);
  }
});

it("creates all sets before the Cluster in a stack that does not wait", async () => {
  const plan = await updateInline({ ...minimal(), wait: "none" });
  expect([...requires(plan, "cluster-cluster")]).toContain("calico-set");
  expect(patchesOf(plan).filter(({ name }) => !name.startsWith("cluster-api-providers-"))).toEqual([]);
});
