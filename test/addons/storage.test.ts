import { metricsServerObjects, metricsServerVersion } from "../../addons/metricsServer";
import { azureDiskObjects } from "../../addons/storage/azureDisk";
import { azureFileObjects } from "../../addons/storage/azureFile";
import { toYamlStream } from "capz-windows-platform/manifests/yamlStream";
import { packResources } from "../../components/clusterResourceSet/manifests";
import type { KubernetesObject } from "capz-types";
import { at } from "capz-windows-kit/untyped";
import { find, titles, workload, workloadsOf } from "./fixtures";

const disk = azureDiskObjects({ version: "v1.34.5", defaultClass: "managed-csi", replicas: 2 });
const file = azureFileObjects({ version: "v1.35.7", defaultClass: "managed-csi", replicas: 2 });
const metrics = metricsServerObjects({ version: "v0.9.0", replicas: 2, workers: 0 });
const all = [...disk, ...file, ...metrics];
const workloads = workloadsOf(all);
const windows = workloads.filter(({ metadata }) => metadata.name.endsWith("-win"));

describe("the workloads of storage and metrics", () => {
  it("are these", () => {
    expect(titles(workloads)).toEqual([
      "Deployment csi-azuredisk-controller",
      "DaemonSet csi-azuredisk-node",
      "DaemonSet csi-azuredisk-node-win",
      "Deployment csi-azurefile-controller",
      "DaemonSet csi-azurefile-node",
      "DaemonSet csi-azurefile-node-win",
      "Deployment metrics-server",
    ]);
  });

  it("use no port of a host twice, on nodes of any kind", () => {
    const ports = (one: KubernetesObject) =>
      [...JSON.stringify(one).matchAll(/(?:localhost|0\.0\.0\.0):(\d+)/g)].map(([, port]) => port);
    for (const system of [windows, workloads.filter((one) => !windows.includes(one))]) {
      const used = system.flatMap(ports);
      expect(used).toEqual([...new Set(used)]);
    }
  });

  it.each(windows)("on Windows have the driver as HostProcess container: $metadata.name", ({ spec }) => {
    const driver = spec.template.spec.containers.at(-1)!;
    expect(driver.args).toContain("--enable-windows-host-process=true");
    expect(driver.image).toMatch(/-windows-hp$/);
  });

  it.each(["azuredisk", "azurefile"])("%s's controller runs where azure.json has an identity", (driver) => {
    const { spec } = workload(all, "Deployment", `csi-${driver}-controller`);
    expect(spec.template.spec.nodeSelector).toEqual({ "node-role.kubernetes.io/control-plane": "" });
    expect(spec.strategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
    });
    // With this feature, a sidecar would wait for an API that only Kubernetes 1.34 and newer have.
    expect(JSON.stringify(spec)).not.toContain("VolumeAttributesClass=");
    expect(JSON.stringify(spec)).not.toContain("snapshotter");
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

  it("fit into a ConfigMap each", () => {
    for (const objects of [disk, file, metrics]) {
      const entries = [{ key: "all.yaml", yaml: toYamlStream(objects) }];
      const { configMaps } = packResources({
        ...{ name: "demo", namespace: "demo", clusterSelector: { demo: "yes" } },
        entries,
      });
      expect(configMaps).toHaveLength(1);
    }
  });
});

describe("storage classes", () => {
  const classes = (objects: readonly KubernetesObject[]) =>
    objects.filter(({ kind }) => kind === "StorageClass");

  it("are for Linux and Windows, so none names a file system", () => {
    expect(titles(classes(all))).toEqual([
      "StorageClass managed-csi",
      "StorageClass managed-csi-premium",
      "StorageClass azurefile-csi",
      "StorageClass azurefile-csi-premium",
    ]);
    expect(JSON.stringify(classes(all))).not.toMatch(/fstype/i);
  });

  it("of disks wait for the pod, whose node has a zone", () => {
    expect(classes(disk).map((one) => at(one, "volumeBindingMode"))).toEqual(
      Array.from({ length: 2 }, () => "WaitForFirstConsumer"),
    );
  });

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

  it("accepts the kubelets' own certificates, and runs where there is no Linux pool", () => {
    const { spec } = workload(metrics, "Deployment", "metrics-server");
    expect(spec.template.spec.containers[0]!.args).toContain("--kubelet-insecure-tls");
    expect(spec.template.spec.tolerations).toEqual([
      { key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" },
    ]);
  });

  it("is reached by the API server through a Service that selects its pods", () => {
    const service = find(metrics, "Service", "metrics-server");
    expect(find(metrics, "APIService", "v1beta1.metrics.k8s.io").spec).toMatchObject({
      service: { name: service.metadata.name, namespace: service.metadata.namespace },
    });
    expect(workload(metrics, "Deployment", "metrics-server").spec.template.metadata.labels).toMatchObject(
      at(service, "spec", "selector") as object,
    );
  });
});
