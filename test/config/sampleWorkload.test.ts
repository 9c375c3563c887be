import { reportWith, settingsWith } from "../support/stacks";

type Change = Record<string, unknown>;

const access = (settings: Change) => ({ ...(settings.access as object), allowedCidrs: ["203.0.113.0/24"] });
const { access: minimalAccess } = settingsWith({});
const stack = (sampleWorkload: Change, change: Change = {}): Change => ({
  access: access({ access: minimalAccess }),
  windowsPools: { win1: {}, win2: { windowsServer: "2025" } },
  sampleWorkload,
  ...change,
});
describe("the sample workload", () => {
  it("is off by default", () => {
    expect(settingsWith({ windowsPools: { win1: {} } }).sampleWorkload).toBeUndefined();
    expect(settingsWith(stack({})).sampleWorkload).toMatchObject({ replicas: 1 });
  });

  it("needs an existing Windows pool", () => {
    expect(reportWith(stack({}, { windowsPools: {} }))).toContain(
      "  sampleWorkload\n    problem  the stack has no Windows pool, and IIS runs only on Windows nodes",
    );
  });

  it("has an image that containerd can read", () => {
    for (const right of [
      "iis",
      "localhost:5000/team/iis",
      `mirror.example/win__iis:LTSC-2022@sha256:${"0a".repeat(32)}`,
    ]) {
      expect(settingsWith(stack({ image: right })).sampleWorkload).toMatchObject({ image: right });
    }
    for (const wrong of [
      "mirror.example/IIS",
      "mirror.example/iis:",
      "mirror.example//iis",
      "iis@sha256:12",
      "a b",
    ]) {
      expect(reportWith(stack({ image: wrong }))).toContain("REGISTRY/NAME:TAG");
    }
  });

  it.each([
    ["no node", { replicas: 0 }, true],
    ["one node", { replicas: 1 }, false],
    ["an autoscaler that starts from zero", { autoscale: { min: 0, max: 3 } }, true],
    ["an autoscaler that starts from one", { autoscale: { min: 1, max: 3 } }, false],
  ])("on a pool with %s", (_what, win1, refused) => {
    const change = stack({}, { windowsPools: { win1 } });
    if (refused) {
      expect(reportWith(change)).toContain(
        "windowsPools.win1 starts without nodes, so `pulumi up` would wait until it times out",
      );
    } else {
      expect(settingsWith(change)).toBeDefined();
    }
  });

  it("accepts no image for another release than that of its pool", () => {
    const image = (tag: string, pool: string) => stack({ pool, image: `registry.example/iis:${tag}` });
    expect(settingsWith(image("windowsservercore-ltsc2022", "win1"))).toBeDefined();
    expect(settingsWith(image("10.1", "win1"))).toBeDefined();
    expect(reportWith(image("windowsservercore-ltsc2019", "win2"))).toContain(
      "Windows Server 2025 starts builds 20348 to 26100 only",
    );
  });

  it.each([
    ["Standard_D4s_v5", { cpu: "4", memory: "14Gi" }, undefined],
    ["Standard_D4s_v5", { cpu: "4100m" }, "limits.cpu"],
    ["Standard_D4s_v5", { memory: "15Gi" }, "limits.memory"],
    ["Standard_F2s_v2", { memory: "2Gi" }, undefined],
    ["Standard_F2s_v2", { memory: "2049Mi" }, "limits.memory"],
    // The name of this size does not contain its memory, so the rule cannot reject it.
    ["Standard_DS3_v2", { memory: "100Gi" }, undefined],
  ])("fits a node of %s: %j", (vmSize, limits, refused) => {
    const change = stack({ limits }, { windowsPools: { win1: { vmSize } } });
    if (refused === undefined) {
      expect(settingsWith(change)).toBeDefined();
    } else {
      expect(reportWith(change)).toContain(`\n  sampleWorkload.${refused}\n`);
      expect(reportWith(change)).toContain(`a node of windowsPools.win1 (${vmSize}) has only `);
    }
  });
});
