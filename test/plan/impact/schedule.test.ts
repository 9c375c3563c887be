import fc from "fast-check";
import type { Impact } from "../../../plan/impact/impact";
import { scheduleOf } from "../../../plan/impact/schedule";
import type { Schedule } from "../../../plan/impact/scheduleSchema";
import type { ClusterModel, PoolModel } from "../../../plan/model/cluster/types";
import { estimatedMinutes } from "capz-windows-platform/machines/rollMinutes";
import { scheduleTexts } from "../../../plan/reports/scheduleTexts";
import { scheduleBetween, textOf } from "./schedules";

describe("what a reviewer reads", () => {
  it("another Kubernetes version: the control plane, then Linux, then Windows", async () => {
    expect(textOf(await scheduleBetween({}, { kubernetesVersion: "v1.36.2" }))).toMatchInlineSnapshot(`
     [
       "control plane: 3 machines replaced, 1 at a time, 29 to 113 minutes, +4 vCPUs DSv5",
       "Linux pool lin: 3 machines replaced, 1 at a time, 25 minutes or more, +8 vCPUs DSv5",
       "Windows pool one: 2 machines replaced, 1 at a time, 33 to 115 minutes, +4 vCPUs DSv5",
       "Windows pool win1: 4 machines replaced, 2 at a time, 31 minutes or more, +16 vCPUs DSv5",
       "Minutes are estimates, not measured on Azure; drains have no limit.",
       "At risk: the upgrade of Kubernetes from v1.35.6 to v1.36.2 cannot be undone.",
       "At risk: applications without a PodDisruptionBudget, because nodes of a scale set may be drained all at once. Give each a PodDisruptionBudget: its pods then stay until new nodes are ready.",
     ]
    `);
  });

  it("a control plane of one machine: those that are lost go first, and the surge takes their quota", async () => {
    const controlPlane = {
      replicas: 1,
      deletion: { nodeDrainTimeoutSeconds: 600 },
      vmSize: "Standard_D4s_v5",
    };
    const [first, second] = textOf(await scheduleBetween({}, { controlPlane, kubernetesVersion: "v1.36.2" }));
    expect([first, second]).toEqual([
      expect.stringMatching(/^control plane: 2 machines deleted, /),
      expect.stringMatching(/^control plane: 1 machine replaced, \d+ to \d+ minutes$/),
    ]);
  });

  it("another Windows image: one pool", async () => {
    const pools = (version: string) => ({
      windowsPools: {
        win1: {
          replicas: 5,
          image: { computeGallery: { gallery: "mine", name: "capi-windows", version } },
        },
      },
    });
    expect(textOf(await scheduleBetween(pools("1.35.6"), pools("1.35.7")))).toMatchInlineSnapshot(`
     [
       "Windows pool win1: 5 machines replaced, 1 at a time, 75 minutes or more, +8 vCPUs DSv5",
       "Minutes are estimates, not measured on Azure; drains have no limit.",
       "At risk: applications without a PodDisruptionBudget, because nodes of a scale set may be drained all at once. Give each a PodDisruptionBudget: its pods then stay until new nodes are ready.",
     ]
    `);
  });

  it("another VM size: a scale set is partly replaced, a MachineDeployment rolls", async () => {
    const vmSize = "Standard_D8s_v5";
    const windowsPools = {
      win1: { replicas: 4, rollout: { maxSurge: 2 }, vmSize },
      one: { kind: "MachineDeployment", replicas: 2, deletion: { nodeDrainTimeoutSeconds: 1800 }, vmSize },
    };
    expect(textOf(await scheduleBetween({}, { windowsPools }))).toMatchInlineSnapshot(`
     [
       "Windows pool one: 2 machines replaced, 1 at a time, 33 to 115 minutes, +8 vCPUs DSv5",
       "Windows pool win1: 2 machines replaced, 17 minutes or more, +16 vCPUs DSv5",
       "Minutes are estimates, not measured on Azure; drains have no limit.",
       "At risk: applications without a PodDisruptionBudget, because nodes of a scale set may be drained all at once. Give each a PodDisruptionBudget: its pods then stay until new nodes are ready.",
     ]
    `);
  });
});

