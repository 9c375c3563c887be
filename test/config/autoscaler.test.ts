import { settingsWith } from "../support/stacks";

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
