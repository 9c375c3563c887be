import { auditBootstrap } from "../../bootstrap/audit";
import { builtInPolicy } from "capz-windows-platform/audit/builtInPolicy";
import { auditPolicyFaults } from "capz-windows-platform/audit/policyFaults";
import { auditPolicyText } from "capz-windows-platform/audit/policyText";
import { loggedBodies } from "capz-windows-platform/audit/secretBodies";
import { parse } from "yaml";
import { readText } from "../architecture/sources";
import { settingsWith } from "../support/stacks";
import { warningsOf } from "../../config/warnings";

/** The audit log of the API server, as kubeadm gets it. */

describe("an audit log", () => {
  it("is nothing where it is not asked for", () => {
    expect(auditBootstrap(undefined, "v1.35.6")).toEqual({ args: [], volumes: [], files: [] });
  });

  it("has a policy that only root reads, a folder that lasts, and limits", () => {
    const { args, volumes, files } = auditBootstrap({ maxBackups: 3, maxAgeDays: undefined }, "v1.35.6");
    expect(args.map(({ name, value }) => `--${name}=${value}`)).toEqual([
      "--audit-log-maxage=30",
      "--audit-log-maxbackup=3",
      "--audit-log-maxsize=100",
      "--audit-log-path=/var/log/kubernetes/audit/audit.log",
      "--audit-policy-file=/etc/kubernetes/audit-policy.yaml",
    ]);
    expect(volumes).toEqual([
      {
        ...{ name: "audit-log", pathType: "DirectoryOrCreate" },
        ...{ hostPath: "/var/log/kubernetes/audit", mountPath: "/var/log/kubernetes/audit" },
      },
      {
        ...{ name: "audit-policy", readOnly: true, pathType: "File" },
        ...{
          hostPath: "/etc/kubernetes/audit-policy.yaml",
          mountPath: "/etc/kubernetes/audit-policy.yaml",
        },
      },
    ]);
    expect(files).toEqual([
      expect.objectContaining({
        path: "/etc/kubernetes/audit-policy.yaml",
        owner: "root:root",
        permissions: "0600",
      }),
    ]);
  });

  it("has the policy of the user as it is, but for comments", () => {
    const text = auditPolicyText(parse("# why\nkind: Policy\nrules:\n- {level: None, users: [no, 'a:b']}\n"));
    expect(text).toBe('kind: Policy\nrules:\n- level: None\n  users: ["no", a:b]\n');
    expect(auditBootstrap({ policy: text }, "v1.35.6").files[0]).toMatchObject({ content: text });
  });
});

const everything = "contents of Secrets, tokens of people and pods, new tokens of service accounts";
const ofSecrets = "contents of Secrets";
const ofRequest = `${ofSecrets}, tokens of people and pods`;
const secretsOnly = '{group: "", resources: [secrets]}';
const ofRequests = `${secretsOnly}, {group: authentication.k8s.io, resources: [tokenreviews]}`;
const ofAll = `${ofRequests}, {group: "", resources: [serviceaccounts/token]}`;

it("tokens in requests and answers are found like contents of Secrets", () => {
  const own = { level: "Metadata", resources: [{ group: "", resources: ["secrets"] }] };
  const bodies = (level: string, group: string, resource: string, more = {}) =>
    loggedBodies({ rules: [own, { level, resources: [{ group, resources: [resource] }], ...more }] });
  const authentication = "authentication.k8s.io";
  const reviews = {
    ...{ rule: 1, what: "tokens of people and pods" },
    before: "{level: Metadata, resources: [{group: authentication.k8s.io, resources: [tokenreviews]}]}",
  };
  const tokens = {
    ...{ rule: 1, what: "new tokens of service accounts" },
    before: '{level: Metadata, resources: [{group: "", resources: [serviceaccounts/token]}]}',
  };
  expect(bodies("Request", authentication, "*")).toEqual([reviews]);
  expect(bodies("RequestResponse", authentication, "tokenreviews")).toEqual([reviews]);
  expect(bodies("Request", authentication, "*", { verbs: ["get"] })).toEqual([]);
  expect(bodies("RequestResponse", "", "serviceaccounts/token")).toEqual([tokens]);
  // Verbs have no star, and a TokenReview is of no namespace.
  expect(bodies("Request", authentication, "*", { verbs: ["*"] })).toEqual([]);
  expect(bodies("Request", authentication, "*", { namespaces: ["web"] })).toEqual([]);
  expect(bodies("Request", authentication, "*", { namespaces: ["web", ""] })).toEqual([reviews]);
  expect(bodies("Request", "", "serviceaccounts/token")).toEqual([]);
  expect(bodies("RequestResponse", "", "serviceaccounts")).toEqual([]);
  expect(bodies("Metadata", authentication, "*")).toEqual([]);
  expect(loggedBodies({ rules: [own, { level: "RequestResponse" }] })).toMatchObject([
    { rule: 1, what: "tokens of people and pods, new tokens of service accounts" },
  ]);
});

