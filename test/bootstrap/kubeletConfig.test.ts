import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { windowsKubeadmConfigSpec } from "../../bootstrap/windows";
import { kubeletFields, type KubeletOptions } from "../../bootstrap/kubeletConfig";
import type { KubeadmConfigSpec } from "capz-types";
import { platformOf } from "capz-windows-platform/cluster/platform";
import { autoscalerCapacity } from "../../bootstrap/autoscaler";
import { publicKey } from "../support/stacks";

const version = "v1.35.6";
const args = {
  platform: platformOf("containerd", version),
  kubernetesVersion: version,
  mtu: 1400,
  azureJsonSecret: "win1-azure-json",
  sshPublicKey: publicKey,
  labels: { "example.org/team": "web", "node-role.kubernetes.io/iis": "", a: "" },
  taints: [
    { key: "example.org/dedicated", value: "iis", effect: "NoSchedule" },
    { key: "a", effect: "NoExecute" },
  ],
  kubelet: {
    maxPods: 60,
    reserved: { cpu: "1" },
    imageGC: { highPercent: 80, lowPercent: 70, minAgeMinutes: 30 },
    maxParallelImagePulls: 3,
    containerLogs: { maxSizeMi: 50, maxFiles: 3 },
  },
} as const;

const contentOf = (spec: KubeadmConfigSpec, path: string): string =>
  spec.files?.find((file) => file.path === path)?.content ?? "";
const argument = (spec: KubeadmConfigSpec, name: string): string | undefined =>
  spec.joinConfiguration?.nodeRegistration?.kubeletExtraArgs?.find((one) => one.name === name)?.value;

const fields = (memory: string) => `maxPods: 60
systemReserved:
  cpu: "1"
  memory: ${memory}
imageGCHighThresholdPercent: 80
imageGCLowThresholdPercent: 70
imageMinimumGCAge: 30m
serializeImagePulls: false
maxParallelImagePulls: 3
containerLogMaxSize: 50Mi
containerLogMaxFiles: 3
`;

describe("labels, taints and kubelet of a Windows node", () => {
  const spec = windowsKubeadmConfigSpec(args);

  it("are in the patch for kubelets that start without flags", () => {
    expect(contentOf(spec, "C:/k/patches/kubeletconfiguration0+strategic.yaml"))
      .toBe(`apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
registerWithTaints:
  - key: node.cloudprovider.kubernetes.io/uninitialized
    value: "true"
    effect: NoExecute
  - key: example.org/dedicated
    value: iis
    effect: NoSchedule
  - key: a
    effect: NoExecute
${fields("2Gi")}`);
  });

  it("are in the flags for kubelets that start with them", () => {
    expect(spec.joinConfiguration?.nodeRegistration?.taints).toEqual([
      { key: "example.org/dedicated", value: "iis", effect: "NoSchedule" },
      { key: "a", effect: "NoExecute" },
    ]);
    expect(argument(spec, "node-labels")).toBe("a=,example.org/team=web");
  });

  it("labels the node after it has registered, when kubelet has its flags", () => {
    const commands = spec.postKubeadmCommands ?? [];
    const [restart, label] = commands.map((command) => command.replace(/.*-File /, ""));
    expect([restart, label]).toEqual([
      "C:/restart-kubelet.ps1",
      "C:/label-node.ps1 -Labels a=,example.org/team=web",
    ]);
  });

  it("add nothing if there are none", () => {
    const { labels, taints, kubelet, ...plain } = args;
    expect([labels, taints, kubelet]).not.toContain(undefined);
    const without = windowsKubeadmConfigSpec(plain);
    expect(contentOf(without, "C:/label-node.ps1")).toBe("");
    expect(without.joinConfiguration?.nodeRegistration).not.toHaveProperty("taints");
    expect(argument(without, "node-labels")).toBeUndefined();
    // Labels that Cluster API sets itself need nothing on the node.
    expect(windowsKubeadmConfigSpec({ ...plain, labels: { "node-role.kubernetes.io/iis": "" } })).toEqual(
      without,
    );
  });
});

it("a Linux node has flags, and a patch only for kubelet's configuration", () => {
  const spec = linuxWorkerKubeadmConfigSpec(args);
  const patch = "/etc/kubernetes/patches/kubeletconfiguration0+strategic.yaml";
  expect(contentOf(spec, patch)).toBe(
    `apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n${fields("512Mi")}`,
  );
  expect(spec.joinConfiguration?.patches).toEqual({ directory: "/etc/kubernetes/patches" });
  expect(argument(spec, "node-labels")).toBe("a=,example.org/team=web");
  const { kubelet, ...plain } = args;
  expect(kubelet.maxPods).toBe(60);
  expect(linuxWorkerKubeadmConfigSpec(plain).joinConfiguration).not.toHaveProperty("patches");
});

describe("what is kept from pods", () => {
  const systemReserved = { cpu: "500m", memory: "2Gi" };
  it.each([
    ["nothing said", undefined, { systemReserved }, {}],
    [
      "the defaults",
      { reserved: {} },
      { systemReserved },
      { systemReserved: { cpu: "100m", memory: "512Mi" } },
    ],
    ["switched off", { reserved: { enabled: false } }, {}, {}],
    [
      "numbers of one's own",
      { configuration: { kubeReserved: { memory: "3Gi" } } },
      { kubeReserved: { memory: "3Gi" } },
      { kubeReserved: { memory: "3Gi" } },
    ],
  ])("%s", (_, options, windows, linux) => {
    expect(kubeletFields(options, "windows", version)).toEqual(windows);
    expect(kubeletFields(options, "linux", version)).toEqual(linux);
  });
});

