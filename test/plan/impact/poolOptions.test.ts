import {
  optionRows,
  poolOptions,
  type PoolChange,
  type PoolOption,
  type PoolOptionName,
} from "../../../capi/poolOptions";
import { diffPlans } from "../../../plan/compare/diffPlans";
import { impactRules } from "../../../plan/impact/allRules";
import { impactsOf } from "../../../plan/impact/impacts";
import { exampleOf } from "../../../config/configDocument";
import { nodeAt } from "../../../config/jsonSchema";
import type { LinuxPoolConfig, WindowsPoolConfig } from "../../../config/schema/nodes";
import { updateInline } from "../../support/inlinePlans";
import { documentOf } from "../../support/planDocuments";
import { minimal } from "../../support/stacks";

/** What a change of each option of pools does is what its row in capi/poolOptions.ts says. */

type Raw = Readonly<Record<string, unknown>>;

/** A key of pools without a row does not compile. */
const rowOf: Readonly<Record<keyof LinuxPoolConfig | keyof WindowsPoolConfig, PoolOption>> = poolOptions;

const image = { computeGallery: { gallery: "mine", name: "capi-windows", version: "1" } };

/** Values, where the example of the schema is the default, needs another key, or is a mapping. */
const values: Partial<Record<PoolOptionName, unknown>> = {
  ...{ image, kind: "MachineDeployment", windowsServer: "2025", kubernetesVersion: "v1.35.5" },
  ...{ replicas: 3, autoscale: { min: 2, max: 3 }, zones: ["1"], rollout: { maxSurge: 2 } },
  ...{ vmSize: "Standard_D8s_v5", osDiskGB: 256, spot: {} },
  dataDisks: [{ name: "a", sizeGB: 64, letter: "F" }],
  trustedLaunch: { secureBoot: true, vTpm: true },
  healthCheck: { nodeStartupTimeoutSeconds: 2000 },
  deletion: { drain: false },
  kubelet: { maxPods: 50 },
  files: [{ path: "C:/k/own.txt", content: "own" }],
};

/** Pools that can have the option. */
const before: Partial<Record<PoolOptionName, Raw>> = {
  trustedLaunch: { image },
  ephemeralOsDisk: { vmSize: "Standard_D4ds_v5" },
};

const onlyOf: Partial<Record<PoolOptionName, string>> = {
  ...{ kind: "MachinePool", terminationNoticeMinutes: "MachinePool" },
  ...{ trustedLaunch: "MachineDeployment", healthCheck: "MachineDeployment" },
};

/** The rules that explain each effect on a scale set; where there are none, the row has some. */
const explainedBy: Readonly<Record<PoolChange, readonly string[]>> = {
  newMachines: ["pool-bootstrap-new-nodes-only", "pool-machine-new-nodes-only"],
  renews: ["pool-partly-renewed"],
  rolls: ["pool-rolls"],
  newPools: ["pool-network-new-pools-only"],
  refused: ["pool-fixed-machine", "pool-machine-new-nodes-only"],
  ...{ inPlace: [], recreates: [], byFields: [] },
};

const pools = (["MachinePool", "MachineDeployment"] as const).flatMap((kind) =>
  optionRows
    // What an override does, the rules of its fields say.
    .filter(([name]) => name !== "overrides" && (onlyOf[name] ?? kind) === kind)
    .map(([name], index) => {
      const base = { ...(kind === "MachinePool" ? {} : { kind }), ...before[name] };
      const value = values[name] ?? exampleOf(nodeAt(["windowsPools", "any", name])!);
      return { kind, name, pool: `${kind === "MachinePool" ? "s" : "d"}${index}`, base, value };
    }),
);

const impacts = async () => {
  const planned = await Promise.all(
    [false, true].map(async (changed) =>
      documentOf(
        await updateInline({
          ...minimal(),
          protect: false,
          network: { poolSubnets: { web: "10.10.64.0/20" } },
          windowsPools: Object.fromEntries(
            pools.map(({ name, pool, base, value }) => [
              pool,
              { ...base, ...(changed ? { [name]: value } : {}) },
            ]),
          ),
        }),
      ),
    ),
  );
  const [base, head] = planned as [(typeof planned)[0], (typeof planned)[0]];
  return impactsOf({ base, head, diff: diffPlans(base, head) });
};

it("each change is explained by the rules of its row, and by no other", async () => {
  const found = await impacts();
  const wrong = pools.flatMap(({ kind, name, pool }) => {
    const { change, rules = [] } = rowOf[name];
    const own = found.filter(({ what }) => new RegExp(`ool ${pool}\\b`).test(what)).map(({ rule }) => rule);
    const isMachines = kind === "MachineDeployment" && !["inPlace", "recreates"].includes(change);
    const effect = isMachines ? ["deployment-rolls"] : explainedBy[change];
    const main = effect.length === 0 ? rules : effect.slice(0, change === "newMachines" ? 2 : 1);
    const fits =
      own.every((rule) => [...effect, ...rules].includes(rule)) && own.some((rule) => main.includes(rule));
    return fits
      ? []
      : [`${name} (${kind}): its row says ${change} ${rules.join(" ")}; a plan says ${own.join(" ")}`];
  });
  expect(wrong).toEqual([]);
});

it("each rule that a row names exists", () => {
  const ids = impactRules.map(({ id }) => id);
  expect(optionRows.flatMap(([, { rules = [] }]) => rules).filter((rule) => !ids.includes(rule))).toEqual([]);
});
