import type { ClusterModel, RightModel } from "../model/cluster/types";
import type { Row } from "./layout";

/** What others make for a stack, and what it may do with what is theirs. */

export const othersTitle = "What others must make";

/** What a network of others must have, by the word before the colon. Commands stay whole, so that they can be copied. */
function requirementRows(requirements: readonly string[] = []): Row[] {
  const commands = requirements.filter((line) => /^(?:az |# |[A-Z_]+=)/.test(line));
  const rows = new Map<string, string[]>();
  for (const line of requirements.slice(0, requirements.length - commands.length)) {
    const [, label = "", text = ""] = /^([^:]+): ?(.*)$/.exec(line) ?? ["", "", line];
    rows.set(label, [...(rows.get(label) ?? []), text]);
  }
  return [...rows].map(([label, lines]) => {
    const [, who = "", what = ""] = /^(commands[^,]*), (.*)$/.exec(label) ?? [];
    return who === ""
      ? { label, lines }
      : {
          label: who,
          lines: [
            `${[what, ...lines].filter(Boolean).join(": ")}:`,
            ...commands.map((command) => ({ command })),
          ],
        };
  });
}

const isConditional = ({ role }: RightModel): boolean => role.includes(", with the condition");

const roleCommand = (right: RightModel): string =>
  [
    `az role assignment create --role "${right.role.replace(/, .*/, "")}" --assignee OBJECT_ID --scope ${right.scope}`,
    ...(isConditional(right) ? ["--condition-version 2.0 --condition @condition.txt"] : []),
  ].join(" ");

/** Roles on resources of others: those that `pulumi up` assigns, and those of whoever runs it. */
function roleRows({ rights: { identities, people } }: ClusterModel): Row[] {
  const own = identities.filter(({ ofOthers }) => ofOthers === true);
  const given = people.filter(({ ofOthers }) => ofOthers === true);
  return [
    ...(own.length === 0
      ? []
      : [
          {
            label: "roles",
            lines: [
              "`pulumi up` makes these identities and assigns their roles: assign none of them yourself (rights/rights.md has smaller ones):",
              ...own.map(({ who, role, scope, why }) => `${who}: ${role} on ${scope}: ${why}`),
            ],
          },
        ]),
    ...(given.length === 0
      ? []
      : [
          {
            label: "commands for roles",
            lines: [
              `of whoever runs the commands behind the #, whose ID is OBJECT_ID${given.some(isConditional) ? "; condition.txt is in rights/ of the plan" : ""}:`,
              ...given.map((right) => ({ command: `${roleCommand(right)}  # ${right.who}: ${right.why}` })),
            ],
          },
        ]),
  ];
}

export const othersRows = (cluster: ClusterModel): Row[] => [
  ...requirementRows(cluster.management.byOthers),
  ...requirementRows(cluster.network.byOthers),
  ...roleRows(cluster),
];
