import { addonKeys, extraManifests } from "../../commands/import/capz/others";
import type { CapiObject } from "../../commands/import/capz/normal";
import { loadSettings } from "../../config/load";
import { minimal } from "../support/stacks";

const set = (name: string, kind = "ClusterResourceSet"): CapiObject =>
  ({ apiVersion: "addons.cluster.x-k8s.io/v1beta2", kind, name, labels: {}, owners: [], spec: {} }) as never;

it("switches on an add-on that a source delivers and that is off by default", () => {
  const found = addonKeys(["azure-file", "windows-exporter", "gmsa"].map((name) => set(`c-${name}`)));
  expect(found).toEqual({
    azureFile: { enabled: true },
    windowsExporter: { enabled: true },
    gmsa: { enabled: true },
  });
  expect(() => loadSettings({ ...minimal(), addons: found }, "test")).not.toThrow();
});

it("ignores what a stack delivers by default, and objects that are no ClusterResourceSet", () => {
  expect(addonKeys([set("c-calico"), set("c-metrics-server"), set("c-gmsa", "ConfigMap")])).toBeUndefined();
});

it.each([
  ["all are YAML", "kind: A", ["objects"]],
  ["one is none", "kind: [", []],
  ["one has a line that only Kubernetes sees", "kind: A # b\u2028kind: C", []],
])("carries a set of texts where %s", (_what, second, keys) => {
  const map = { ...set("m", "ConfigMap"), data: { a: "kind: B", b: second } } as CapiObject;
  const own = { ...set("own"), spec: { resources: [{ kind: "ConfigMap", name: "m" }] } } as CapiObject;
  const { extraManifests: made = {}, carried } = extraManifests([own, map], "c");
  expect(Object.values(made).flatMap((one) => Object.keys(one as object))).toEqual(
    keys.length > 0 ? [...keys, "strategy"] : [],
  );
  expect(carried.size).toBe(keys.length > 0 ? 2 : 0);
});
