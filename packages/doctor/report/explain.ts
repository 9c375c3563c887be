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

interface Entry {
  readonly name: string;
  readonly family: string;
  readonly rule: Known;
}

/** A part of a symptom that is an error text by itself, and not only a word of many. */
const least = 20;

/** What tells nothing by itself, because any fault has it: words of Windows about any file, and calls before their error. */
const ofAnyFault: readonly RegExp[] = [
  /^(?:the )?system cannot find the (?:file|path)(?: specified)?$/i,
  /^hc[ns]\w* failed(?: in win32)?$/i,
  /^failed to create containerd \w+$/i,
  /^failed calling webhook$/i,
];

/** The calls and commands of Windows that a text names: hcs::System::CreateProcess, hcnCreateEndpoint, New-SmbGlobalMapping. */
const callsIn = (text: string): string[] =>
  (text.match(/(?<=::)\w+\b(?!::)|\bhcn[A-Z]\w+|\bhnsCall\b|\b[A-Z][a-z]+-[A-Z][a-z]+[A-Z]\w+/g) ?? []).map(
    plain,
  );

/** Whether a symptom names only other calls than a message does: then it is another fault. */
function namesAnother(pasted: string, symptom: string): boolean {
  const [calls, own] = [callsIn(pasted), callsIn(symptom)];
  return calls.length > 0 && own.length > 0 && !own.some((call) => calls.includes(call));
}

/** Whether a message is about an image that does not come; a Secret, a port or a key is "not found" as well. */
const isAboutPull = (pasted: string): boolean =>
  /\bpull(?:ing|ed)?\b(?! secret)|ErrImage|ImagePull|\bimages?\b|manifest|registr|do request|resolve reference|anonymous token|oauth token|failed to authorize|azurecr\.|toomanyrequests|layer|blob/i.test(
    pasted.replace(/(?:secret|configmap|serviceaccount)s? "[^"]*"/gi, ""),
  );

/** Whether a message has all that a pattern asks for: a pattern of a whole line has the reason before it, which may lack. */
const isWhole = (text: RegExp | undefined): boolean =>
  text !== undefined && !/(?:^|\|)\^(?!\(\?!)/.test(text.source);

/** The pattern of an entry; nothing for one that only excludes, because any text has it. */
const patternOf = ({ text, generic, last }: Known): RegExp | undefined =>
  generic === true || last === true || text?.test("?") === true ? undefined : text;

/** Whether a message has a text that tells something. */
function tells(one: string, pasted: string, { symptom }: Known): boolean {
  const message = plain(pasted);
  const isOfAny = ofAnyFault.some((words) => words.test(one));
  return (
    message.includes(plain(one)) && (!isOfAny || callsIn(symptom).some((call) => message.includes(call)))
  );
}

/** Texts in a symptom that may stand in a message. */
const partsOf = (symptom: string): string[] =>
  symptom
    .split(/[,;()]|: |\.\.\.|\bor (?=[A-Z])/)
    .map((one) => one.trim())
    .filter((one) => one.length >= least && one.includes(" "));

/** Whether a pasted message is that of an entry, in this order: the first row that says so decides, and none means no. */
const evidence: readonly (readonly [applies: (pasted: string, entry: Known) => boolean, isIts: boolean])[] = [
  [(pasted, { in: place }) => place === "pull" && !isAboutPull(pasted), false],
  [(pasted, entry) => (entry.says ?? []).some((one) => tells(one, pasted, entry)), true],
  [(pasted, entry) => patternOf(entry)?.test(pasted) === true, true],
  [(_, entry) => isWhole(patternOf(entry)), false],
  [(pasted, { symptom }) => namesAnother(pasted, symptom), false],
  [(pasted, entry) => partsOf(entry.symptom).some((one) => tells(one, pasted, entry)), true],
];

/** Those whose text is in a message; last those that are for what others leave over. */
const withTextIn = (asked: string, entries: readonly Entry[]): readonly Entry[] =>
  entries
    .filter(({ rule }) => evidence.find(([applies]) => applies(asked, rule))?.[1] === true)
    .sort((a, b) => Number(a.rule.rest === true) - Number(b.rule.rest === true));

/** Names of kinds, of calls and of kubelet's reasons, which any fault has, and codes of none. */
const noCode =
  /^(?:Azure|Kubeadm|Machine|Virtual|Cluster|Create|Daemon|Stateful)\w*$|^(?:RunContainer|CrashLoop|ImagePull|InvalidImage|Failed(?:Create|Mount|Attach|Scheduling))/;

/** Whether both have a code, such as AADSTS7000222 or PlatformImageNotFound: many messages have the same. */
const hasCodeOf = (pasted: string, { symptom }: Known): boolean =>
  !namesAnother(pasted, symptom) &&
  (symptom.match(/(?<![-\w])(?:(?:[A-Z][a-z]+){3,}|AADSTS\d+|0x[0-9A-Fa-f]{4,})\b/g) ?? []).some(
    (code) => !noCode.test(code) && pasted.includes(code),
  );

/** What kubelet says of objects that a Pod names: a matter of Kubernetes in general, and the message says it whole. */
const generalFault =
  /(?:secret|configmap|serviceaccount)s? "[^"]*" not found|couldn't find key \S+ in (?:Secret|ConfigMap)|references non-existent (?:secret|config) key|image pull secrets|has runAsNonRoot and image (?:will run as root|has non-numeric user)/i;

