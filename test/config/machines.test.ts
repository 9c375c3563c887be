import { loadSettings } from "../../config/load";
import { hasSingleCpu } from "capz-windows-platform/machines/vmSizes";
import { existingManagement, minimal, reportWith, settingsWith } from "../support/stacks";

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

const existing = {
  ...existingManagement,
  windowsPools: { win1: {} },
};

it("a namespace of another stack may have pools with the same names, which gets a warning", () => {
  const warning =
    "namespace: the objects of a pool have its name alone: no other cluster in the namespace shared may have a pool named win1, or both would change the same objects";
  expect(warningsWith({ ...existing, namespace: "shared", createNamespace: false })).toContain(warning);
  expect(warningsWith({ ...existing, namespace: "shared" })).not.toContain(warning);
  expect(warningsWith({ ...existing, windowsPools: {}, createNamespace: false }).join()).not.toContain(
    "namespace:",
  );
});

it.each([
  ["172.32.0.0/16", ["172.32.0.0/16"]],
  ["172.31.0.0/16", []],
  ["192.0.0.0/9", ["192.0.0.0/9"]],
  ["100.128.0.0/16", ["100.128.0.0/16"]],
  ["100.127.0.0/16", []],
])("a VNET outside of the private ranges gets a warning: %s", (vnetCidr, warned) => {
  const podCidr = "10.128.0.0/16";
  expect(
    warningsWith({ network: { vnetCidr, podCidr } }).filter((text) => text.startsWith("network.vnetCidr")),
  ).toEqual(
    warned.map(
      (cidr) =>
        `network.vnetCidr: ${cidr} is not private address space: nodes cannot reach hosts on the Internet that have these addresses; Microsoft recommends a range in 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10`,
    ),
  );
});

it("a stack without pools gets a warning", () => {
  const warning =
    "windowsPools: the stack has no pools: pods stay Pending unless they tolerate the taint of the control plane; add a pool to windowsPools, and one to linuxPools for Linux pods";
  expect(warningsWith({})).toContain(warning);
  expect(warningsWith({ windowsPools: { win1: {} } })).not.toContain(warning);
  expect(warningsWith({ linuxPools: { linux1: {} } })).not.toContain(warning);
});

it("a stack with Linux pools only gets a warning", () => {
  const warning =
    "windowsPools: the stack has Linux pools only, and this program is for clusters with Windows nodes: add a pool to windowsPools, unless the stack is still on its way there";
  expect(warningsWith({ linuxPools: { linux1: {} } })).toContain(warning);
  expect(warningsWith({ linuxPools: { linux1: {} }, windowsPools: { win1: {} } })).not.toContain(warning);
  expect(warningsWith({})).not.toContain(warning);
});

it("a VNET that overlaps that of the AKS management cluster gets a warning that they can never be peered", () => {
  const warning =
    "network.vnetCidr: overlaps 10.224.0.0/12 of the VNET of the AKS management cluster: the two work side by side, but can never be peered";
  expect(warningsWith({ network: { vnetCidr: "10.230.0.0/16" } })).toContain(warning);
  expect(warningsWith({ network: { vnetCidr: "10.240.0.0/16" } })).not.toContain(warning);
  expect(warningsWith({ ...existing, network: { vnetCidr: "10.230.0.0/16" } })).not.toContain(warning);
});

it("an OS disk on the host is not checked where the name of the size does not say its room", () => {
  const about = (pool: object) =>
    warningsWith({ linuxPools: { linux1: pool } }).filter((text) => text.includes("ephemeralOsDisk"));
  expect(about({ vmSize: "Standard_D4ds_v4", osDiskGB: 128, ephemeralOsDisk: "CacheDisk" })).toEqual([
    "linuxPools.linux1.ephemeralOsDisk: not checked: whether the CacheDisk of Standard_D4ds_v4 holds an OS disk of 128 GB, without which Azure creates no machine (npm run preflight asks Azure)",
  ]);
  expect(about({ vmSize: "Standard_D4ds_v4", osDiskGB: 128, ephemeralOsDisk: "ResourceDisk" })).toEqual([]);
});

it("a disk of a Windows pool with hardly any room for images gets a warning", () => {
  const about = (pools: object) => warningsWith(pools).filter((text) => text.includes("osDiskGB"));
  expect(about({ windowsPools: { win1: { osDiskGB: 49 } } })).toEqual([
    "windowsPools.win1.osDiskGB: Windows alone takes 30 GB, which leaves 19 GB for images, and each with Server Core takes several",
  ]);
  expect(
    about({ windowsPools: { win1: { osDiskGB: 50 } }, linuxPools: { linux1: { osDiskGB: 30 } } }),
  ).toEqual([]);
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
