import { loadSettings } from "../../config/load";
import { hasSingleCpu } from "capz-windows-platform/machines/vmSizes";
import { minimal, reportWith, settingsWith } from "../support/stacks";

const warningsWith = (change: object) =>
  loadSettings({ ...minimal(), ...change }, "test").warnings.map(
    ({ path, message }) => `${path}: ${message}`,
  );

it.each([
  "Standard_B1ms",
  "Standard_B1ls",
  "Standard_D1_v2",
  "Standard_DS1_v2",
  "Standard_F1s",
  "Basic_A0",
  "Standard_DC1s_v3",
])("%s has one vCPU", (size) => {
  expect(hasSingleCpu(size)).toBe(true);
});

it.each([
  "Standard_B2ms",
  "Standard_D11_v2",
  "Standard_D16s_v5",
  "Standard_DS12_v2",
  "Standard_G1",
  "Standard_F16s_v2",
  "Standard_A10",
])("%s has more", (size) => {
  expect(hasSingleCpu(size)).toBe(false);
});

it("no stack has machines with one vCPU", () => {
  const pools = { windowsPools: { win1: { vmSize: "Standard_F1s" } } };
  expect(reportWith({ controlPlane: { vmSize: "Standard_B1ms" }, ...pools })).toBe(
    [
      "Pulumi.test.yaml: 2 problems",
      "",
      ...["controlPlane.vmSize", "windowsPools.win1.vmSize"].flatMap((path, index) => [
        `  ${path}`,
        `    value    ${index === 0 ? "Standard_B1ms" : "Standard_F1s"}`,
        "    problem  a size with one vCPU, and CAPZ creates no machines of such sizes",
        "    allowed  a size with at least 2 vCPUs and 2 GiB",
        ...(index === 0 ? [""] : []),
      ]),
    ].join("\n"),
  );
  expect(settingsWith({ controlPlane: { vmSize: "Standard_B2ms" } })).toBeDefined();
});

const pool = (settings: object) => ({ linuxPools: { a: settings } });

it("a pool can begin without nodes if the resources of its VM size are known", () => {
  expect(settingsWith(pool({ autoscale: { min: 1, max: 3 }, vmSize: "Standard_B4ms" }))).toBeDefined();
  const single = { kind: "MachineDeployment", autoscale: { min: 0, max: 3 }, vmSize: "Standard_B4ms" };
  expect(settingsWith({ windowsPools: { win1: single } })).toBeDefined();
});

