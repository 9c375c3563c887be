import { at, list, strings, textAt, type Plain } from "../../tools/untyped";

/**
 * Who does something of which an audit policy logs nothing. The first rule that matches a request decides, and none means that it is
 * not logged. Source: https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/
 */

interface Act {
  readonly what: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
}

/** What somebody does whom the log should name. */
const acts: readonly Act[] = [
  { what: "reads a Secret", verb: "get", group: "", resource: "secrets" },
  { what: "changes a Secret", verb: "update", group: "", resource: "secrets" },
  { what: "makes a Pod", verb: "create", group: "", resource: "pods" },
  { what: "changes a Deployment", verb: "patch", group: "apps", resource: "deployments" },
  {
    ...{ what: "gives a role", verb: "create" },
    ...{ group: "rbac.authorization.k8s.io", resource: "rolebindings" },
  },
];

/** Of a request in a namespace that no rule names. */
interface Person {
  readonly user?: string;
  readonly groups: readonly string[];
}

/** An empty list is everything. */
const isIn = (values: unknown, ...wanted: readonly (string | undefined)[]): boolean =>
  strings(values).length === 0 || strings(values).some((value) => wanted.includes(value));

const isOf = (rule: Plain, { verb, group, resource }: Act, { user, groups }: Person): boolean =>
  isIn(rule.users, user) &&
  isIn(rule.userGroups, ...groups) &&
  isIn(rule.verbs, verb) &&
  isIn(rule.namespaces, "default") &&
  (list(rule.resources).length === 0
    ? strings(rule.nonResourceURLs).length === 0
    : list(rule.resources).some(
        (one) =>
          textAt(one, "group") === group &&
          isIn(one.resources, resource, "*") &&
          strings(one.resourceNames).length === 0,
      ));

/** Whether nothing is left of a request: a level, and a stage that every request has. */
function isSilent(rule: Plain | undefined, policy: unknown): boolean {
  const left = [...strings(at(policy, "omitStages")), ...strings(rule?.omitStages)];
  return (
    rule === undefined ||
    rule.level === "None" ||
    ["RequestReceived", "ResponseComplete"].every((stage) => left.includes(stage))
  );
}

const isSystem = (name: string): boolean => name.startsWith("system:") && name !== "system:masters";

/** "anyone who reads a Secret", "alice, who makes a Pod": empty for a policy that logs all acts of people. */
export function unlogged(policy: unknown): string[] {
  const rules = list(at(policy, "rules"));
  const silentFor = (person: Person): string[] =>
    acts
      .filter((act) =>
        isSilent(
          rules.find((rule) => isOf(rule, act, person)),
          policy,
        ),
      )
      .map(({ what }) => what);
  const anyone = silentFor({ groups: ["system:authenticated"] });
  const named = (key: "users" | "userGroups"): string[] => [
    ...new Set(rules.flatMap((rule) => strings(rule[key])).filter((name) => !isSystem(name))),
  ];
  const ofNamed = [
    ...named("users").map((user) => [user, { user, groups: ["system:authenticated"] }] as const),
    ...named("userGroups").map((group) => [group, { groups: [group, "system:authenticated"] }] as const),
  ].flatMap(([name, person]) => {
    const hidden = silentFor(person).filter((what) => !anyone.includes(what));
    return hidden.length === 0 ? [] : [`${name}, who ${hidden.join(", ")}`];
  });
  return [...(anyone.length === 0 ? [] : [`anyone who ${anyone.join(", ")}`]), ...ofNamed];
}
