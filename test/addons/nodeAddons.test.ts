import { cloudProviderAzureObjects } from "../../addons/cloudProviderAzure";
import { kubeProxyWindowsImage, kubeProxyWindowsObjects } from "../../addons/kubeProxyWindows";
import { metricsServerObjects } from "../../addons/metricsServer";
import { azureDiskObjects } from "../../addons/storage/azureDisk";
import { azureFileObjects } from "../../addons/storage/azureFile";
import { windowsExporterObjects } from "../../addons/windowsExporter";
import { windowsMtuObjects } from "../../addons/windowsMtu";
import { Flavor, platformOf } from "capz-windows-platform/cluster/platform";
import { toYamlStream } from "capz-windows-platform/manifests/yamlStream";
import { containerOf, objectsOf, titles, workload, workloadsOf } from "./fixtures";

/** What holds for the workloads of all add-ons that are written in addons/; Calico's are those of its release. */

const kubernetesVersion = "v1.35.6";
const kubeProxy = kubeProxyWindowsObjects({ kubernetesVersion });
const all = [
  ...cloudProviderAzureObjects({ clusterName: "demo", kubernetesVersion, podCidr: "192.168.0.0/16" }),
  ...kubeProxy,
  ...azureDiskObjects({ version: "v1.34.5", defaultClass: "managed-csi", replicas: 2 }),
  ...azureFileObjects({ version: "v1.35.7", defaultClass: "managed-csi", replicas: 2 }),
  ...metricsServerObjects({ version: "v0.9.0", replicas: 2, workers: 0 }),
  ...windowsMtuObjects({ platform: platformOf(Flavor.containerd, kubernetesVersion), networkMtu: 1400 }),
  ...windowsExporterObjects({ version: "0.31.8", allowedCidrs: ["10.10.0.0/16"] }),
];
const workloads = workloadsOf(all);
const windows = workloads.filter(
  (one) => one.spec.template.spec.nodeSelector["kubernetes.io/os"] === "windows",
);
const node = workloads.filter(({ metadata }) => /^(cloud-|kube-proxy)/.test(metadata.name));

describe("the workloads of add-ons", () => {
  it("of nodes are these", () => {
    expect(titles(node)).toEqual([
      "Deployment cloud-controller-manager",
      "DaemonSet cloud-node-manager",
      "DaemonSet cloud-node-manager-windows",
      "DaemonSet kube-proxy-windows",
    ]);
    expect(windows).toHaveLength(6);
  });

  it.each(workloads)("select their own pods and no others: $metadata.name", (one) => {
    const { selector, template } = one.spec;
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    for (const constraint of template.spec.topologySpreadConstraints ?? []) {
      expect(template.metadata.labels).toMatchObject(constraint.labelSelector.matchLabels);
    }
    for (const other of workloads.filter((each) => each !== one)) {
      expect(other.spec.template.metadata.labels).not.toMatchObject(selector.matchLabels);
    }
  });

  it.each(workloads.filter(({ spec }) => (spec.template.spec.serviceAccountName as unknown) !== undefined))(
    "run under an account that exists: $metadata.name",
    ({ metadata, spec }) => {
      const accounts = all.filter(({ kind }) => kind === "ServiceAccount").map((one) => one.metadata);
      const kubeadms = { name: "kube-proxy", namespace: "kube-system" };
      expect([...accounts, kubeadms]).toContainEqual(
        expect.objectContaining({
          name: spec.template.spec.serviceAccountName,
          namespace: metadata.namespace,
        }),
      );
    },
  );

  it.each(node)("of nodes need no pod network and are not evicted: $metadata.name", ({ spec }) => {
    expect(spec.template.spec).toMatchObject({
      hostNetwork: true,
      priorityClassName: "system-node-critical",
    });
  });

  it.each(workloads)(
    "mount only volumes that they have, from existing ConfigMaps: $metadata.name",
    ({ spec }) => {
      const { containers, volumes = [] } = spec.template.spec;
      const mounted = containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name));
      expect([...new Set(mounted)].sort()).toEqual(volumes.map(({ name }) => name).sort());
      const maps = all.filter(({ kind }) => kind === "ConfigMap").map((one) => one.metadata.name);
      for (const { configMap } of volumes) {
        if (configMap) expect(["kube-proxy", ...maps]).toContain(configMap.name);
      }
    },
  );

  it.each(windows)(
    "on Windows are HostProcess pods on every node, tainted or not: $metadata.name",
    ({ spec }) => {
      expect(spec.template.spec).toMatchObject({
        hostNetwork: true,
        securityContext: { windowsOptions: { hostProcess: true, runAsUserName: "NT AUTHORITY\\system" } },
        tolerations: [{ operator: "Exists" }],
      });
    },
  );

  it.each(node.slice(2))("on Windows are replaced without a second one beside: $metadata.name", (one) => {
    expect(one.spec.updateStrategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: 0, maxUnavailable: "10%" },
    });
  });

  it.each(node.slice(1))("run on a node with any taint: $metadata.name", ({ spec }) => {
    expect(spec.template.spec.tolerations).toEqual([{ operator: "Exists" }]);
  });

  it("have no text that would be substituted, and round-trip through YAML", () => {
    const stream = toYamlStream(all);
    expect(stream).not.toContain("${");
    expect(objectsOf(stream)).toEqual(JSON.parse(JSON.stringify(all)));
  });
});

describe("kube-proxy for Windows", () => {
  it.each([
    ["v1.35.6", "sigwindowstools/kube-proxy:v1.35.6-calico-hostprocess"],
    ["v1.36.0-rc.0+abc.1", "sigwindowstools/kube-proxy:v1.36.0-rc.0_abc.1-calico-hostprocess"],
  ])("for %s is %s", (version, image) => {
    expect(kubeProxyWindowsImage(version)).toBe(image);
  });

  it("uses another image if one is named", () => {
    const objects = kubeProxyWindowsObjects({
      kubernetesVersion,
      image: "registry.example.com/kube-proxy:1",
    });
    expect(containerOf(workload(objects, "DaemonSet", "kube-proxy-windows")).image).toBe(
      "registry.example.com/kube-proxy:1",
    );
  });

  it("passes the node's name to the image's script in both variables that its versions read", () => {
    const nodeName = { fieldRef: { fieldPath: "spec.nodeName" } };
    const { env } = containerOf(workload(kubeProxy, "DaemonSet", "kube-proxy-windows"));
    expect(env).toContainEqual({ name: "NODE_NAME", valueFrom: nodeName });
    expect(env).toContainEqual({ name: "NODENAME", valueFrom: nodeName });
  });
});
