import { nestsVirtualMachines } from "../../platform/machines/nestedVirtualization";
import { loadSettings } from "../../config/load";
import { minimal, reportWith, settingsWith } from "../support/stacks";

const pools = { windowsPools: { win1: {} } };
const own = { image: { id: "/subscriptions/x" } };
const older = (kubernetesVersion: string, change: object = {}) => ({
  ...{ kubernetesVersion, controlPlane: own, windowsPools: { win1: { ...own, windowsServer: "2019" } } },
  ...change,
});
const docker = older("v1.23.6", { flavor: "dockershim" });
const block = (...lines: string[]): string => ["Pulumi.test.yaml: 1 problem", "", ...lines].join("\n");

describe("what a cluster offers to workloads on Windows, unless it is told", () => {
  it.each([
    ["with Windows pools", pools, { runtimeClasses: true, hyperV: false, policy: "warn" }],
    ["without", { linuxPools: { lin1: {} } }, { runtimeClasses: false, policy: "none" }],
    ["of 1.30", older("v1.30.14"), { runtimeClasses: true, policy: "warn" }],
    ["before there were policies", older("v1.29.15"), { runtimeClasses: true, policy: "none" }],
    ["with Docker", docker, { runtimeClasses: false, policy: "none" }],
  ])("%s", (_what, change, expected) => {
    expect(settingsWith(change).workloads).toMatchObject(expected);
  });
});

describe("is refused", () => {
  it("what Docker cannot do", () => {
    expect(reportWith({ ...docker, workloads: { runtimeClasses: true } })).toBe(
      block(
        "  workloads.runtimeClasses",
        "    value    true",
        "    problem  Docker knows no other runtime than its own, so a pod with a RuntimeClass would not start",
        "    allowed  only with the flavor containerd",
        "    write    runtimeClasses: false",
      ),
    );
    expect(settingsWith({ ...docker, workloads: { runtimeClasses: false } })).toBeDefined();
  });

  it("a policy in Kubernetes versions without it, and a policy without Windows nodes", () => {
    expect(reportWith(older("v1.29.15", { workloads: { policy: "deny" } }))).toBe(
      block(
        "  workloads.policy",
        "    value    deny",
        "    problem  Kubernetes v1.29.15 has no ValidatingAdmissionPolicy",
        "    allowed  none; the others from Kubernetes 1.30 on",
        "    write    policy: none",
      ),
    );
    expect(settingsWith(older("v1.30.14", { workloads: { policy: "deny" } }))).toBeDefined();
    expect(reportWith({ workloads: { policy: "warn" } })).toBe(
      block(
        "  workloads.policy",
        "    value    warn",
        "    problem  the stack has no Windows pool, and the policy is about pods on Windows nodes",
        "    allowed  none; the others with Windows pools",
        "    write    policy: none",
      ),
    );
  });

  it("classes without Windows pools, Hyper-V isolation without classes, and namespaces without a policy", () => {
    expect(reportWith({ workloads: { runtimeClasses: true } })).toContain(
      "    problem  the stack has no Windows pool, and the classes are those of its releases",
    );
    expect(reportWith({ ...pools, workloads: { hyperV: true, runtimeClasses: false } })).toBe(
      block(
        "  workloads.hyperV",
        "    value    true",
        "    problem  pods request Hyper-V isolation with a RuntimeClass, and runtimeClasses is false",
        "    allowed  only with runtimeClasses",
        "    write    hyperV: false # or runtimeClasses: true",
      ),
    );
    expect(reportWith({ ...pools, workloads: { policy: "none", hostProcessNamespaces: ["agents"] } })).toBe(
      block(
        "  workloads.hostProcessNamespaces",
        '    value    ["agents"]',
        "    problem  not used with policy: none, which stops no pod",
        "    allowed  only with policy: audit, warn or deny",
        "    write    remove hostProcessNamespaces",
      ),
    );
    expect(settingsWith({ ...pools, workloads: { hostProcessNamespaces: ["agents"] } })).toBeDefined();
  });

  it("Hyper-V isolation on machines that cannot have virtual machines", () => {
    const size = (vmSize: string) => ({ windowsPools: { win1: { vmSize } }, workloads: { hyperV: true } });
    expect(settingsWith(size("Standard_D4s_v5"))).toBeDefined();
    expect(reportWith(size("Standard_B4ms"))).toBe(
      block(
        "  windowsPools.win1.vmSize",
        "    value    Standard_B4ms",
        "    problem  workloads.hyperV is true, and machines of this size cannot have virtual machines, so no pod with Hyper-V isolation would start",
        "    allowed  sizes of D and E from v3 on, or F v2; of AMD from v5 on; none of B, A, Arm or confidential computing",
        "    write    vmSize: Standard_D4s_v5 # or hyperV: false in workloads",
      ),
    );
    expect(settingsWith({ ...size("Standard_B4ms"), workloads: {} })).toBeDefined();
  });
});

it("warns of requirements of Hyper-V isolation that cannot be checked beforehand", () => {
  const messages = (pool: object, hyperV = true) =>
    loadSettings(
      { ...minimal(), windowsPools: { win1: pool }, workloads: { hyperV } },
      "Pulumi.test.yaml",
    ).warnings.map(({ path, message }) => `${path}: ${message}`);
  const about = (pool: object, hyperV?: boolean) =>
    messages(pool, hyperV).filter((message) => message.includes("Hyper-V isolation"));
  expect(about({})).toEqual([]);
  expect(about({ windowsServer: "2025", vmSize: "Standard_L8s_v3" })).toEqual([
    "windowsPools.win1.vmSize: for pods with Hyper-V isolation Standard_L8s_v3 must support nested virtualization, which its name does not say: see the page of its series in the Azure documentation",
    "windowsPools.win1.windowsServer: Hyper-V isolation on Windows Server 2025 needs the pause image 3.10.2, which images of image-builder have from v0.1.51 of April 2026 on; `ctr -n k8s.io images list` on a node shows it",
  ]);
  expect(about({ windowsServer: "2025", vmSize: "Standard_L8s_v3" }, false)).toEqual([]);
});

it.each([
  ...["Standard_D4s_v5", "Standard_D2_v3", "Standard_E8ds_v4", "Standard_E8-4s_v5", "Standard_F8s_v2"].map(
    (size) => [size, true] as const,
  ),
  ...["Standard_D4as_v5", "Standard_E4ads_v5"].map((size) => [size, true] as const),
  ...[
    "Standard_D4as_v4",
    "Standard_B4ms",
    "Standard_B2s_v2",
    "Standard_A4_v2",
    "Standard_DS3_v2",
    "Standard_D3_v2",
  ].map((size) => [size, false] as const),
  ...["Standard_D4ps_v5", "Standard_DC4as_v5", "Standard_D4"].map((size) => [size, false] as const),
  ...["Standard_D4s_v6", "Standard_L8s_v3", "Standard_F4s", "Standard_NC4as_T4_v3"].map(
    (size) => [size, undefined] as const,
  ),
])("the size %s nests virtual machines: %s", (size, nests) => {
  expect(nestsVirtualMachines(size)).toBe(nests);
});
