import { minor } from "semver";
import { addonNamespaces } from "../cluster/addonNamespaces";

/** A rule of an audit policy; the first that matches a request decides (k8s.io/apiserver v0.35 pkg/apis/audit/v1/types.go). */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly {
    /** "" is the core group. */
    readonly group: string;
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

export const auditLevels = ["None", "Metadata", "Request", "RequestResponse"] as const;
export type AuditLevel = (typeof auditLevels)[number];

export const auditStages = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"] as const;
export type AuditStage = (typeof auditStages)[number];

const reads = ["get", "list", "watch"];
const nodes = ["system:nodes"];

/** Service accounts of Kubernetes' own controllers, kube-proxy and the add-ons. */
const systemAccounts = addonNamespaces
  .filter((namespace) => !namespace.startsWith("kube-") || namespace === "kube-system")
  .map((namespace) => `system:serviceaccounts:${namespace}`);

/** Components of the control plane, and kube-proxy where it has its own certificate. */
const systemUsers = [
  "system:apiserver",
  "system:kube-controller-manager",
  "system:kube-proxy",
  "system:kube-scheduler",
];

const core = (...resources: string[]) => ({ group: "", resources });

/** By users or by groups: a rule that has both matches only who is in both. */
const forSystem = ({ level, ...rule }: Omit<AuditRule, "users" | "userGroups">): AuditRule[] => [
  { level, users: systemUsers, ...rule },
  { level, userGroups: [...nodes, ...systemAccounts], ...rule },
];

/** Groups whose objects have a status that the cluster writes. A rule names each: there is no pattern for groups. */
const withStatus = [
  ...["", "apiextensions.k8s.io", "apiregistration.k8s.io", "apps", "autoscaling", "batch"],
  ...["flowcontrol.apiserver.k8s.io", "networking.k8s.io", "operator.tigera.io", "policy", "storage.k8s.io"],
].map((group) => ({ group, resources: ["*/status"] }));

/** How kubelet and API servers of add-ons find out who asks them, a few times a minute each. */
const questions = [
  { group: "authentication.k8s.io", resources: ["tokenreviews"] },
  { group: "authorization.k8s.io", resources: ["subjectaccessreviews"] },
];

/** The kinds whose content is a secret, or may be one. */
const confidential = [
  core("secrets", "configmaps", "serviceaccounts/token"),
  { group: "authentication.k8s.io" },
  { group: "authorization.k8s.io" },
];

/** omitManagedFields came with Kubernetes 1.23 (CHANGELOG-1.23.md); older API servers ignore it, with an error in their log. */
export const firstWithOmittedFields = 23;

/**
 * A policy that is quiet and useful: who changed what, and who read a Secret; not what the cluster does all day. Contents
 * of Secrets and ConfigMaps, and tokens, are in no line.
 * @param kubernetesVersion - of the control plane, with leading v
 */
export const builtInPolicy = (kubernetesVersion: string) => ({
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  // One line for each request; those that take long, such as exec and watch, have one when they begin, too.
  omitStages: ["RequestReceived"],
  ...(minor(kubernetesVersion) < firstWithOmittedFields ? {} : { omitManagedFields: true }),
  rules: [
    // Probes, discovery and OpenAPI, which every client asks for.
    {
      level: "None",
      verbs: reads,
      nonResourceURLs: [
        ...["/healthz*", "/livez*", "/readyz*", "/metrics*", "/version*", "/openapi/*", "/api", "/api/*"],
        // Cluster API asks for / every ten seconds, to see whether the cluster answers (v1.14.2, controllers/clustercache).
        ...["/apis", "/apis/*", "/"],
      ],
    },
    { level: "None", resources: [core("events"), { group: "events.k8s.io" }] },
    // Who leads, and which node is alive.
    {
      level: "None",
      verbs: [...reads, "create", "update", "patch"],
      resources: [{ group: "coordination.k8s.io", resources: ["leases"] }],
    },
    { level: "None", userGroups: nodes, verbs: reads },
    { level: "None", users: systemUsers, verbs: reads },
    ...forSystem({ level: "None", verbs: ["update", "patch"], resources: withStatus }),
    ...forSystem({ level: "None", verbs: ["create"], resources: questions }),
    // The autoscaler writes it every ten seconds.
    {
      level: "None",
      verbs: [...reads, "update"],
      resources: [{ ...core("configmaps"), resourceNames: ["cluster-autoscaler-status"] }],
    },
    // Before the rule about reads of add-ons: a stolen token of one is worth what Secrets it reads.
    { level: "Metadata", resources: [core("secrets")] },
    { level: "None", userGroups: systemAccounts, verbs: reads },
    { level: "Metadata", resources: confidential },
    // What the cluster writes itself follows from what others wrote.
    ...forSystem({ level: "Metadata" }),
    { level: "Request", verbs: ["create", "update", "patch", "delete", "deletecollection"] },
    { level: "Metadata" },
  ],
});
