import { bash } from "../../../tools/shell";
import type { ClusterModel, RightModel } from "../model/cluster/types";
import { smallerForPeople, smallerRoles } from "../model/cluster/smallerRoles";
import { copied, row, said, type ReportRow } from "./layout";

/** What others make for a stack, and what it may do with what is theirs. */

type Given = Pick<RightModel, "who" | "role" | "scope" | "why">;

export const othersTitle = "What others must make";

/** What a network of others must have, by the word before the colon. Commands stay whole, so that they can be copied. */
function requirementRows(requirements: readonly string[] = []): ReportRow[] {
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
      : row(who, `${[what, ...lines].filter(Boolean).join(": ")}:`, ...copied(commands));
  });
}

const isConditional = ({ role }: Pick<RightModel, "role">): boolean => role.includes(", with the condition");

/** What stands for the ID of whoever runs a command: `UP_OBJECT_ID`. */
const objectOf = ({ who }: Given): string =>
  `${(/^(?:pulumi|npm run) (\w+)/.exec(who)?.[1] ?? "").toUpperCase()}_OBJECT_ID`;

const roleCommand = (right: Given): string =>
  bash`az role assignment create --role "${right.role.replace(/, .*/, "")}" --assignee ${objectOf(right)} --scope ${right.scope}` +
  (isConditional(right) ? " --condition-version 2.0 --condition '@rights/condition.txt'" : "");

/** Roles on resources of others: those that `pulumi up` assigns, and those of whoever runs it. */
function roleRows({ rights: { identities, people } }: ClusterModel): ReportRow[] {
  const own = identities.filter(({ ofOthers }) => ofOthers === true);
  const given: Given[] = [
    // The right to assign roles on the subscription, which counts for what is of others there, and for what does not exist yet.
    ...people.filter((right) => isConditional(right) && right.ofOthers !== true && own.length > 0),
    ...people.filter(({ ofOthers }) => ofOthers === true),
  ];
  return said(
    row(
      "roles",
      own.length > 0 &&
        "`pulumi up` makes these identities and assigns their roles: assign none of them yourself:",
      ...own.map(({ who, role, scope, why }) => `${who}: ${role} on ${scope}: ${why}`),
      smallerRoles(own),
    ),
    row(
      "commands for roles",
      ...(given.length === 0
        ? []
        : [
            `of whoever runs the commands of the comments, by the object ID of a user, a group or a service principal${given.some(isConditional) ? "; run them in the folder of the plan, which has rights/condition.txt" : ""}. Further roles, on what the stack makes, are in rights/rights.md`,
            smallerForPeople(people),
            ...copied(given.flatMap((right) => [`# ${right.who}: ${right.why}`, roleCommand(right)])),
          ]),
    ),
  );
}

export const othersRows = (cluster: ClusterModel): ReportRow[] => [
  ...requirementRows(cluster.management.byOthers),
  ...requirementRows(cluster.network.byOthers),
  ...roleRows(cluster),
];