describe("a kubelet on Windows", () => {
  const of = (os: "linux" | "windows", kubelet: object, more: object = {}) =>
    warningsWith({ [`${os}Pools`]: { one: { kubelet } }, ...more }).filter((text) =>
      text.includes(".kubelet."),
    );
  const ignored = "windowsPools.one.kubelet.configuration";

  it("ignores what only Linux has", () => {
    // It lets pods with sysctls in, or not, on each system.
    const read = { podsPerCore: 20, allowedUnsafeSysctls: ["net.core.somaxconn"] };
    const configuration = { protectKernelDefaults: true, podPidsLimit: 100, ...read };
    expect(of("windows", { configuration })).toEqual([
      `${ignored}.protectKernelDefaults: kubelet on Windows ignores it: only Linux has what it sets`,
      `${ignored}.podPidsLimit: kubelet on Windows ignores it: only Linux has what it sets`,
    ]);
    expect(of("linux", { configuration })).toEqual([]);
  });

  it("ignores what its images start it with a flag for", () => {
    const configuration = {
      cgroupsPerQOS: false,
      enableDebuggingHandlers: false,
      enforceNodeAllocatable: ["kube-reserved"],
      resolvConf: "/run/systemd/resolve/resolv.conf",
    };
    expect(of("windows", { configuration })).toEqual(
      Object.keys(configuration).map(
        (name) =>
          `${ignored}.${name}: kubelet on Windows ignores it: its images start kubelet with a flag for it, and flags win`,
      ),
    );
  });

  it("never evicts by inodes and processes", () => {
    const configuration = {
      mergeDefaultEvictionSettings: true,
      evictionHard: { "nodefs.inodesFree": "5%", "pid.available": "10%" },
      evictionSoft: { "nodefs.inodesFree": "9%", "imagefs.inodesFree": "9%" },
      evictionSoftGracePeriod: { "nodefs.inodesFree": "1m", "imagefs.inodesFree": "1m" },
    };
    expect(of("windows", { configuration })).toEqual([
      "windowsPools.one.kubelet.configuration: kubelet on Windows never evicts pods by nodefs.inodesFree, pid.available, imagefs.inodesFree: it counts no inodes and no processes there",
    ]);
    expect(of("linux", { configuration })).toEqual([]);
  });

  it("ignores what a gate switches on", () => {
    const configuration = { shutdownGracePeriod: "1m", topologyManagerPolicy: "restricted" };
    const affinity = `${ignored}.topologyManagerPolicy: kubelet on Windows ignores it: it needs the feature gate WindowsCPUAndMemoryAffinity`;
    expect(of("windows", { configuration })).toEqual([affinity]);
    expect(of("windows", { configuration }, { kubernetesVersion: "v1.33.10" })).toEqual([
      `${ignored}.shutdownGracePeriod: kubelet on Windows ignores it: it needs the feature gate WindowsGracefulNodeShutdown`,
      affinity,
    ]);
    expect(
      of("windows", {
        configuration: { ...configuration, featureGates: { WindowsCPUAndMemoryAffinity: true } },
      }),
    ).toEqual([]);
  });

  it("of a release whose settings are not known is not checked", () => {
    const configuration = { featureGates: { NodeSwap: true } };
    expect(of("windows", { configuration }, { kubernetesVersion: "v1.32.13" })).toEqual([
      `${ignored}.featureGates: not checked: the settings of Kubernetes 1.33 to 1.37 are known, and these are of v1.32.13; a program that does not know one does not start`,
    ]);
  });

  it("whose evictions replace the defaults draws a warning unless it has all of them or merges them", () => {
    const disks = { "nodefs.available": "5%", "imagefs.available": "5%" };
    const evictionHard = { "memory.available": "1Gi" };
    const lost = (os: string, signals: string, then: string) => [
      `${os}Pools.one.kubelet.configuration.evictionHard: it replaces all defaults, and kubelet no longer looks at ${signals}: a full disk makes the pods of the node fail; ${then}`,
    ];
    const merge = "write mergeDefaultEvictionSettings: true beside it";
    expect(of("windows", { configuration: { evictionHard } })).toEqual(
      lost("windows", "nodefs.available, imagefs.available", merge),
    );
    expect(of("linux", { configuration: { evictionHard: { ...evictionHard, ...disks } } })).toEqual(
      lost("linux", "nodefs.inodesFree, imagefs.inodesFree", merge),
    );
    expect(of("windows", { configuration: { evictionHard } }, { kubernetesVersion: "v1.32.13" })).toEqual(
      lost(
        "windows",
        "nodefs.available, imagefs.available",
        "write them too: nodefs.available: 10%, imagefs.available: 15%",
      ),
    );
    for (const configuration of [
      { evictionHard, mergeDefaultEvictionSettings: true },
      { evictionHard: { ...evictionHard, ...disks } },
    ]) {
      expect(of("windows", { configuration })).toEqual([]);
    }
  });

  it("that keeps nothing from pods draws a warning, and one on Linux does not", () => {
    const reserved = { enabled: false };
    expect(of("windows", { reserved })).toEqual([
      "windowsPools.one.kubelet.reserved.enabled: nothing is kept from pods: Windows takes about 2 GiB itself, and where pods take the rest, kubelet and containerd stop answering and the node becomes NotReady",
    ]);
    expect(of("linux", { reserved })).toEqual([]);
  });
});

describe("arguments that are not known well enough", () => {
  const spec = "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec.clusterConfiguration";
  const of = (clusterConfiguration: object, kubernetesVersion: string): string[] =>
    warningsWith({
      kubernetesVersion,
      controlPlane: {
        overrides: { KubeadmControlPlane: { spec: { kubeadmConfigSpec: { clusterConfiguration } } } },
      },
    }).filter((text) => text.includes("not checked: "));

  it("are not judged: etcd of Kubernetes 1.33 has other flags", () => {
    const extraArgs = ["enable-v2", "proxy", "watch-progress-notify-interval"].map((name) => ({
      ...{ name, value: "5s" },
    }));
    const path = `${spec}.etcd.local.extraArgs`;
    expect(of({ etcd: { local: { extraArgs } } }, "v1.33.5")).toEqual([
      `${path}: not checked: the settings of etcd in Kubernetes 1.34 to 1.37 are known, and these are of v1.33.5; a program that does not know one does not start`,
    ]);
    expect(of({ etcd: { local: { extraArgs: extraArgs.slice(2) } } }, "v1.34.2")).toEqual([]);
  });

  it("are named: APIs, and feature gates of etcd", () => {
    const runtime = { name: "runtime-config", value: "api/beta=true,foo.k8s.io/v1=true,apps/v1/deployments" };
    const gates = { name: "feature-gates", value: "InitialCorruptCheck=true" };
    expect(
      of({ apiServer: { extraArgs: [runtime] }, etcd: { local: { extraArgs: [gates] } } }, "v1.35.6"),
    ).toEqual([
      `${spec}.apiServer.extraArgs[0]: not checked: whether kube-apiserver has foo.k8s.io/v1, apps/v1/deployments; if not, it does not start`,
      `${spec}.etcd.local.extraArgs[0]: not checked: whether etcd has these feature gates; if not, it does not start`,
    ]);
  });
});
