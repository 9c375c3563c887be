import { applySteps, pathText, targetsOf } from "../../config/advice/steps";
import { inOverrides } from "../../config/overridden";
import { problemsOfText, stackText } from "../support/advice";
import { minimal } from "../support/stacks";

/** Mistakes of people who had read no rule, whose answers words/first-sight.txt cannot have. */

const problemsOf = (change: object) =>
  problemsOfText(stackText({ ...minimal(), ...change })).map(({ path, problem, allowed, write }) => [
    path,
    problem,
    allowed,
    write,
  ]);

const network = "an IPv4 network without host bits, such as 10.10.0.0/16";

describe("a mistake at first sight", () => {
  it.each([
    ["203.0.113.0-203.0.113.255", "203.0.113.0/24"],
    ["203.0.113.64 to 203.0.113.127", "203.0.113.64/26"],
    ["203.0.113.0/255.255.255.0", "203.0.113.0/24"],
    ["203.0.113.9/255.255.255.248", "203.0.113.8/29"],
    ["203.0.113.0\\24", "203.0.113.0/24"],
  ])("is a network in the notation %s", (text, cidr) => {
    const { access } = minimal() as { access: object };
    expect(problemsOf({ access: { ...access, allowedCidrs: [text] } })).toEqual([
      ["access.allowedCidrs[0]", "invalid format", network, `allowedCidrs: [${cidr}]`],
    ]);
  });

  it("is no number of machines below zero", () => {
    expect(problemsOf({ windowsPools: { win1: -1 } }).map(([path, , , write]) => [path, write])).toEqual([
      ["windowsPools.win1", "win1: <an allowed value>"],
    ]);
  });

  const keep = (key: string, place: string): string => `move ${key} to <${place}> # or remove ${key}`;

  it.each([
    // Nothing keeps what it says, and only the user knows whether another key does.
    [{ controlPlane: { labels: "tier=core" } }, keep("labels", "one of these")],
    [{ network: { staticIp: "10.0.0.4" } }, keep("staticIp", "one of these")],
    // It is always so, or no key can say it.
    [{ windowsPools: { win1: { osType: "Windows" } } }, "remove osType"],
    [{ addons: { velero: { schedule: "0 1 * * *" } } }, keep("velero", "one of these")],
    [{ velero: { schedule: "0 1 * * *" } }, "remove capz-windows:velero"],
    // Another place would make a management cluster.
    [
      { controlPlane: { authentication: { oidc: [], adminGroupObjectIds: ["a"] } } },
      keep("adminGroupObjectIds", "one of these keys"),
    ],
  ])("is asked about where its value would be lost: %j", (change, write) => {
    expect(problemsOf(change).map((one) => one[3])).toContain(write);
  });

  it("keeps the rest of a mapping of which a rule takes a part away", () => {
    const securityProfile = { securityType: "TrustedLaunch", encryptionAtHost: true };
    const win1 = { kind: "MachineDeployment", replicas: 2, securityProfile };
    const at = "windowsPools.win1";
    expect(problemsOf({ windowsPools: { win1 } })).toEqual([
      [
        `${at}.securityProfile`,
        "unknown key; use the keys trustedLaunch, encryptionAtHost instead, but there: Trusted Launch needs an image of Hyper-V generation 2, and the reference images are of generation 1",
        "image, with an image of your own that has the security type TrustedLaunchSupported",
        `move ${at}.securityProfile.encryptionAtHost to ${at}.encryptionAtHost; remove securityProfile`,
      ],
    ]);
  });

  it.each([
    // A field of KubeadmConfig.
    ["ntp", { enabled: true }, ["linuxPools.lin1.overrides.KubeadmConfig.spec.ntp"]],
    // Not with such a value.
    ["ntp", { enabled: "maybe" }, []],
    // The objects of a cluster find each other by it.
    ["clusterName", "other", []],
    // The stack file has a key for it.
    ["vmSize", "Standard_D4s_v5", []],
  ])("finds %s: %j in the objects of a pool", (key, value, places) => {
    const root = { linuxPools: { lin1: { [key]: value } } };
    const steps = inOverrides(["linuxPools", "lin1", key], root);
    expect(steps.flatMap((one) => targetsOf(one).map(pathText))).toEqual(places);
  });

  it.each(["*x: 1", "a: *b", "a: &x [*x]", "a: [", "dayOfWeek: *Sunday"])(
    "is asked about in words where a text is no mapping in YAML: %s",
    (text) => {
      expect(problemsOf({ management: { kind: "aks", maintenanceWindow: text } })).toEqual([
        [
          "management.maintenanceWindow",
          "expected a mapping, found text",
          "a mapping with the keys dayOfWeek, startTime, durationHours, utcOffset",
          "maintenanceWindow: <an allowed value>",
        ],
      ]);
    },
  );

  it("makes no mapping of a JSON patch that reaches what every object inherits", () => {
    const patch = [{ op: "add", path: "/__proto__/polluted", value: true }];
    problemsOf({ overrides: { AzureCluster: patch } });
    expect({}).not.toHaveProperty("polluted");
    expect(applySteps({}, [{ set: ["__proto__", "polluted"], value: true }])).toEqual({});
    expect({}).not.toHaveProperty("polluted");
  });
});
