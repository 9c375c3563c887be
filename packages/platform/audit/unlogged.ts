import { grouped } from "capz-windows-kit/grouped";
import { present } from "capz-windows-kit/present";
import { someNames } from "capz-windows-kit/someNames";
import { at, list, strings, textAt, type Plain } from "capz-windows-kit/untyped";

/**
 * Who does something of which an audit policy logs nothing. The first rule that matches a request decides, and none means that it is
 * not logged. Source: https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/
 */

interface Act {
  readonly what: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Empty for an object of the whole cluster. */
  readonly namespace: string;
}

const act = (what: string, verb: string, resource: string, group = "", namespace = "default"): Act => ({
  what,
  verb,
  resource,
  group,
  namespace,
});

/** What somebody does whom the log should name. Clients of two kinds run commands by `get` and by `create`. */
const acts: readonly Act[] = [
  act("reads a Secret", "get", "secrets"),
  ...["list", "watch"].map((verb) => act("lists Secrets", verb, "secrets")),
  act("changes a Secret", "update", "secrets"),
  act("makes a Pod", "create", "pods"),
  ...["get", "create"].map((verb) => act("runs a command in a Pod", verb, "pods/exec")),
  act("changes a Deployment", "patch", "deployments", "apps"),
  act("gives a role", "create", "rolebindings", "rbac.authorization.k8s.io"),
  act("gives a role of the cluster", "create", "clusterrolebindings", "rbac.authorization.k8s.io", ""),
];

/** Of a request in a namespace that no rule names. */
interface Person {
  readonly user: string | undefined;
  readonly groups: readonly string[];
}

/** An empty list is everything. */
const isIn = (values: unknown, ...wanted: readonly (string | undefined)[]): boolean =>
  strings(values).length === 0 || strings(values).some((value) => wanted.includes(value));

/** Whether an entry of a rule has a resource: by its name, or by a star for it, for its subresources, or for those of all. */
export const namesResource = (names: unknown, resource: string): boolean => {
  const [whole = "", subresource] = resource.split("/");
  return isIn(names, resource, "*", `${whole}/*`, subresource && `*/${subresource}`);
};

const isOf = (rule: Plain, { verb, group, resource, namespace }: Act, { user, groups }: Person): boolean =>
  isIn(rule.users, user) &&
  isIn(rule.userGroups, ...groups) &&
  isIn(rule.verbs, verb) &&
  isIn(rule.namespaces, namespace) &&
  (list(rule.resources).length === 0
    ? strings(rule.nonResourceURLs).length === 0
    : list(rule.resources).some(
        (one) =>
          textAt(one, "group") === group &&
          namesResource(one.resources, resource) &&
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

const people = (names: unknown): string[] => strings(names).filter((name) => !isSystem(name));

/** Whom a rule names: users, groups, and for a rule with both, which is for who is in both, some of each with the other. */
function personsOf(
  rule: Plain,
): { readonly name: string; readonly user?: string; readonly group?: string }[] {
  const users = people(rule.users);
  const groups = people(rule.userGroups);
  const [firstUser] = users;
  const [firstGroup] = groups;
  const both = (user: string, group: string) => ({ name: `${user} of ${group}`, user, group });
  return [
    ...users.map((user) => ({ name: user, user })),
    ...groups.map((group) => ({ name: group, group })),
    ...(firstGroup === undefined ? [] : users.map((user) => both(user, firstGroup))),
    ...(firstUser === undefined ? [] : groups.map((group) => both(firstUser, group))),
  ];
}

/** "anyone who reads a Secret", "alice, who makes a Pod": empty for a policy that logs all acts of people. */
export function unlogged(policy: unknown): string[] {
  const rules = list(at(policy, "rules"));
  const silentFor = (person: Person): string[] => [
    ...new Set(
      acts
        .filter((one) =>
          isSilent(
            rules.find((rule) => isOf(rule, one, person)),
            policy,
          ),
        )
        .map(({ what }) => what),
    ),
  ];
  const anyone = silentFor({ user: undefined, groups: ["system:authenticated"] });
  const found = new Map<string, { readonly name: string; readonly hidden: readonly string[] }>();
  const keyOf = (user?: string, group?: string): string => JSON.stringify([user, group]);
  for (const { name, user, group } of rules.flatMap(personsOf)) {
    const key = keyOf(user, group);
    if (!found.has(key)) {
      const known = [anyone, ...[keyOf(user), keyOf(undefined, group)].map((one) => found.get(one)?.hidden)];
      const hidden = silentFor({ user, groups: [...present(group), "system:authenticated"] });
      found.set(key, { name, hidden: hidden.filter((what) => !known.some((one) => one?.includes(what))) });
    }
  }
  return [
    ...(anyone.length === 0 ? [] : [`anyone who ${anyone.join(", ")}`]),
    ...[...grouped([...found.values()], ({ hidden }) => hidden.join(", "))]
      .filter(([hidden]) => hidden !== "")
      .map(([hidden, persons]) => {
        const names = [...new Set(persons.map(({ name }) => name))];
        return names.length === 1
          ? `${names.join("")}, who ${hidden}`
          : `whoever of ${someNames(names, 5)} ${hidden}`;
      }),
  ];
}
