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
const block = (...lines: string[]): string => ["Pulumi.test.yaml: 1 problem", "", ...lines].join("\n");

describe("the sample workload", () => {
  it("is off unless it is asked for", () => {
    expect(settingsWith({ windowsPools: { win1: {} } }).sampleWorkload).toBeUndefined();
    expect(settingsWith(stack({})).sampleWorkload).toMatchObject({ replicas: 1 });
  });

  it("needs a Windows pool, and one that is there", () => {
    expect(settingsWith(stack({ pool: "win2" }))).toBeDefined();
    expect(reportWith(stack({ pool: "win3" }))).toBe(
      block(
        "  sampleWorkload.pool",
        "    value    win3",
        "    problem  there is no such Windows pool, and IIS runs on Windows nodes only",
        "    allowed  win1, win2",
        "    write    pool: win1",
      ),
    );
    expect(reportWith(stack({}, { windowsPools: {} }))).toContain(
      "  sampleWorkload\n    problem  there is no such Windows pool",
    );
  });

  it.each([
    ["no node", { replicas: 0 }, true],
    ["one node", { replicas: 1 }, false],
    ["an autoscaler that starts from nothing", { autoscale: { min: 0, max: 3 } }, true],
    ["an autoscaler that starts from one", { autoscale: { min: 1, max: 3 } }, false],
  ])("on a pool with %s", (_what, win1, refused) => {
    const change = stack({}, { windowsPools: { win1 } });
    if (refused) {
      expect(reportWith(change)).toContain(
        "windowsPools.win1 starts with no node, so that `pulumi up` would wait in vain",
      );
    } else {
      expect(settingsWith(change)).toBeDefined();
    }
  });

  it("needs the workload kubeconfig", () => {
    expect(settingsWith(stack({}, { wait: "nodes" }))).toBeDefined();
    expect(reportWith(stack({}, { wait: "none" }))).toBe(
      block(
        "  sampleWorkload",
        "    problem  it is deployed through the workload kubeconfig, which is not read with wait: none",
        "    allowed  with wait: controlPlane or nodes",
        "    write    capz-windows:wait: controlPlane, or take sampleWorkload out",
      ),
    );
  });

  it("is for somebody", () => {
    expect(reportWith(stack({}, { access: { ...minimalAccess, allowedCidrs: [] } }))).toBe(
      block(
        "  sampleWorkload",
        "    problem  nobody could open it or deploy it: access.allowedCidrs is empty, and it says who reaches the API server and the page",
        "    allowed  with the networks of `pulumi up` and of the readers in access.allowedCidrs",
        '    write    allowedCidrs: ["203.0.113.0/24"]',
      ),
    );
  });

  it("takes no thousandths of a byte, as the well-known example has them", () => {
    expect(reportWith(stack({ limits: { memory: "800m" } }))).toBe(
      block(
        "  sampleWorkload.limits.memory",
        "    value    800m",
        "    problem  it does not have the right form",
        "    allowed  whole Mi or Gi; a small m would be thousandths, so that 800m is less than one byte",
        "    write    memory: 800Mi",
      ),
    );
  });

  it("gets no less than it asks for", () => {
    expect(reportWith(stack({ requests: { memory: "1Gi" } }))).toBe(
      block(
        "  sampleWorkload.requests.memory",
        "    value    1Gi",
        "    problem  it is more than the limit 800Mi",
        "    allowed  at most 800Mi",
        '    write    memory: "800Mi"',
      ),
    );
    expect(settingsWith(stack({ requests: { memory: "800Mi", cpu: "1000m" } }))).toBeDefined();
  });

  it.each([
    ["Standard_D4s_v5", { cpu: "4", memory: "14Gi" }, undefined],
    ["Standard_D4s_v5", { cpu: "4100m" }, "limits.cpu"],
    ["Standard_D4s_v5", { memory: "15Gi" }, "limits.memory"],
    ["Standard_F2s_v2", { memory: "2Gi" }, undefined],
    ["Standard_F2s_v2", { memory: "2049Mi" }, "limits.memory"],
    // A size whose name does not tell: nobody can say that it does not fit.
    ["Standard_DS3_v2", { memory: "100Gi" }, undefined],
  ])("fits a node of %s: %j", (vmSize, limits, refused) => {
    const change = stack({ limits }, { windowsPools: { win1: { vmSize } } });
    if (refused === undefined) {
      expect(settingsWith(change)).toBeDefined();
    } else {
      expect(reportWith(change)).toContain(`\n  sampleWorkload.${refused}\n`);
      expect(reportWith(change)).toContain(`a node of windowsPools.win1 (${vmSize}) has `);
    }
  });
});
