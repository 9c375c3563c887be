import type { World } from "../cluster/snapshot";
import { minutesBetween, stays } from "../cluster/objects";
import { hasCondition } from "./finders";
import type { Find, Match } from "./rule";

/** Azure's answers, a code and a sentence, as CAPZ and the Azure Service Operator report them. */

const unescaped = (text: string): string => text.replace(/\\[nrt]/g, " ").replace(/\\(["\\/])/g, "$1");

/**
 * The code and the reason in an answer. The innermost message is the reason; those around it only say that it failed.
 */
function answerIn({ where, text }: Match["proof"]): Readonly<Record<"code" | "why", string>> {
  const code =
    /ERROR CODE: (\w+)/.exec(text)?.[1] ??
    /\((\w+)\)$|, event (\w+)/.exec(where)?.slice(1).find(Boolean) ??
    "";
  const messages = [...text.matchAll(/"message":\s*"((?:[^"\\]|\\.)*)"/g)].map(
    ([, message]) => message ?? "",
  );
  const why = messages.at(-1) ?? text;
  return { code, why: unescaped(why).trim().replace(/\.$/, "") };
}

type Vars = Readonly<Record<string, string>>;

/** Adds values for the texts of a rule to the matches of a finder. */
export const withVars =
  (find: Find, varsOf: (match: Match & { readonly vars: Vars }, world: World) => Vars) =>
  (world: World): Match[] =>
    find(world).map(({ vars = {}, ...match }) => ({
      ...match,
      vars: { ...vars, ...varsOf({ ...match, vars }, world) },
    }));

/** Adds `{code}` and `{why}`, Azure's own code and message. */
export const withAnswer = (find: Find) =>
  withVars(find, ({ proof, vars }) => ({ ...answerIn(proof), ...vars }));

/** Adds `{minutes}`, how long the condition has lasted for this object. */
export const withMinutes = (find: Find) =>
  withVars(find, ({ proof }, { now }) => ({
    minutes: String(Math.round(minutesBetween(proof.since ?? "", now))),
  }));

/** Finds conditions of objects that are not being deleted. {why} is Azure's answer, or else the whole message. */
export const conditionAnswer = (wanted: Omit<Parameters<typeof hasCondition>[0], "where">): Find =>
  withAnswer(hasCondition({ ...wanted, where: stays }));
