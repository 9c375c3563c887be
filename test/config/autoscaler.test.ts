import { loadSettings } from "../../config/load";
import { minimal, settingsWith } from "../support/stacks";

const warningsWith = (change: object) =>
  loadSettings({ ...minimal(), ...change }, "test").warnings.map(
    ({ path, message }) => `${path}: ${message}`,
  );

const pool = (settings: object) => ({ linuxPools: { a: settings } });
const scaled = pool({ autoscale: { min: 1, max: 3 } });
const addon = (clusterAutoscaler: object) => ({ addons: { clusterAutoscaler } });
const own = { image: { id: "/subscriptions/x" } };

it("a pool with autoscale brings its autoscaler, of the cluster's minor version", () => {
  const autoscalerOf = (change: Readonly<Record<string, unknown>>) =>
    settingsWith(change).addons.clusterAutoscaler;
  expect(autoscalerOf({ ...scaled, kubernetesVersion: "v1.35.6" })).toMatchObject({
    enabled: true,
    version: "v1.35.2",
  });
  expect(autoscalerOf(pool({})).enabled).toBe(false);
  expect(autoscalerOf({ windowsPools: { w: { autoscale: { min: 1, max: 2 } } } }).enabled).toBe(true);
  expect(autoscalerOf({ ...scaled, ...addon({ enabled: false }) }).enabled).toBe(false);
  const older = (version: string) => ({
    ...{ kubernetesVersion: version, controlPlane: own },
    linuxPools: { a: { ...own, autoscale: { min: 1, max: 3 } } },
  });
  // Autoscalers before 1.30 cannot read the references of v1beta2.
  expect(autoscalerOf(older("v1.26.0"))).toMatchObject({ enabled: true, version: "v1.30.7" });
  expect(autoscalerOf(older("v1.25.16")).enabled).toBe(false);
});

it("without an autoscaler, autoscale gets a warning", () => {
  const nothing =
    "linuxPools.a.autoscale: no cluster autoscaler is installed by this stack: `autoscale` only writes the range into the annotations that one with `--cloud-provider=clusterapi` reads, and without it the pool keeps the number of nodes";
  expect(warningsWith({ ...scaled, ...addon({ enabled: false }) })).toContain(nothing);
  expect(warningsWith(scaled)).not.toContain(nothing);
  expect(warningsWith(pool({ replicas: 2 })).join()).not.toContain("autoscal");
});

it("an autoscaler without a pool with autoscale gets a warning", () => {
  const idle = "addons.clusterAutoscaler.enabled: no pool has autoscale, so the autoscaler has nothing to do";
  expect(warningsWith({ ...pool({}), ...addon({ enabled: true }) })).toContain(idle);
  expect(warningsWith({ ...scaled, ...addon({ enabled: true }) })).not.toContain(idle);
});

it("an autoscaler of another minor than the cluster's gets a warning, because its scheduler differs", () => {
  const other =
    "addons.clusterAutoscaler.version: it simulates the scheduler of Kubernetes 1.34, and the cluster has that of 1.35: use v1.35.2";
  const of = (version: string) =>
    warningsWith({ ...scaled, kubernetesVersion: "v1.35.6", ...addon({ version }) });
  expect(of("v1.34.5")).toContain(other);
  expect(of("v1.35.1").join()).not.toContain("simulates");
});

it("replicas beside autoscale have no effect", () => {
  const replicas =
    "linuxPools.a.replicas: ignored while autoscale is set: the pool starts with autoscale.min, or keeps its nodes";
  const both = { autoscale: { min: 1, max: 3 }, replicas: 2 };
  expect(warningsWith(pool(both))).toContain(replicas);
  expect(warningsWith({ linuxPools: JSON.stringify({ a: both }) })).toContain(replicas);
  for (const right of [scaled, pool({ replicas: 2 })]) {
    expect(warningsWith(right)).not.toContain(replicas);
  }
});
