import { at, list, strings, textAt } from "../../tools/untyped";
import { pathText } from "../steps";

/**
 * Who may ask kubelets. `get` on nodes/proxy runs commands in every container of a node, and reads its logs; nodes/log reads
 * the logs of the node, with what its services write about workloads.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/
 */

/** Subjects that are everyone, or everything that runs in the cluster. */
const everyone = [
  "system:anonymous",
  "system:unauthenticated",
  "system:authenticated",
  "system:serviceaccounts",
];

/** Roles of Kubernetes itself that contain the right. */
const builtIn = ["cluster-admin", "system:kubelet-api-admin"];

/** In RBAC, a star is every resource with its subresources; before a subresource it is every resource. */
const resources = ["*", "nodes/proxy", "nodes/log", "*/proxy", "*/log"];

const has = (values: unknown, wanted: readonly string[]): boolean =>
  strings(values).some((value) => wanted.includes(value));

const asksKubelets = (role: unknown): boolean =>
  list(at(role, "rules")).some(
    (rule) =>
      has(rule.apiGroups, ["", "*"]) &&
      has(rule.resources, resources) &&
      has(rule.verbs, ["get", "create", "*"]),
  );

export interface OpenBinding {
  readonly path: string;
  readonly binding: string;
  readonly role: string;
  readonly subjects: readonly string[];
}

/**
 * Bindings that give the right to everyone.
 * @param manifests - the objects that a stack file writes, by the name of their manifest
 */
export function openBindings(manifests: Readonly<Record<string, readonly unknown[]>>): OpenBinding[] {
  const placed = Object.entries(manifests).flatMap(([name, objects]) =>
    objects.map((object, index) => ({ object, path: pathText(["extraManifests", name, "objects", index]) })),
  );
  const roles = placed
    .filter(({ object }) => textAt(object, "kind") === "ClusterRole" && asksKubelets(object))
    .map(({ object }) => textAt(object, "metadata", "name"));
  return placed.flatMap(({ object, path }): OpenBinding[] => {
    const role = textAt(object, "roleRef", "name");
    if (textAt(object, "kind") !== "ClusterRoleBinding" || ![...builtIn, ...roles].includes(role)) {
      return [];
    }
    const subjects = list(at(object, "subjects"))
      .map((subject) => textAt(subject, "name"))
      .filter((subject) => everyone.includes(subject));
    const binding = textAt(object, "metadata", "name");
    return subjects.length === 0 ? [] : [{ path, binding, role, subjects }];
  });
}
