import { distance } from "fastest-levenshtein";
import { wrapped } from "capz-windows-kit/io/terminal";
import { filledIn, placeholder } from "../remedies";
import { pageOf, subjects } from "../rules/allRules";
import { messagesOf, type Known } from "../rules/knowledge";

/** What `--explain` prints: what the doctor knows, without a cluster. */

const indent = 11;

/** A part of an answer, with lines of at most `width` characters; commands are never broken. */
const part = (name: string, lines: readonly string[]): string =>
  lines.map((line, i) => `  ${(i === 0 ? name : "").padEnd(indent - 2)}${line}`).join("\n");

const prose = (text: string, width: number): string[] =>
  wrapped(filledIn(text, {}, placeholder), width - indent);

/** As components write them, where the symptom does not have them: people compare them with theirs. */
const otherMessages = (rule: Known): string[] =>
  messagesOf(rule).filter((message) => !rule.symptom.includes(message));

function headingOf({ id, severity, generic }: Known, family: string): string {
  if (generic === true) {
    return `${id} (${family}, only where nothing else explains it)`;
  }
  return `${id} (${family}${severity === "warning" ? ", a warning" : ""})`;
}

function whole(rule: Known, family: string, width: number): string {
  const { symptom, cause, remedy, source } = rule;
  const messages = otherMessages(rule).flatMap((message) => wrapped(message, width - indent));
  return [
    headingOf(rule, family),
    part("you see", prose(symptom, width)),
    ...(messages.length > 0 ? [part("message", messages)] : []),
    part("cause", prose(cause, width)),
    part(
      "do",
      remedy.map((line) => filledIn(line, {}, placeholder)),
    ),
    part("source", [source]),
  ].join("\n");
}

/** In any case, and with one name for calls of the host compute service: containerd writes both. */
const plain = (text: string): string => text.toLowerCase().replaceAll("hcsshim::", "hcs::");

/** A part of a symptom that is an error text by itself, and not only a word of many. */
const least = 20;

/** Whether a pasted message has the text of an entry: its pattern, what it says, or a part of its symptom. */
function isIn(pasted: string, { symptom, says = [], text, generic, last }: Known): boolean {
  // A pattern that any text has only excludes.
  if (generic !== true && last !== true && text?.test(pasted) === true && !text.test("?")) {
    return true;
  }
  const message = plain(pasted);
  const parts = symptom
    .split(/[,;()]|: |\.\.\.|\bor (?=[A-Z])/)
    .map((one) => one.trim())
    .filter((one) => one.length >= least && one.includes(" "));
  return [...says, ...parts].some((one) => message.includes(plain(one)));
}

/** Whether both have a code, such as AADSTS7000222 or PlatformImageNotFound: many messages have the same. */
const hasCodeOf = (pasted: string, { symptom }: Known): boolean =>
  (symptom.match(/\b(?:(?:[A-Z][a-z]+){3,}|AADSTS\d+|0x[0-9A-Fa-f]{4,})\b/g) ?? []).some((code) =>
    pasted.includes(code),
  );

interface Entry {
  readonly name: string;
  readonly family: string;
  readonly rule: Known;
}

/** The same texts as a person reads, whole for each entry. */
const jsonOf = (entries: readonly Entry[]): string =>
  `${JSON.stringify(
    {
      version: 1,
      entries: entries.map(({ family, rule }) => {
        const { id, severity = "error", symptom, cause, remedy, source } = rule;
        return {
          ...{ id, family, page: pageOf(id), severity, symptom: filledIn(symptom, {}, placeholder) },
          messages: otherMessages(rule),
          cause: filledIn(cause, {}, placeholder),
          remedy: remedy.map((line) => filledIn(line, {}, placeholder)),
          source,
        };
      }),
    },
    null,
    2,
  )}\n`;

/**
 * The entry of this ID; else one line for each entry of the page or family of this name, or for each one whose symptom, cause or
 * example has this text; else for each one whose text is in this one, which may be a whole message.
 * @returns `undefined` when nothing has it
 */
export function explained(asked: string, width: number, asJson = false): string | undefined {
  const entries: Entry[] = subjects.flatMap(({ rules, ...subject }) =>
    rules.map((rule) => ({ ...subject, rule })),
  );
  const exact = entries.find(({ rule }) => rule.id === asked);
  if (exact !== undefined) {
    return asJson ? jsonOf([exact]) : `${whole(exact.rule, exact.family, width)}\n`;
  }
  const text = plain(asked);
  const having = entries.filter(
    ({ name, family, rule }) =>
      [name, family].includes(text) ||
      plain(`${rule.symptom}\n${rule.cause}\n${messagesOf(rule).join("\n")}`).includes(text),
  );
  const found =
    [
      having,
      entries.filter(({ rule }) => isIn(asked, rule)),
      entries.filter(({ rule }) => hasCodeOf(asked, rule)),
    ].find(({ length }) => length > 0) ?? [];
  if (found.length === 0) {
    return undefined;
  }
  if (asJson) {
    return jsonOf(found);
  }
  const lines = found.map(({ rule: { id, symptom } }) => `${id}: ${filledIn(symptom, {}, placeholder)}`);
  return `${lines.join("\n")}\n`;
}

/** The IDs that are most like a text. */
export const nearestIds = (text: string): string[] =>
  subjects
    .flatMap(({ rules }) => rules.map(({ id }) => id))
    .sort((a, b) => distance(a, text) - distance(b, text))
    .slice(0, 3);
