import type { Case } from "./ruleCases";

const audit = (keys: object, more: object = {}) => ({ controlPlane: { audit: keys, ...more } });
const metadata = { level: "Metadata" };
const policy = (fields: object) =>
  audit({ policy: { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [metadata], ...fields } });
const rule = (fields: object) => policy({ rules: [metadata, { level: "Request", ...fields }] });
const at = "controlPlane.audit.policy";
const argument = (name: string) => ({
  overrides: {
    KubeadmControlPlane: {
      spec: {
        kubeadmConfigSpec: {
          clusterConfiguration: {
            apiServer: { extraArgs: [name].map((one) => ({ name: one, value: "5" })) },
          },
        },
      },
    },
  },
});
const many = (count: number) =>
  policy({ rules: Array.from({ length: count }, () => ({ ...metadata, users: ["x".repeat(50)] })) });
const where =
  "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs";

/** Cases of controlPlane.audit. */
export const auditCases: readonly Case[] = [
  [
    "an audit log larger than a quarter of the OS disk",
    audit({ maxBackups: 76 }, { osDiskGB: 30 }),
    "controlPlane.audit.maxBackups: the log can take (76 + 1) × 100 MiB = 7,700 MiB on each machine, and a quarter of the OS disk of 30 GB is 7,680 MiB: the rest is for the system, images and other logs",
    audit({ maxBackups: 75 }, { osDiskGB: 30 }),
  ],
  [
    "files of an audit log that are too large for the OS disk",
    audit({ maxSizeMiB: 1024 }, { osDiskGB: 30 }),
    "controlPlane.audit.maxBackups: the log can take (10 + 1) × 1024 MiB = 11,264 MiB on each machine, and a quarter of the OS disk of 30 GB is 7,680 MiB: the rest is for the system, images and other logs",
    audit({ maxSizeMiB: 1024, maxBackups: 6 }, { osDiskGB: 30 }),
  ],
  [
    "an audit log that is kept for ever",
    audit({ maxAgeDays: 0 }),
    "controlPlane.audit.maxAgeDays: less than the minimum 1",
    audit({ maxAgeDays: 1 }),
  ],
  [
    "two audit policies",
    audit({
      policyFile: "docs/audit-policy.yaml",
      policy: { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [metadata] },
    }),
    "controlPlane.audit: both policy and policyFile are set",
    audit({ policyFile: "docs/audit-policy.yaml" }),
  ],
  [
    "an audit policy outside of the project",
    audit({ policyFile: "/etc/kubernetes/audit.yaml" }),
    "controlPlane.audit.policyFile: invalid format",
    audit({ policyFile: "etc/audit.yaml" }),
  ],
  [
    "an audit policy of a version that is gone",
    policy({ apiVersion: "audit.k8s.io/v1beta1" }),
    `${at}.apiVersion: not a value that the API server knows`,
    policy({}),
  ],
  [
    "something else than an audit policy",
    policy({ kind: "List" }),
    `${at}.kind: not a value that the API server knows`,
    policy({}),
  ],
  [
    "an audit policy without its kind",
    audit({ policy: { apiVersion: "audit.k8s.io/v1", rules: [metadata] } }),
    `${at}.kind: missing`,
    policy({}),
  ],
  [
    "an audit policy without rules",
    policy({ rules: [] }),
    `${at}.rules: an API server does not start with a policy without rules`,
    policy({}),
  ],
  ["an audit rule that is a text", policy({ rules: ["Metadata"] }), `${at}.rules[0]: not a rule`, policy({})],
  ["an audit rule without a level", rule({ level: undefined }), `${at}.rules[1].level: missing`, rule({})],
  [
    "an audit rule with a level in lower case",
    rule({ level: "requestresponse" }),
    `${at}.rules[1].level: not a value that the API server knows`,
    rule({ level: "RequestResponse" }),
  ],
  [
    "an audit rule with a misspelled field",
    rule({ userGroup: ["system:nodes"] }),
    `${at}.rules[1].userGroup: the API server does not know this field, and ignores it`,
    rule({ userGroups: ["system:nodes"] }),
  ],
  [
    "an audit rule with a field of another API",
    rule({ stages: ["Panic"] }),
    `${at}.rules[1].stages: the API server does not know this field, and ignores it`,
    rule({ omitStages: ["Panic"] }),
  ],
  [
    "verbs that are no list",
    rule({ verbs: "get" }),
    `${at}.rules[1].verbs: not a list`,
    rule({ verbs: ["get"] }),
  ],
  [
    "a stage that there is not",
    policy({ omitStages: ["RequestReceived", "Begin"] }),
    `${at}.omitStages: not all of it is right`,
    policy({ omitStages: ["RequestReceived"] }),
  ],
  [
    "fields that Kubernetes 1.22 does not omit",
    { ...policy({ omitManagedFields: true }), kubernetesVersion: "v1.22.17" },
    `${at}.omitManagedFields: the API server does not know this field, and ignores it`,
    policy({ omitManagedFields: true }),
  ],
  [
    "neither true nor false",
    policy({ omitManagedFields: "yes please" }),
    `${at}.omitManagedFields: neither true nor false`,
    policy({ omitManagedFields: false }),
  ],
  [
    "an audit rule about resources and URLs",
    rule({ resources: [{ group: "" }], nonResourceURLs: ["/healthz*"] }),
    `${at}.rules[1].nonResourceURLs: one rule is about resources and about other URLs, and the API server does not start with it`,
    rule({ nonResourceURLs: ["/healthz*"] }),
  ],
  [
    "a URL with an asterisk in the middle",
    rule({ nonResourceURLs: ["/api/*/pods"] }),
    `${at}.rules[1].nonResourceURLs: not all of it is right`,
    rule({ nonResourceURLs: ["/api/*", "*"] }),
  ],
  [
    "resources without their group",
    rule({ resources: ["secrets"] }),
    `${at}.rules[1].resources: not a list of groups`,
    rule({ resources: [{ group: "", resources: ["secrets"] }] }),
  ],
  [
    "names without resources",
    rule({ resources: [{ group: "", resourceNames: ["own"] }] }),
    `${at}.rules[1].resources[0].resourceNames: names without the resources that have them`,
    rule({ resources: [{ group: "", resources: ["configmaps"], resourceNames: ["own"] }] }),
  ],
  [
    "a group with its version",
    rule({ resources: [{ group: "apps/v1" }] }),
    `${at}.rules[1].resources[0].group: not the name of an API group`,
    rule({ resources: [{ group: "apps" }] }),
  ],
  [
    "an audit policy that is too long",
    many(150),
    `${at}: the policy has 12,048 characters, without comments`,
    many(100),
  ],
  [
    "arguments of the audit log in an override",
    { controlPlane: argument("audit-log-maxage") },
    `${where}: audit-log-maxage: an override may not set this: the stack file has a key for it`,
    { controlPlane: argument("event-ttl") },
  ],
];
