import type { ClusterModel, RightModel } from "../model/cluster/types";
import { smallerForPeople, smallerRoles } from "../model/cluster/smallerRoles";
import type { Row } from "./layout";

/** What others make for a stack, and what it may do with what is theirs. */

type Given = Pick<RightModel, "who" | "role" | "scope" | "why">;

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

const isConditional = ({ role }: Pick<RightModel, "role">): boolean => role.includes(", with the condition");

/** The right to assign roles on the subscription, which counts for what is of others there, and for what does not exist yet. */
const assigners = ({ rights: { identities, people } }: ClusterModel): Given[] =>
  people.filter(
    (right) =>
      isConditional(right) && right.ofOthers !== true && identities.some(({ ofOthers }) => ofOthers === true),
  );

/** What stands for the ID of whoever runs a command: `UP_OBJECT_ID`. */
const objectOf = ({ who }: Pick<RightModel, "who">): string =>
  `${(/^(?:pulumi|npm run) (\w+)/.exec(who)?.[1] ?? "").toUpperCase()}_OBJECT_ID`;

const roleCommand = (right: Pick<RightModel, "who" | "role" | "scope">): string =>
  [
    `az role assignment create --role "${right.role.replace(/, .*/, "")}" --assignee ${objectOf(right)} --scope ${right.scope}`,
    ...(isConditional(right) ? ["--condition-version 2.0 --condition '@rights/condition.txt'"] : []),
  ].join(" ");

/** Roles on resources of others: those that `pulumi up` assigns, and those of whoever runs it. */
function roleRows(cluster: ClusterModel): Row[] {
  const { identities, people } = cluster.rights;
  const own = identities.filter(({ ofOthers }) => ofOthers === true);
  const given: Given[] = [...assigners(cluster), ...people.filter(({ ofOthers }) => ofOthers === true)];
  const smaller = smallerRoles(own);
  return [
    ...(own.length === 0
      ? []
      : [
          {
            label: "roles",
            lines: [
              "`pulumi up` makes these identities and assigns their roles: assign none of them yourself:",
              ...own.map(({ who, role, scope, why }) => `${who}: ${role} on ${scope}: ${why}`),
              ...(smaller === undefined ? [] : [smaller]),
            ],
          },
        ]),
    ...(given.length === 0
      ? []
      : [
          {
            label: "commands for roles",
            lines: [
              `of whoever runs the commands of the comments, by the object ID of a user, a group or a service principal${given.some(isConditional) ? "; run them in the folder of the plan, which has rights/condition.txt" : ""}. Further roles, on what the stack makes, are in rights/rights.md`,
              ...[smallerForPeople(people)].filter((line) => line !== undefined),
              ...given.flatMap((right) => [
                { command: `# ${right.who}: ${right.why}` },
                { command: roleCommand(right) },
              ]),
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
