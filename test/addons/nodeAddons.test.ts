import { cloudProviderAzureObjects } from "../../addons/cloudProviderAzure";
import { kubeProxyWindowsImage, kubeProxyWindowsObjects } from "../../addons/kubeProxyWindows";
import { toYamlStream } from "../../platform/manifests/yamlStream";
import { containerOf, objectsOf, titles, workload, workloadsOf } from "./fixtures";

const kubernetesVersion = "v1.35.6";
const cloudProvider = cloudProviderAzureObjects({
  clusterName: "demo",
  kubernetesVersion,
  podCidr: "192.168.0.0/16",
});
const kubeProxy = kubeProxyWindowsObjects({ kubernetesVersion });
const all = [...cloudProvider, ...kubeProxy];
const workloads = workloadsOf(all);
const windows = workloads.filter(
  (one) => one.spec.template.spec.nodeSelector["kubernetes.io/os"] === "windows",
);

describe("the workloads of the node add-ons", () => {
  it("are these", () => {
    expect(titles(workloads)).toEqual([
      "Deployment cloud-controller-manager",
      "DaemonSet cloud-node-manager",
      "DaemonSet cloud-node-manager-windows",
      "DaemonSet kube-proxy-windows",
    ]);
    expect(titles(windows)).toEqual(["DaemonSet cloud-node-manager-windows", "DaemonSet kube-proxy-windows"]);
  });

  it.each(workloads)("select their own pods: $metadata.name", ({ spec }) => {
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    for (const constraint of spec.template.spec.topologySpreadConstraints ?? []) {
      expect(spec.template.metadata.labels).toMatchObject(constraint.labelSelector.matchLabels);
    }
  });

  it("do not select the pods of one another", () => {
    for (const a of workloads) {
      for (const b of workloads) {
        if (a !== b) expect(b.spec.template.metadata.labels).not.toMatchObject(a.spec.selector.matchLabels);
      }
    }
  });

  it.each(workloads)("run under an account that exists: $metadata.name", ({ metadata, spec }) => {
    const accounts = all.filter(({ kind }) => kind === "ServiceAccount").map((one) => one.metadata);
    const kubeadms = { name: "kube-proxy", namespace: "kube-system" };
    expect([...accounts, kubeadms]).toContainEqual({
      name: spec.template.spec.serviceAccountName,
      namespace: metadata.namespace,
    });
  });

  it.each(workloads)("need no pod network and are not evicted: $metadata.name", ({ spec }) => {
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
      expect(mounted.sort()).toEqual(volumes.map(({ name }) => name).sort());
      const known = [
        "kube-proxy",
        ...all.filter(({ kind }) => kind === "ConfigMap").map((one) => one.metadata.name),
      ];
      for (const volume of volumes) if (volume.configMap) expect(known).toContain(volume.configMap.name);
    },
  );

  it.each(windows)(
    "on Windows are HostProcess pods, replaced without a second one beside: $metadata.name",
    (one) => {
      expect(one.spec.template.spec.securityContext).toEqual({
        windowsOptions: { hostProcess: true, runAsUserName: "NT AUTHORITY\\system" },
      });
      expect(one.spec.updateStrategy).toEqual({
        type: "RollingUpdate",
        rollingUpdate: { maxSurge: 0, maxUnavailable: "10%" },
      });
    },
  );

  it.each(workloads.slice(1))("run on a node with any taint: $metadata.name", ({ spec }) => {
    expect(spec.template.spec.tolerations).toEqual([{ operator: "Exists" }]);
  });

  it("have no text that would be substituted, and round-trip through YAML", () => {
    const stream = toYamlStream(all);
    expect(stream).not.toContain("${");
    expect(objectsOf(stream)).toEqual(JSON.parse(JSON.stringify(all)));
  });

  it("are the same on every run", () => {
    const again = cloudProviderAzureObjects({
      clusterName: "demo",
      kubernetesVersion,
      podCidr: "192.168.0.0/16",
    });
    expect(toYamlStream(again)).toBe(toYamlStream(cloudProvider));
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
