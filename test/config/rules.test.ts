import { cases } from "./ruleCases";
import { publicKey, reportWith, settingsWith } from "../support/stacks";

/** The report of each case, which is made once. */
const reports = new Map<object, string>();
function reportOfCase(wrong: object): string {
  const report = reports.get(wrong) ?? reportWith({ ...wrong });
  reports.set(wrong, report);
  return report;
}

describe.each(cases)("%s", (_what, wrong, text, right) => {
  it("is rejected", () => {
    const [line = "", more] = text.split("\n");
    const [path = "", problem = ""] = line.split(/: (.*)/);
    const report = reportOfCase(wrong);
    expect(report).toContain(`\n  ${path}\n`);
    expect(report).toContain(`\n    problem  ${problem}\n`);
    if (more !== undefined) {
      const [allowed = "", write] = more.trim().split(" | ");
      const answer = [
        `problem  ${problem}`,
        `allowed  ${allowed}`,
        ...(write === undefined ? [] : [`write    ${write}`]),
      ];
      expect(report.replace(/ {4}value .*\n/, "")).toBe(
        [`Pulumi.test.yaml: 1 problem\n\n  ${path}`, ...answer].join("\n    "),
      );
    }
  });

  it("is accepted in the valid variant", () => {
    expect(settingsWith({ ...right })).toBeDefined();
  });
});

it("a control plane subnet that is wrong is not reported as an overlap as well", () => {
  const network = { controlPlaneSubnetCidr: "10.10.1.0/30", nodeSubnetCidr: "10.10.1.0/24" };
  expect(reportWith({ network, controlPlane: { replicas: 1 } })).toMatch(
    /^Pulumi\.test\.yaml: 1 problem\n\n {2}network\.controlPlaneSubnetCidr\n/,
  );
});

it("the order of pools does not matter", () => {
  const ordered = settingsWith({ windowsPools: { a: {}, b: {} }, linuxPools: { x: {}, w: {} } });
  const reversed = settingsWith({ windowsPools: { b: {}, a: {} }, linuxPools: { w: {}, x: {} } });
  expect(JSON.stringify(reversed)).toBe(JSON.stringify(ordered));
});

it("numbers without quotes are read as texts if they are unambiguous", () => {
  const { windowsPools, sampleWorkload } = settingsWith({
    access: { sshPublicKey: publicKey, allowedCidrs: ["203.0.113.0/24"] },
    windowsPools: { win1: { windowsServer: 2025, zones: [1, 3] } },
    sampleWorkload: { limits: { cpu: 0.5 } },
  });
  expect(windowsPools.win1).toMatchObject({ windowsServer: "2025", zones: ["1", "3"] });
  expect(sampleWorkload?.limits.cpu).toBe("0.5");
});

it("a version without v is the same version", () => {
  expect(settingsWith({ kubernetesVersion: "1.35.6" }).kubernetesVersion).toBe("v1.35.6");
});

it("no advice takes away what decides who reaches the cluster, or that Secrets are encrypted", () => {
  const advice = cases.flatMap(([, wrong]) =>
    reportOfCase(wrong)
      .split("\n")
      .filter((line) => line.startsWith("    write ")),
  );
  expect(advice.length).toBeGreaterThan(50);
  expect(advice.filter((line) => /remove (apiServer|bastion|encryption)\b/.test(line))).toEqual([]);
});
