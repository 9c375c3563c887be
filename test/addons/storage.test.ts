import { metricsServerObjects, metricsServerVersion } from "../../addons/metricsServer";
import { azureDiskObjects } from "../../addons/storage/azureDisk";
import { azureFileObjects } from "../../addons/storage/azureFile";
import type { KubernetesObject } from "../../capi/types";
import { at } from "../../tools/untyped";
import { titles, workloadsOf } from "./fixtures";

const disk = azureDiskObjects({ version: "v1.34.5", defaultClass: "managed-csi", replicas: 2 });
const file = azureFileObjects({ version: "v1.35.7", defaultClass: "managed-csi", replicas: 2 });
const metrics = metricsServerObjects({ version: "v0.9.0", replicas: 2, workers: 0 });
const all = [...disk, ...file, ...metrics];
const workloads = workloadsOf(all);
const windows = workloads.filter(({ metadata }) => metadata.name.endsWith("-win"));

describe("the workloads of storage and metrics", () => {
  it("use no port of a host twice, on nodes of any kind", () => {
    const ports = (one: KubernetesObject) =>
      [...JSON.stringify(one).matchAll(/(?:localhost|0\.0\.0\.0):(\d+)/g)].map(([, port]) => port);
    for (const system of [windows, workloads.filter((one) => !windows.includes(one))]) {
      const used = system.flatMap(ports);
      expect(used).toEqual([...new Set(used)]);
    }
  });

  it("reach Azure through the proxy of the nodes", () => {
    const proxy = { url: "http://proxy.example.com:3128", noProxy: ["10.0.0.0/8"] };
    for (const objects of [
      azureDiskObjects({ version: "v1.34.5", defaultClass: "none", replicas: 1, proxy }),
      azureFileObjects({ version: "v1.35.7", defaultClass: "none", replicas: 1, proxy }),
    ]) {
      const controller = workloadsOf(objects).find(({ kind }) => kind === "Deployment")!;
      const asking = controller.spec.template.spec.containers.filter(({ env = [] }) =>
        JSON.stringify(env).includes(proxy.url),
      );
      expect(asking).toEqual([controller.spec.template.spec.containers.at(-1)]);
    }
  });

  it("keep one pod during a drain if there are two", () => {
    const budgets = (objects: readonly KubernetesObject[]) =>
      objects.filter(({ kind }) => kind === "PodDisruptionBudget");
    expect(titles(budgets(all))).toEqual([
      "PodDisruptionBudget csi-azuredisk-controller",
      "PodDisruptionBudget csi-azurefile-controller",
      "PodDisruptionBudget metrics-server",
    ]);
    for (const budget of budgets(all)) {
      const { matchLabels } = at(budget, "spec", "selector") as { matchLabels: object };
      const selected = workloads.filter(({ spec }) =>
        Object.entries(matchLabels).every(([key, value]) => spec.template.metadata.labels[key] === value),
      );
      expect(selected.map(({ metadata }) => metadata.name)).toEqual([budget.metadata.name]);
      expect(budget.spec).toMatchObject({ maxUnavailable: 1 });
    }
  });

  it("need no second node if there is one pod", () => {
    const single = metricsServerObjects({ version: "v0.9.0", replicas: 1, workers: 1 });
    expect(JSON.stringify(single)).not.toContain("podAntiAffinity");
  });
});

describe("storage classes", () => {
  const classes = (objects: readonly KubernetesObject[]) =>
    objects.filter(({ kind }) => kind === "StorageClass");

  it.each([
    ["managed-csi", ["managed-csi"]],
    ["azurefile-csi-premium", ["azurefile-csi-premium"]],
    ["none", []],
  ] as const)("have %s as default, and no second one", (defaultClass, expected) => {
    const objects = [
      ...azureDiskObjects({ version: "v1.34.5", defaultClass, replicas: 1 }),
      ...azureFileObjects({ version: "v1.35.7", defaultClass, replicas: 1 }),
    ];
    const marked = classes(objects).filter(
      ({ metadata }) => metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true",
    );
    expect(marked.map(({ metadata }) => metadata.name)).toEqual(expected);
    // The others have the annotation with "false", because a ClusterResourceSet does not remove one that it no longer
    // has.
    expect(classes(objects).filter(({ metadata }) => metadata.annotations === undefined)).toEqual([]);
  });
});

describe("metrics-server", () => {
  it.each([
    [36, "v0.9.0"],
    [34, "v0.9.0"],
    [33, "v0.8.1"],
    [31, "v0.8.1"],
    [30, "v0.7.2"],
    [27, "v0.7.2"],
    [26, "v0.6.4"],
  ])("for Kubernetes 1.%i is %s", (kubernetesMinor, version) => {
    expect(metricsServerVersion(kubernetesMinor)).toBe(version);
  });
});
