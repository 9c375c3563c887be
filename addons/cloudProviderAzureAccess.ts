import type { KubernetesObject } from "../capi/types";

/** Service accounts of the cloud provider and their permissions: the rules of its Helm chart at 7b31c76c. */

const rbac = "rbac.authorization.k8s.io";
const rbacVersion = `${rbac}/v1`;
const systemNamespace = "kube-system";

const serviceAccount = (name: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name, namespace: systemNamespace },
});

const subject = (name: string) => ({ kind: "ServiceAccount", name, namespace: systemNamespace });

const clusterRole = (name: string, rules: readonly object[]): KubernetesObject => ({
  apiVersion: rbacVersion,
  kind: "ClusterRole",
  metadata: { name },
  rules,
});

const clusterRoleBinding = (role: string, account: string): KubernetesObject => ({
  apiVersion: rbacVersion,
  kind: "ClusterRoleBinding",
  metadata: { name: role },
  roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
  subjects: [subject(account)],
});

const rule = (group: string, resources: readonly string[], verbs: readonly string[]) => ({
  apiGroups: [group],
  resources,
  verbs,
});

const controllerManager = "cloud-controller-manager";
const controllerManagerRole = `system:${controllerManager}`;

export const cloudControllerManagerAccess: readonly KubernetesObject[] = [
  serviceAccount(controllerManager),
  clusterRole(controllerManagerRole, [
    rule("", ["events"], ["create", "patch", "update"]),
    rule("", ["nodes"], ["*"]),
    rule("", ["nodes/status"], ["patch"]),
    rule("", ["services", "services/status"], ["list", "patch", "update", "watch"]),
    rule("", ["serviceaccounts"], ["create", "get", "list", "watch", "update"]),
    rule("", ["persistentvolumes"], ["get", "list", "update", "watch"]),
    rule("", ["endpoints"], ["create", "get", "list", "watch", "update"]),
    rule("", ["secrets"], ["get", "list", "watch"]),
    rule("coordination.k8s.io", ["leases"], ["get", "create", "update"]),
    rule("discovery.k8s.io", ["endpointslices"], ["get", "list", "watch"]),
  ]),
  clusterRoleBinding(controllerManagerRole, controllerManager),
  {
    apiVersion: rbacVersion,
    kind: "RoleBinding",
    metadata: {
      name: `${controllerManagerRole}:extension-apiserver-authentication-reader`,
      namespace: systemNamespace,
    },
    // A role of the API server's own: it lets the manager read how to authenticate clients of its secure port.
    roleRef: { apiGroup: rbac, kind: "Role", name: "extension-apiserver-authentication-reader" },
    subjects: [subject(controllerManager)],
  },
];

const nodeManager = "cloud-node-manager";

export const cloudNodeManagerAccess: readonly KubernetesObject[] = [
  serviceAccount(nodeManager),
  clusterRole(nodeManager, [
    rule("", ["nodes"], ["watch", "list", "get", "update", "patch"]),
    rule("", ["nodes/status"], ["patch"]),
  ]),
  clusterRoleBinding(nodeManager, nodeManager),
];