const pool = (name: string, more: Partial<PoolModel>): PoolModel => ({
  ...{ name, os: "windows", kind: "MachinePool", replicas: 3, vmSize: "Standard_D4s_v5", version: "v1.35.6" },
  ...{ image: "", shortImage: "", zones: [], computerNamePrefix: name, firstNodes: [] },
  rollout: { maxSurge: 1, maxUnavailable: 0 },
  access: {} as PoolModel["access"],
  members: { component: name, machines: `urn ${name}` },
  ...more,
});

const cluster = (pools: readonly PoolModel[], version: string): ClusterModel =>
  ({
    pools,
    kubernetesVersion: version,
    management: {},
    controlPlane: {
      ...{ replicas: 3, maxSurge: 1, vmSize: "Standard_D4s_v5" },
      ...{ ordersUpgrades: true, drainLimitSeconds: 600 },
    },
  }) as unknown as ClusterModel;

const impact = (rule: string, nodes: number, urn: string): Impact => ({
  ...{ severity: "rolls", rule, what: "", why: "", source: "project", nodes },
  urns: [urn],
});

/** An upgrade in which every pool rolls. */
const upgrade = (pools: readonly PoolModel[], machines: number): Schedule | undefined =>
  scheduleOf(
    [
      ...(machines > 0 ? [impact("control-plane-rolls", machines, "urn control plane")] : []),
      ...pools.map(({ name, replicas, kind }) =>
        impact(kind === "MachinePool" ? "pool-rolls" : "deployment-rolls", replicas, `urn ${name}`),
      ),
    ],
    {
      base: cluster(pools, "v1.35.6"),
      head: cluster(
        pools.map((one) => ({ ...one, version: "v1.36.2" })),
        "v1.36.2",
      ),
    },
    estimatedMinutes,
  );

const anyPool = fc.record({
  os: fc.constantFrom("linux" as const, "windows" as const),
  kind: fc.constantFrom("MachinePool" as const, "MachineDeployment" as const),
  replicas: fc.integer({ min: 0, max: 12 }),
  rollout: fc.record({
    maxSurge: fc.integer({ min: 0, max: 4 }),
    maxUnavailable: fc.integer({ min: 0, max: 3 }),
  }),
  drainLimitSeconds: fc.integer({ min: 0, max: 7200 }),
});
const anyPools = fc
  .array(anyPool, { maxLength: 5 })
  .map((pools) => pools.map((one, index) => pool(`p${index}`, one)));

describe("any upgrade", () => {
  it("has one line for each pool with machines, whose time grows with them", () => {
    fc.assert(
      fc.property(anyPools, fc.integer({ min: 0, max: 5 }), (pools, machines) => {
        const schedule = upgrade(pools, machines);
        const nodes = pools.reduce((all, { replicas }) => all + replicas, machines);
        if (nodes === 0) {
          expect(schedule).toBeUndefined();
          return;
        }
        const all = schedule?.pools ?? [];
        expect(all.reduce((sum, one) => sum + one.machines.most, 0)).toBe(nodes);
        for (const { machines: own, minutes, missing, together } of all) {
          expect(minutes.least).toBeGreaterThan(0);
          expect(minutes.most).toBeGreaterThanOrEqual(minutes.least);
          expect(missing).toBeLessThanOrEqual(own.most);
          expect(together).toBeLessThanOrEqual(own.most);
        }
        expect(scheduleTexts(schedule!)).toHaveLength(all.length + 1 + schedule!.risks.length);
      }),
    );
  });

  it("takes no less time with one more machine", () => {
    fc.assert(
      fc.property(anyPool, fc.integer({ min: 1, max: 5 }), (one, machines) => {
        const least = (more: number) => {
          const pools = [pool("p", { ...one, replicas: one.replicas + more })];
          return upgrade(pools, machines + more)!.pools.reduce((sum, { minutes }) => sum + minutes.least, 0);
        };
        expect(least(1)).toBeGreaterThan(least(0));
      }),
    );
  });

  it("has no upper limit if one drain has none", () => {
    expect(upgrade([pool("p", {})], 0)?.pools[0]?.minutes.most).toBeUndefined();
    expect(upgrade([pool("p", { drainLimitSeconds: 60 })], 0)?.pools[0]?.minutes.most).toBeCloseTo(
      3 * (25 + 1 + 0.5) + 2,
    );
  });
});
