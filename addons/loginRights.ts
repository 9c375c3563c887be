import type { KubernetesObject } from "capz-types";
import type { LoginRights, Subjects } from "capz-windows-platform/login/issuers";
import { bindSubjects, rbac } from "./rbac";

const subjectsOf = ({ groups, users }: Subjects) =>
  [...groups.map((name) => ["Group", name]), ...users.map((name) => ["User", name])].map(([kind, name]) => ({
    ...{ apiGroup: rbac, kind, name },
  }));

/**
 * Bindings of those who log in with tokens. Both are delivered also without anybody: nothing deletes a binding in the cluster
 * whose last user is no longer in the stack file.
 */
export const loginRightsObjects = ({ administrators, readers }: LoginRights): KubernetesObject[] => [
  bindSubjects("capz-windows-administrators", "cluster-admin", subjectsOf(administrators)),
  bindSubjects("capz-windows-readers", "view", subjectsOf(readers)),
];
