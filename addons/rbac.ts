import type { KubernetesObject } from "capz-types";

/** Objects of role-based access control, as the add-ons need them. */

export const rbac = "rbac.authorization.k8s.io";
const namespace = "kube-system";

export interface RbacRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A rule over one API group; the core group is "". */
export const rule = (
  apiGroup: string,
  resources: readonly string[],
  ...verbs: readonly string[]
): RbacRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
});

export const read = ["get", "list", "watch"] as const;

/** Leader election in the add-on's own namespace. */
export const leases = rule("coordination.k8s.io", ["leases"], ...read, "create", "update", "patch", "delete");

export const serviceAccount = (name: string, inNamespace = namespace): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name, namespace: inNamespace },
});

const subjects = (account: string, accounts: string) => [
  { kind: "ServiceAccount", name: account, namespace: accounts },
];

/**
 * Rights in every namespace, and the binding that gives them to an account.
 * @param accounts - the namespace of the account
 */
export const clusterRights = (
  name: string,
  account: string,
  rules: readonly RbacRule[],
  accounts = namespace,
): KubernetesObject[] => [
  { apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: { name }, rules },
  bindClusterRole(name, account, name, accounts),
];

/** Rights in every namespace, for whoever they are. */
export const bindSubjects = (name: string, role: string, whom: readonly object[]): KubernetesObject => ({
  apiVersion: `${rbac}/v1`,
  kind: "ClusterRoleBinding",
  metadata: { name },
  roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
  subjects: whom,
});

export const bindClusterRole = (
  name: string,
  account: string,
  role: string,
  accounts = namespace,
): KubernetesObject => bindSubjects(name, role, subjects(account, accounts));

/**
 * Rights in one namespace alone, kube-system unless said, and the binding that gives them to an account.
 * @param accounts - the namespace of the account
 */
export const namespaceRights = (
  name: string,
  account: string,
  rules: readonly RbacRule[],
  inNamespace = namespace,
  accounts = namespace,
): KubernetesObject[] => [
  { apiVersion: `${rbac}/v1`, kind: "Role", metadata: { name, namespace: inNamespace }, rules },
  bindRole(name, account, name, inNamespace, accounts),
];

export const bindRole = (
  name: string,
  account: string,
  role: string,
  inNamespace = namespace,
  accounts = namespace,
): KubernetesObject => ({
  apiVersion: `${rbac}/v1`,
  kind: "RoleBinding",
  metadata: { name, namespace: inNamespace },
  roleRef: { apiGroup: rbac, kind: "Role", name: role },
  subjects: subjects(account, accounts),
});