it.each([["secrets"], ["*"], ["secrets/*"], []])("a rule for %s logs contents of Secrets", (...resources) => {
  const rule = { level: "RequestResponse", resources: [{ group: "", resources: resources.filter(Boolean) }] };
  expect(loggedBodies({ rules: [rule] })[0]?.what).toMatch(/^contents of Secrets/);
  expect(loggedBodies({ rules: [{ ...rule, resources: [] }] })).toMatchObject([
    { rule: 0, what: everything },
  ]);
});

it("a text beside a group of resources is no group", () => {
  const rules = [{ level: "None", resources: [{ group: "", resources: ["pods"] }, "secrets"] }];
  expect(
    auditPolicyFaults({ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules }, "v1.35.6"),
  ).toMatchObject([{ within: "rules[0]", key: "resources", problem: "not a list of groups" }]);
});

describe("the built-in policy", () => {
  it.each(["v1.22.17", "v1.23.0", "v1.35.6"])(
    "is right for %s, and logs no content of a Secret",
    (version) => {
      const policy = builtInPolicy(version);
      expect(auditPolicyFaults(policy, version)).toEqual([]);
      expect(loggedBodies(policy)).toEqual([]);
      expect("omitManagedFields" in policy).toBe(version !== "v1.22.17");
    },
  );

  it("is also a file to begin with", () => {
    expect(parse(readText("docs/audit-policy.yaml"))).toEqual(builtInPolicy("v1.35.6"));
  });
});

describe("contents of Secrets in the log", () => {
  const secrets = [{ group: "", resources: ["secrets"] }];
  const tokens = [
    { group: "", resources: ["serviceaccounts/token"] },
    { group: "authentication.k8s.io", resources: ["tokenreviews"] },
  ];
  const warned = (...rules: object[]): string[] =>
    warningsOf(
      settingsWith({
        controlPlane: { audit: { policy: { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules } } },
      }),
    ).flatMap(({ path, message }) => (path.startsWith("controlPlane.audit") ? [`${path}: ${message}`] : []));

  it.each<[index: number, what: string, before: string, rules: readonly object[]]>([
    [0, everything, ofAll, [{ level: "RequestResponse" }]],
    [0, ofSecrets, secretsOnly, [{ level: "Request", resources: [{ group: "" }] }]],
    [0, ofSecrets, secretsOnly, [{ level: "Request", resources: [{ group: "", resources: ["*"] }] }]],
    [
      1,
      ofRequest,
      ofRequests,
      [{ level: "Metadata", resources: secrets, users: ["a"] }, { level: "Request" }],
    ],
    [
      1,
      ofRequest,
      ofRequests,
      [
        { level: "None", nonResourceURLs: ["*"] },
        { level: "Request", verbs: ["create"] },
      ],
    ],
  ])("are told by the rule %i", (index, what, before, rules) => {
    expect(warned(...rules)).toEqual([
      `controlPlane.audit.policy.rules[${index}]: by this rule the log has ${what}, and whoever reads the log reads them; write before it: {level: Metadata, resources: [${before}]}`,
    ]);
  });

  it.each([
    [[{ level: "Metadata", resources: [...secrets, ...tokens] }, { level: "RequestResponse" }]],
    [[{ level: "Request", resources: [{ group: "apps" }] }, { level: "Metadata" }]],
    [[{ level: "Request", nonResourceURLs: ["/a"] }]],
  ])("are not there: %j", (rules) => {
    expect(warned(...rules)).toEqual([]);
  });
});
