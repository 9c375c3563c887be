import type { KubernetesObject } from "capz-types";
import { bindRole, clusterRights, rule, serviceAccount } from "./rbac";

/** Service accounts of the cloud provider and their permissions: the rules of its Helm chart at 7b31c76c. */

const controllerManager = "cloud-controller-manager";
const controllerManagerRole = `system:${controllerManager}`;

export const cloudControllerManagerAccess: readonly KubernetesObject[] = [
  serviceAccount(controllerManager),
  ...clusterRights(controllerManagerRole, controllerManager, [
    rule("", ["events"], "create", "patch", "update"),
    rule("", ["nodes"], "*"),
    rule("", ["nodes/status"], "patch"),
    rule("", ["services", "services/status"], "list", "patch", "update", "watch"),
    rule("", ["serviceaccounts"], "create", "get", "list", "watch", "update"),
    rule("", ["persistentvolumes"], "get", "list", "update", "watch"),
    rule("", ["endpoints"], "create", "get", "list", "watch", "update"),
    rule("", ["secrets"], "get", "list", "watch"),
    rule("coordination.k8s.io", ["leases"], "get", "create", "update"),
    rule("discovery.k8s.io", ["endpointslices"], "get", "list", "watch"),
  ]),
  // A role of the API server's own: it lets the manager read how to authenticate clients of its secure port.
  bindRole(
    `${controllerManagerRole}:extension-apiserver-authentication-reader`,
    controllerManager,
    "extension-apiserver-authentication-reader",
  ),
];

const nodeManager = "cloud-node-manager";

export const cloudNodeManagerAccess: readonly KubernetesObject[] = [
  serviceAccount(nodeManager),
  ...clusterRights(nodeManager, nodeManager, [
    rule("", ["nodes"], "watch", "list", "get", "update", "patch"),
    rule("", ["nodes/status"], "patch"),
  ]),
];
