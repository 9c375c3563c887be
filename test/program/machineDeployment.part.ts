import { poolRolled, poolRunning } from "../../capi/waits";
import type { Plan } from "../../plan/model/plan";
import { planFiles } from "../../plan/render/render";
import { loadCrdValidators } from "../support/crdSchemas";
import { updateInline } from "../support/inlinePlans";
import { expectAfter, objectsOf, resource } from "../support/plans";
import { minimal } from "../support/stacks";

/** Plan of a Windows MachineDeployment, beside a scale set with the same options. */
let plan: Plan;

beforeAll(async () => {
  plan = await updateInline({
    ...minimal(),
    wait: "nodes",
    windowsPools: { single: { kind: "MachineDeployment" }, scaleset: {} },
  });
});

it("has a MachineDeployment, its two templates and a health check, and no objects of a scale set", () => {
  const roles = ["azure", "bootstrap", "health-check", "pool"].map((role) => {
    const { type } = resource(plan, `pool-single-${role}`);
    return [role, type.split(":").at(-1)];
  });
  expect(Object.fromEntries(roles)).toEqual({
    azure: "AzureMachineTemplate",
    bootstrap: "KubeadmConfigTemplate",
    "health-check": "MachineHealthCheck",
    pool: "MachineDeployment",
  });
  expect(objectsOf(plan, "MachinePool").map(({ metadata }) => metadata.name)).toEqual(["scaleset"]);
  // Templates are created before the objects that name them, and the Cluster is deleted before all of them.
  expectAfter(plan, "pool-single-pool", ["pool-single-azure", "pool-single-bootstrap"]);
  expectAfter(plan, "cluster-cluster", ["pool-single-pool", "pool-single-health-check"]);
});

it("gives its machines the same user data as a scale set, except for the name of the Secret with azure.json", () => {
  const files = planFiles(plan);
  const data = (pool: string) => files.get(`nodes/${pool}/user-data.txt`)!;
  expect(data("single").length).toBeGreaterThan(1000);
  const general = (text: string) => text.replaceAll(/[\w-]+-azure-json/g, "SECRET");
  expect(general(data("single"))).toBe(general(data("scaleset")));
});

it("has a patch of its kind as a wait, which is deleted before the pool, and with the Cluster", () => {
  const { inputs, options } = resource(plan, "pools-single-running");
  expect(inputs).toMatchObject({
    kind: "MachineDeployment",
    metadata: {
      name: "single",
      annotations: {
        "pulumi.com/waitFor": expect.stringContaining(
          JSON.stringify([poolRunning, poolRolled]).slice(0, -1),
        ) as string,
      },
    },
  });
  expectAfter(plan, "pools-single-running", ["pool-single-pool"]);
  expect(options.deletedWith).toBe(resource(plan, "cluster-cluster").urn);
});

it("has the prefix of its nodes' names as an output, and not the names, which cannot be known", () => {
  const { pools } = plan.update.outputs as unknown as { pools: Record<string, object> };
  expect(pools.single).toMatchObject({ computerNamePrefix: "single-", firstNodes: [] });
  expect(Object.keys(pools.single!)).not.toContain("scaleSet");
  expect(pools.scaleset).toMatchObject({ computerNamePrefix: "scaleset", scaleSet: "scaleset" });
});

const crds = process.env.CAPZ_WINDOWS_CRDS;
(crds === undefined ? it.skip : it)("is right by the CRDs (skipped without CAPZ_WINDOWS_CRDS)", () => {
  const faults = loadCrdValidators(crds!);
  const kinds = ["AzureMachineTemplate", "KubeadmConfigTemplate", "MachineHealthCheck", "MachineDeployment"];
  const objects = kinds.flatMap((kind) => objectsOf(plan, kind));
  expect(objects.length).toBeGreaterThanOrEqual(kinds.length);
  expect(objects.flatMap(faults)).toEqual([]);
});
