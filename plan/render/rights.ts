import { isDataAction } from "capz-windows-platform/azure/rights";
import type { ClusterModel, RightModel } from "../model/cluster/types";

/** The roles of a plan, for whoever has to approve them, and the files with which they are assigned or made smaller. */

const cell = (text: string): string => text.replaceAll("|", "\\|");

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${heads.join(" | ")} |`,
  `| ${heads.map(() => "---").join(" | ")} |`,
  ...rows.map((row) => `| ${row.map(cell).join(" | ")} |`),
  "",
];

const scopeCell = ({ scope }: RightModel): string => (scope.startsWith("/") ? `\`${scope}\`` : scope || "–");

/**
 * A group may not exist yet when a role is made, and the subscription does
 * (https://learn.microsoft.com/azure/role-based-access-control/role-definitions#assignablescopes).
 */
const assignable = (scope: string): string => scope.split("/").slice(0, 3).join("/");

/** One role of an identity for all its scopes: there it allows what it has for them. */
function customRole(cluster: string, key: string, rights: readonly RightModel[]): string {
  const all = (of: (right: RightModel) => readonly string[]): string[] =>
    [...new Set(rights.flatMap(of))].sort();
  const actions = all((right) => right.actions);
  const definition = {
    Name: `capz-windows ${cluster} ${key}`,
    Description: all(({ why }) => why.split("; ")).join("; "),
    Actions: actions.filter((action) => !isDataAction(action)),
    ...(actions.some(isDataAction) ? { DataActions: actions.filter(isDataAction) } : {}),
    AssignableScopes: all(({ scope }) => [assignable(scope)]),
  };
  return `${JSON.stringify(definition, null, 2)}\n`;
}

/** The file of a custom role. */
const customRoleFile = (key: string): string => `${key}.json`;

/** What is needed: the actions, or the file of the role that has them, where they are many. */
const neededCell = ({ actions, key }: RightModel): string =>
  actions.length > 4 && key !== undefined
    ? `\`${customRoleFile(key)}\``
    : actions.map((action) => `\`${action}\``).join(", ") || "–";

const rightsText = ({ name, management, rights: { identities, people } }: ClusterModel): string =>
  [
    `# Rights of ${name || management.name} in Azure`,
    "",
    "`docs/rights.md` explains this file. `pulumi up` assigns the roles of identities; assign those of whoever runs the commands.",
    "",
    ...table(
      ["who", "role", "scope", "why", "what that needs"],
      [...identities, ...people].map((one) => [one.who, one.role, scopeCell(one), one.why, neededCell(one)]),
    ),
    "A custom role of a file takes the place of the built-in roles of its rows.",
    "",
  ].join("\n");

/** Files below `rights/`. */
export function rightsFiles(cluster: ClusterModel): [path: string, text: string][] {
  const { identities, people, condition } = cluster.rights;
  const rights = [...identities, ...people];
  return [
    ["rights.md", rightsText(cluster)],
    ["condition.txt", condition],
    ...[...new Set(rights.flatMap(({ key = [] }) => key))].map((key): [string, string] => [
      customRoleFile(key),
      customRole(
        cluster.name || cluster.management.name,
        key,
        rights.filter((one) => one.key === key),
      ),
    ]),
  ];
}
