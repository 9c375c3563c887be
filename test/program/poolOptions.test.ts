import { machineSpecs, nested, passedFields, passedOptions, poolOptions } from "../../capi/poolOptions";
import { objectSchema, patchFaults } from "../../capi/overrides/crdSchema";
import { draftOf } from "../../commands/import/capz/draft";
import { objectsOfPlan } from "../../commands/import/plan";
import { poolDetails } from "../../plan/model/cluster/poolDetails";
import { nodeAt } from "../../config/jsonSchema";
import { at } from "capz-windows-kit/untyped";
import { updateInline } from "../support/inlinePlans";
import { inputsOf, objectsOf, planOf } from "../support/plans";
import { minimal, reportWith } from "../support/stacks";

/** Each option of pools reaches the objects and the plan, comes back from an import, and no override wins over it. */

describe.each(passedOptions)("the option %s", (name, option) => {
  const value = nodeAt(["windowsPools", "any", name])?.examples?.[0] as boolean | number | string;
  const [field] = option.machine;
  const pools = {
    scaleset: { [name]: value },
    ...(option.isScaleSetOnly ? {} : { machines: { kind: "MachineDeployment", [name]: value } }),
  };
  const plan = () => updateInline({ ...minimal(), windowsPools: pools });
  const kinds = (["AzureMachinePool", "AzureMachineTemplate"] as const).slice(0, Object.keys(pools).length);

  it("has a field of the CRD, with the value of the stack file", async () => {
    const made = await plan();
    for (const kind of kinds) {
      const path = `${machineSpecs[kind]}.${field}`;
      expect(patchFaults(objectSchema(kind), nested(path, value))).toEqual([]);
      const object = objectsOf(made, kind).find(({ metadata }) => /^(scaleset|machines)/.test(metadata.name));
      expect(at(object, ...path.split("."))).toBe(value);
      expect(passedFields({ [name]: option.unless }, kind)).toEqual([]);
    }
  });

  it("is shown by the plan, and read back by an import", async () => {
    const made = await plan();
    const found = draftOf(objectsOfPlan(made), {}).config.windowsPools;
    for (const [pool, keys] of Object.entries(pools)) {
      const { details } = made.cluster.pools.find((one) => one.name === pool)!;
      expect(details).toContain(`${name}: ${String(value)}`);
      expect(found).toMatchObject({ [pool]: keys });
    }
  });

  it("is named where an override has the field of CAPZ", () => {
    const patch = nested(`${machineSpecs.AzureMachinePool}.${field}`, value);
    const report = reportWith({ windowsPools: { win1: { overrides: { AzureMachinePool: patch } } } });
    expect(report).toContain(`allowed  other fields; for this one, ${name}`);
  });
});

/** Each of them is a field of its own in the model of a pool. */
const inModel = [
  ...["kind", "replicas", "autoscale", "zones", "kubernetesVersion", "windowsServer", "image", "vmSize"],
  ...["rollout", "overrides"],
];
/** Args of a component whose names differ from those of the options. */
const argOf: Readonly<Record<string, string>> = {
  ...{ subnet: "networkInterfaces", acceleratedNetworking: "networkInterfaces" },
  additionalNetworkInterfaces: "networkInterfaces",
};

it("each option of the example everything is a detail of its plan", async () => {
  const plan = await planOf("everything");
  const components = plan.update.resources.filter(({ type }) => /:(Linux|Windows)Pool$/.test(type));
  const silent = Object.keys(poolOptions).filter((name) =>
    components.every((component) => {
      const os = component.type.endsWith("WindowsPool") ? "windows" : "linux";
      const inputs = inputsOf(plan, component.name);
      const shown = (own: object) =>
        poolDetails({ ...component, inputs: { ...inputs, ...own } } as never, os);
      return shown({}).join() === shown({ [argOf[name] ?? name]: undefined }).join();
    }),
  );
  expect([...silent].sort()).toEqual([...inModel].sort());
});

it.each([
  [
    "labels",
    { MachinePool: { spec: { template: { metadata: { labels: { "node-role.kubernetes.io/own": "x" } } } } } },
  ],
  [
    "deletion",
    {
      MachinePool: {
        spec: {
          template: {
            metadata: { annotations: { "machine.cluster.x-k8s.io/exclude-node-draining": "false" } },
          },
        },
      },
    },
  ],
])("an override may not change what %s has set, and may add to it", async (key, overrides) => {
  const pool = { labels: { "node-role.kubernetes.io/own": "" }, deletion: { drain: false } };
  const planWith = (own: object) =>
    updateInline({ ...minimal(), linuxPools: { pool1: { ...own, overrides } } });
  await expect(planWith(pool)).rejects.toThrow(`for this one, ${key}`);
  await expect(planWith({})).resolves.toBeDefined();
});
