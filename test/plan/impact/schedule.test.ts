import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { minutesOf } from "../../../commands/plan/cli/rollMinutes";
import type { Impact } from "../../../commands/plan/impact/impact";
import { scheduleOf } from "../../../commands/plan/impact/schedule";
import type { Schedule } from "../../../commands/plan/impact/stages";
import type { ClusterModel, PoolModel } from "../../../commands/plan/model/cluster/types";
import { estimatedMinutes } from "../../../platform/machines/rollMinutes";
import { scheduleBetween, textOf } from "./schedules";

describe("what a reviewer reads", () => {
  it("another Kubernetes version: the control plane, then Linux, then Windows", async () => {
    expect(textOf(await scheduleBetween({}, { kubernetesVersion: "v1.36.2" }))).toMatchInlineSnapshot(`
     [
       "About 86 minutes until the last new machine is ready and the last old one is gone. There is no upper limit: drains in Linux pool lin and Windows pool win1 have none, and a PodDisruptionBudget can hold a node until you act.",
       "control plane      0:00–0:29  ███████·············",
       "3 machines replaced, 1 at a time; each new node is ready before an old one goes; 4 more vCPUs",
       "Linux pool lin     0:29–0:53  ·······██████·······",
       "3 machines replaced, 1 at a time; each new node is ready before an old one goes; the pods of 3 old nodes may have to move at once; 8 more vCPUs",
       "Windows pool one   0:53–1:26  ············████████",
       "2 machines replaced, 1 at a time; each new node is ready before an old one goes; 4 more vCPUs",
       "Windows pool win1  0:53–1:24  ············███████·",
       "4 machines replaced, 2 at a time; each new node is ready before an old one goes; the pods of 4 old nodes may have to move at once; 16 more vCPUs",
       "At risk: the upgrade of Kubernetes from v1.35.6 to v1.36.2 cannot be undone.",
       "At risk: the DaemonSets cloud-node-manager, cloud-node-manager-windows and kube-proxy-windows get another version and restart on every node where they run.",
       "At risk: applications without a PodDisruptionBudget, because nodes of a scale set may be drained all at once. Give each a PodDisruptionBudget: its pods then stay until new nodes are ready.",
       "Quota: at most 20 more vCPUs of DSv5 than today, from 0:53 on; without them the change stops until there is quota.",
       "Times are hours:minutes since the beginning of the update; they are estimates, not measured on Azure.",
     ]
    `);
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
       "About 75 minutes until the last new machine is ready and the last old one is gone. There is no upper limit: drains in Windows pool win1 have none, and a PodDisruptionBudget can hold a node until you act.",
       "Windows pool win1  0:00–1:15  ████████████████████",
       "5 machines replaced, 1 at a time; each new node is ready before an old one goes; the pods of 5 old nodes may have to move at once; 8 more vCPUs",
       "At risk: applications without a PodDisruptionBudget, because nodes of a scale set may be drained all at once. Give each a PodDisruptionBudget: its pods then stay until new nodes are ready.",
       "Quota: at most 8 more vCPUs of DSv5 than today, from 0:00 on; without them the change stops until there is quota.",
       "Times are hours:minutes since the beginning of the update; they are estimates, not measured on Azure.",
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
       "About 33 minutes until the last new machine is ready and the last old one is gone. There is no upper limit: drains in Windows pool win1 have none, and a PodDisruptionBudget can hold a node until you act.",
       "Windows pool one   0:00–0:33  ████████████████████",
       "2 machines replaced, 1 at a time; each new node is ready before an old one goes; 8 more vCPUs",
       "Windows pool win1  0:00–0:17  ██████████··········",
       "2 machines replaced; each new node is ready before an old one goes; the pods of 2 old nodes may have to move at once; 16 more vCPUs",
       "At risk: applications without a PodDisruptionBudget, because nodes of a scale set may be drained all at once. Give each a PodDisruptionBudget: its pods then stay until new nodes are ready.",
       "Quota: at most 24 more vCPUs of DSv5 than today, from 0:00 on; without them the change stops until there is quota.",
       "Times are hours:minutes since the beginning of the update; they are estimates, not measured on Azure.",
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
  it("takes as long as its longest path: no part lasts longer, and none begins before what it waits for", () => {
    fc.assert(
      fc.property(anyPools, fc.integer({ min: 0, max: 5 }), (pools, machines) => {
        const schedule = upgrade(pools, machines);
        const nodes = pools.reduce((all, { replicas }) => all + replicas, machines);
        if (nodes === 0) {
          expect(schedule).toBeUndefined();
          return;
        }
        const { stages, likely, most } = schedule!;
        expect(stages.reduce((all, stage) => all + stage.machines, 0)).toBe(nodes);
        for (const { begins, ends, missing, machines: own, most: longest } of stages) {
          expect(ends).toBeGreaterThan(begins);
          expect(ends).toBeLessThanOrEqual(likely);
          expect(longest).toBeGreaterThanOrEqual(ends - begins);
          expect(missing).toBeLessThanOrEqual(own);
        }
        expect(most).toBeGreaterThanOrEqual(likely);
        const ofControlPlane = stages.find(({ who }) => who === "control plane")?.ends ?? 0;
        const others = stages.filter(({ who }) => who !== "control plane");
        expect(others.every(({ begins }) => begins >= ofControlPlane)).toBe(true);
        const linux = Math.max(
          0,
          ...others.filter(({ who }) => who.startsWith("Linux")).map(({ ends }) => ends),
        );
        const windows = others.filter(({ who }) => who.startsWith("Windows"));
        expect(windows.every(({ begins }) => begins >= linux)).toBe(true);
      }),
    );
  });

  it("takes no less time with one more machine", () => {
    fc.assert(
      fc.property(anyPool, fc.integer({ min: 1, max: 5 }), (one, machines) => {
        const likely = (more: number) =>
          upgrade([pool("p", { ...one, replicas: one.replicas + more })], machines + more)!.likely;
        expect(likely(1)).toBeGreaterThan(likely(0));
      }),
    );
  });

  it("has no upper limit if one drain has none", () => {
    expect(upgrade([pool("p", {})], 0)?.most).toBeUndefined();
    expect(upgrade([pool("p", { drainLimitSeconds: 60 })], 0)?.most).toBeCloseTo(3 * (25 + 1 + 0.5) + 2);
  });
});

describe("minutes that were measured", () => {
  const dir = mkdtempSync(join(tmpdir(), "capz-windows-timing-"));
  const written = (text: string) => {
    writeFileSync(join(dir, "timing.prod.yaml"), text);
    return () => minutesOf(dir, "prod");
  };

  afterAll(() => {
    rmSync(dir, { recursive: true });
  });

  it("stand in a file beside the stack file, and the estimates in their place without it", () => {
    expect(minutesOf(dir, "dev")).toBe(estimatedMinutes);
    expect(written("measured: 2026-11-23\nbootMinutes: { windows: 9.5 }\n")()).toEqual({
      ...estimatedMinutes,
      boot: { linux: 5, windows: 9.5 },
      source: "measured on this cluster on 2026-11-23 (windows), and estimates for the rest",
    });
  });

  it("are refused where they are none", () => {
    const text = "bootMinutes: { windows: 0 }\ndrainMinutes: soon\nboots: 3\n";
    expect(written(text)).toThrow(
      `timing.prod.yaml: measured: expected the day of the measurement as text, such as 2026-07-01, found nothing
  bootMinutes.windows: expected minutes, more than 0 and at most 1440, found 0
  drainMinutes: expected minutes, more than 0 and at most 1440, found "soon"
  unknown key boots
Correct it, or delete it: docs/operations.md, "How long a change takes", has an example.`,
    );
    expect(written("3\n")).toThrow(
      'timing.prod.yaml: expected a mapping with measured, bootMinutes and drainMinutes, found 3\nCorrect it, or delete it: docs/operations.md, "How long a change takes", has an example.',
    );
  });
});
