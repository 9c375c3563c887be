import { distance } from "fastest-levenshtein";
import { wrapped } from "../../../io/terminal";
import { filledIn, placeholder } from "../remedies";
import { families } from "../rules/allRules";
import type { Rule } from "../rules/rule";

/** What `--explain` prints: what the doctor knows, without a cluster. */

const indent = 11;

/** A part of an answer, with lines of at most `width` characters; commands are never broken. */
const part = (name: string, lines: readonly string[]): string =>
  lines.map((line, i) => `  ${(i === 0 ? name : "").padEnd(indent - 2)}${line}`).join("\n");

const prose = (text: string, width: number): string[] =>
  wrapped(filledIn(text, {}, placeholder), width - indent);

const whole = (
  { id, symptom, cause, remedy, source, severity }: Rule,
  family: string,
  width: number,
): string =>
  [
    `${id} (${family}${severity === "warning" ? ", a warning" : ""})`,
    part("you see", prose(symptom, width)),
    part("cause", prose(cause, width)),
    part(
      "do",
      remedy.map((line) => filledIn(line, {}, placeholder)),
    ),
    part("source", [source]),
  ].join("\n");

/**
 * The entry of this ID; else one line for each entry of the family of this name, or for each one whose symptom or cause
 * has this text.
 * @returns `undefined` when nothing has it
 */
export function explained(asked: string, width: number): string | undefined {
  const entries = families.flatMap(({ name, rules }) => rules.map((rule) => ({ name, rule })));
  const exact = entries.find(({ rule }) => rule.id === asked);
  if (exact !== undefined) {
    return `${whole(exact.rule, exact.name, width)}\n`;
  }
  const text = asked.toLowerCase();
  const found = entries.filter(
    ({ name, rule: { symptom, cause } }) =>
      name === text || `${symptom}\n${cause}`.toLowerCase().includes(text),
  );
  return found.length === 0
    ? undefined
    : `${found.map(({ rule: { id, symptom } }) => `${id}: ${filledIn(symptom, {}, placeholder)}`).join("\n")}\n`;
}

/** The IDs that are most like a text. */
export const nearestIds = (text: string): string[] =>
  families
    .flatMap(({ rules }) => rules.map(({ id }) => id))
    .sort((a, b) => distance(a, text) - distance(b, text))
    .slice(0, 3);