const anyConfigFault = /^\W*CreateContainerConfigError\W*$/;

const general =
  "a Secret, ConfigMap, key or user that the Pod names is the fault, on nodes of any system; the message and kubectl describe pod say which";

/** What no entry judges, where a message names its fault itself; `undefined` for any other. */
const notJudged = (asked: string, found: readonly Entry[]): string | undefined =>
  anyConfigFault.test(asked) || (found.length === 0 && generalFault.test(asked)) ? general : undefined;

/** The same texts as a person reads, whole for each entry. */
const jsonOf = (entries: readonly Entry[], open?: string): string =>
  `${JSON.stringify(
    {
      version: 1,
      notJudged: open,
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
 * The entries of this ID, page or family, or with this text; else those whose text is in it: one is whole, several a line each.
 * @returns `undefined` when nothing has it
 */
export function explained(asked: string, width: number, asJson = false): string | undefined {
  const entries: Entry[] = subjects.flatMap(({ rules, ...subject }) =>
    rules.map((rule) => ({ ...subject, rule })),
  );
  const exact = entries.filter(({ rule }) => rule.id === asked);
  const text = plain(asked.trim().replace(/\.$/, ""));
  const having = entries.filter(
    ({ name, family, rule }) =>
      [name, family].includes(text) ||
      plain(`${rule.symptom}\n${rule.cause}\n${messagesOf(rule).join("\n")}`).includes(text),
  );
  const found =
    [exact, having, withTextIn(asked, entries), entries.filter(({ rule }) => hasCodeOf(asked, rule))].find(
      ({ length }) => length > 0,
    ) ?? [];
  const open = notJudged(asked, found);
  if (found.length === 0 && open === undefined) {
    return undefined;
  }
  if (asJson) {
    return jsonOf(found, open);
  }
  const [only] = found;
  if (only !== undefined && found.length === 1 && open === undefined) {
    return `${whole(only.rule, only.family, width)}\n`;
  }
  const lines = found.map(({ rule: { id, symptom } }) => `${id}: ${filledIn(symptom, {}, placeholder)}`);
  return `${[...lines, ...(open === undefined ? [] : [`not judged here: ${open}`])].join("\n")}\n`;
}

/** The IDs that are most like a text. */
export const nearestIds = (text: string): string[] =>
  subjects
    .flatMap(({ rules }) => rules.map(({ id }) => id))
    .sort((a, b) => distance(a, text) - distance(b, text))
    .slice(0, 3);
