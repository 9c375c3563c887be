import { nestsVirtualMachines } from "capz-windows-platform/machines/nestedVirtualization";
import { publicKey, settingsWith } from "../support/stacks";

const pools = { windowsPools: { win1: {} } };
const own = { image: { id: "/subscriptions/x" } };
const older = (kubernetesVersion: string, change: object = {}) => ({
  ...{ kubernetesVersion, controlPlane: own, windowsPools: { win1: { ...own, windowsServer: "2019" } } },
  ...change,
});
const docker = older("v1.23.6", { flavor: "dockershim" });
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

it("the sample workload is off by default, and has one pod", () => {
  const access = { sshPublicKey: publicKey, allowedCidrs: ["203.0.113.0/24"] };
  expect(settingsWith(pools).sampleWorkload).toBeUndefined();
  expect(settingsWith({ ...pools, access, sampleWorkload: {} }).sampleWorkload).toMatchObject({
    replicas: 1,
  });
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
