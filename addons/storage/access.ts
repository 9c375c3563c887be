import type { KubernetesObject } from "capz-types";
import { clusterRights, leases, namespaceRights, read, rule, serviceAccount, type RbacRule } from "../rbac";
import { controllerAccount, nodeAccount, type CsiDriver } from "./csiDriver";

/**
 * The secret in which both drivers look for their configuration before they read azure.json. It does not exist; without
 * the permission to see that, they would log an error at each start.
 */
const ownConfiguration: RbacRule = {
  ...rule("", ["secrets"], "get"),
  resourceNames: ["azure-cloud-provider"],
};

const volumes = "storage.k8s.io";

/** What the sidecars of a controller do, in the order of their own manifests: provisioner, attacher, resizer. */
const controllerRules = ({ attaches }: CsiDriver): RbacRule[] => [
  rule("", ["persistentvolumes"], ...read, "create", "update", "patch", "delete"),
  rule("", ["persistentvolumeclaims"], ...read, "update"),
  rule("", ["persistentvolumeclaims/status"], "update", "patch"),
  rule("", ["events"], ...read, "create", "update", "patch"),
  rule("", ["nodes", "pods"], ...read),
  rule(volumes, ["storageclasses", "csinodes", "volumeattributesclasses"], ...read),
  // For users who install snapshots themselves: a volume can be created from one.
  rule("snapshot.storage.k8s.io", ["volumesnapshots", "volumesnapshotcontents"], "get", "list"),
  ...(attaches
    ? [rule(volumes, ["volumeattachments", "volumeattachments/status"], ...read, "update", "patch")]
    : // The keys of storage accounts, in the namespace of the claim.
      [rule("", ["secrets"], "get", "create")]),
];

const nodeRules = ({ attaches }: CsiDriver): RbacRule[] =>
  attaches
    ? [
        // It removes its own taint from a node once it is ready there.
        rule("", ["nodes"], "get", "patch"),
        rule(volumes, ["csinodes"], "get"),
        rule(volumes, ["volumeattachments"], ...read),
      ]
    : [rule("", ["secrets"], "get"), rule("", ["nodes"], "get")];

/** Accounts and permissions of a driver. Those needed only in its own namespace are granted only there. */
export function csiAccess(driver: CsiDriver): KubernetesObject[] {
  const name = (part: string) => `csi-${driver.short}-${part}`;
  const [controller, node] = [controllerAccount(driver), nodeAccount(driver)];
  return [
    serviceAccount(controller),
    serviceAccount(node),
    ...clusterRights(name("controller-role"), controller, controllerRules(driver)),
    ...namespaceRights(name("controller-leader"), controller, [leases, ownConfiguration]),
    ...clusterRights(name("node-role"), node, nodeRules(driver)),
    ...namespaceRights(name("node-config"), node, [ownConfiguration]),
  ];
}
