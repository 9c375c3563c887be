import { clusterRoles, peopleWith } from "../../model/cluster/clusterRoles";
import type { ImpactRule } from "../impactRule";
import { deliveredSides, isContent } from "./addons";

/** Who gets a role in the whole workload cluster, or loses it. */

const line = (verb: string, people: readonly string[]): string[] =>
  people.length === 0 ? [] : [`${verb}: ${people.join(", ")}`];

export const clusterRoleRules: readonly ImpactRule[] = [
  {
    id: "cluster-role",
    source: "https://kubernetes.io/docs/reference/access-authn-authz/rbac/#user-facing-roles",
    match: isContent,
    informational: true,
    explain: (matched, clusters) => {
      const [{ part, kind }] = matched;
      const { applyOnce } = clusters.head?.addons.find(({ name }) => name === part.name) ?? {};
      const [base, head] = deliveredSides(matched);
      // A binding that is no longer delivered stays in the cluster, and so do its people.
      const kept = [...base].filter(([name]) => head.has(name)).map(([, object]) => object);
      const changes = Object.values(clusterRoles).flatMap((role) => {
        const before = peopleWith(role, [...base.values()]);
        const after = peopleWith(role, [...head.values()]);
        return [
          ...line(
            `becomes ${role}`,
            after.filter((one) => !before.includes(one)),
          ),
          ...line(
            `loses ${role}`,
            peopleWith(role, kept).filter((one) => !after.includes(one)),
          ),
        ];
      });
      const what = changes.join("; ");
      return what === "" || (applyOnce === true && kind === "update")
        ? undefined
        : {
            what: `${what.charAt(0).toUpperCase()}${what.slice(1)}`,
            why: `${part.name} binds them to this ClusterRole; that counts from their next request on`,
          };
    },
  },
];