describe("log queries", () => {
  const gates = { featureGates: { InPlacePodVerticalScaling: true } };
  it.each([
    ["off", { logQuery: false }, version, {}],
    ["general availability", { logQuery: true }, "v1.36.3", { enableSystemLogQuery: true }],
    [
      "a gate before",
      { logQuery: true },
      "v1.35.6",
      { enableSystemLogQuery: true, featureGates: { NodeLogQuery: true } },
    ],
    [
      "beside other gates",
      { logQuery: true, configuration: gates },
      "v1.35.6",
      { enableSystemLogQuery: true, featureGates: { InPlacePodVerticalScaling: true, NodeLogQuery: true } },
    ],
    [
      "other gates alone",
      { logQuery: true, configuration: gates },
      "v1.37.2",
      { enableSystemLogQuery: true, ...gates },
    ],
  ])("%s", (_, options, kubernetesVersion, expected) => {
    expect(kubeletFields(options, "linux", kubernetesVersion)).toEqual(expected);
  });
});

it("one parallel image pull is kubelet's serializeImagePulls", () => {
  const spec = linuxWorkerKubeadmConfigSpec({ ...args, kubelet: { maxParallelImagePulls: 1 } });
  expect(contentOf(spec, "/etc/kubernetes/patches/kubeletconfiguration0+strategic.yaml")).toMatch(
    /\nserializeImagePulls: true\n$/,
  );
});

it("annotations have the labels, taints and pods of a pool without nodes for the autoscaler", () => {
  const place = { location: "westeurope", zones: [] };
  const pool = { vmSize: "Standard_D4s_v5", os: "windows", windowsServer: "2025", ...place } as const;
  expect(autoscalerCapacity({ ...pool, ...args, osDiskGB: 128 })).toEqual({
    // Without 1 CPU and 2 GiB that are reserved, and 500 MiB and 10 % at which kubelet evicts.
    "capacity.cluster-autoscaler.kubernetes.io/cpu": "3000m",
    "capacity.cluster-autoscaler.kubernetes.io/memory": `${14 * 1024 - 500}Mi`,
    "capacity.cluster-autoscaler.kubernetes.io/ephemeral-disk": "115Gi",
    "capacity.cluster-autoscaler.kubernetes.io/labels":
      "kubernetes.io/os=windows,kubernetes.io/arch=amd64,node.kubernetes.io/windows-build=10.0.26100," +
      "node.kubernetes.io/instance-type=Standard_D4s_v5,topology.kubernetes.io/region=westeurope," +
      "a=,example.org/team=web,node-role.kubernetes.io/iis=",
    "capacity.cluster-autoscaler.kubernetes.io/taints": "example.org/dedicated=iis:NoSchedule,a:NoExecute",
    "capacity.cluster-autoscaler.kubernetes.io/maxPods": "60",
  });
  const sizeOf = (kubelet: KubeletOptions | undefined, os: "linux" | "windows" = "windows") =>
    Object.entries(autoscalerCapacity({ ...pool, os, kubelet, osDiskGB: 100 }))
      .filter(([key]) => /\/(cpu|memory|ephemeral-disk|maxPods)$/.test(key))
      .map(([, value]) => value);
  expect(sizeOf(undefined)).toEqual(["3500m", `${14 * 1024 - 500}Mi`, "90Gi", "110"]);
  expect(sizeOf(undefined, "linux")).toEqual(["4000m", `${16 * 1024 - 100}Mi`, "90Gi", "110"]);
  expect(sizeOf({ reserved: { enabled: false } })).toEqual(["4000m", `${16 * 1024 - 500}Mi`, "90Gi", "110"]);
  // Whoever sets evictionHard takes the other defaults away, unless he has them merged.
  const own = { kubeReserved: { cpu: "0.5", memory: "1Gi" }, evictionHard: { "memory.available": "25%" } };
  expect(sizeOf({ maxPods: 30, configuration: own })).toEqual(["3500m", `${11 * 1024}Mi`, "100Gi", "30"]);
  expect(sizeOf({ configuration: { ...own, mergeDefaultEvictionSettings: true } })[2]).toBe("90Gi");
  const labelsOf = (shape: { vmSize: string; zones: string[] }) =>
    autoscalerCapacity({ os: "linux", location: "westeurope", ...shape })[
      "capacity.cluster-autoscaler.kubernetes.io/labels"
    ];
  // With the zone, the autoscaler can add a node for a volume in that zone.
  expect(labelsOf({ vmSize: "Standard_D4ps_v5", zones: ["2"] })).toBe(
    "kubernetes.io/os=linux,kubernetes.io/arch=arm64,node.kubernetes.io/instance-type=Standard_D4ps_v5," +
      "topology.kubernetes.io/region=westeurope,topology.kubernetes.io/zone=westeurope-2," +
      "topology.disk.csi.azure.com/zone=westeurope-2",
  );
  expect(labelsOf({ vmSize: "Standard_D4s_v5", zones: ["1", "2"] })).not.toContain("zone");
});
