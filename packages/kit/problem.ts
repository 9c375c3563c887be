import { compareTexts } from "./byName";
import { credentialIn } from "./credentials";

/** A path in the config, without the prefix `capz-windows:`. */
export type Path = readonly PropertyKey[];

/** One change of a stack file. */
export type Step =
  | { readonly set: Path; readonly value: unknown }
  | { readonly remove: Path }
  | { readonly move: Path; readonly to: Path };

/** An error in a stack file, with the correction. */
export interface Problem {
  /** Path of the key, for instance `windowsPools.win1.osDiskGB`. */
  readonly path: string;
  /** The rejected value; omitted for missing and for secret values. */
  readonly value?: unknown;
  /** Which problem it is, where another part of the program acts on it; the texts are for people alone. */
  readonly code?: "calico-too-old" | "linux-nodes" | "shut";
  /** With the code linux-nodes: how many nodes are missing. */
  readonly missing?: number;
  /** Why the value is rejected. */
  readonly problem: string;
  /** The values that are accepted. */
  readonly allowed: string;
  /**
   * An example of what is accepted, where `allowed` does not say it: a line for the mapping that has the key, or a command. For
   * a spelling or a form that is wrong, the correction; what only the user knows is in angle brackets, and "# in PATH" names another
   * mapping.
   */
  readonly write?: string;
  /** The correction as changes of the file, where it keeps what the user meant. */
  readonly fix?: readonly Step[];
  /** The line of the file, from 1 on, where it is known. */
  readonly line?: number;
  /** Paths that the rule reads, by default its own. If one of them is invalid, this problem is not reported. */
  readonly uses?: readonly string[];
}

/** "3", or "2 to 10". */
export const formatRange = (least: number, most: number): string =>
  least < most ? `${least} to ${most}` : String(most);

/** A whole number with thousands separators, as in 65,535. Intl would do the same, but takes 0.1 s to load. */
export const formatCount = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** A valid setting with a consequence that users may not expect. */
export interface Warning {
  readonly path: string;
  readonly message: string;
}

/**
 * Whether a text contains a long random part in base64 or hexadecimal. Azure resource IDs, image digests and GUIDs, as in the names of
 * community galleries, do not count.
 */
const looksRandom = (text: string): boolean =>
  (
    text
      .replace(/sha256:[0-9a-f]+|\/subscriptions\/[0-9a-f-]{36}(\/[\w.()-]+)+/gi, "")
      .replace(/(?<![0-9a-z])[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])/gi, "")
      .match(/[A-Za-z0-9+/_=-]{32,}/g) ?? []
  ).some(
    (run) =>
      /[0-9]/.test(run) &&
      (/^(?=.*[a-f])[0-9a-f]+$/i.test(run) || (/[a-z]/.test(run) && /[A-Z]/.test(run))) &&
      !/^\/?subscriptions\//i.test(run),
  );

/** Whether a text contains a credential, or something that may be one, such as a part of a private key. */
const isCredential = (text: string): boolean =>
  /PRIVATE KEY|client-key-data|PuTTY-User-Key/i.test(text) ||
  credentialIn(text) !== undefined ||
  looksRandom(text);

/** Users paste keys and kubeconfigs into the wrong places and mistype the names of secret keys. */
export const mayBeSecret = (text: string): boolean =>
  /password|passwd|secret|token|kubeconfig|credential/i.test(text) || isCredential(text);

/** A key whose value is a secret, whatever it looks like, as in the kubeconfig of a user that was not quoted. */
const secretKey = /(password|passwd|passphrase|token|client-?secret)$/i;

/** Whether a key of a mapping with `name` and `value` names a flag, as service-account-max-token-expiration. */
const isFlagName = (mapping: object, key: string, text: unknown): boolean =>
  key === "name" &&
  "value" in mapping &&
  typeof text === "string" &&
  /^[a-z]{1,20}(-[a-z]{1,20}){1,9}$/.test(text) &&
  !isCredential(text);

/** The texts and key names inside a value that may be secrets. */
function secretsIn(value: unknown, ofKey = ""): string[] {
  if (typeof value === "string") {
    return mayBeSecret(value) || secretKey.test(ofKey) ? [value, value.trim()] : [];
  }
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [
        ...(isCredential(key) || key.includes("\n") ? [key] : []),
        ...(isFlagName(value, key, inner) ? [] : secretsIn(inner, key)),
      ])
    : [];
}

/**
 * Replaces possible secrets of a config in the problems about it: messages quote values, and paths contain names that
 * the user chose. Texts of fewer than 12 characters are kept, because they occur in unrelated words.
 */
export function redactSecrets(problems: readonly Problem[], config: unknown): Problem[] {
  const secrets = secretsIn(config)
    .filter((text) => text.length >= 12)
    // As a quoted key of a path has it.
    .flatMap((text) => [text, JSON.stringify(text).slice(1, -1)])
    .sort((a, b) => b.length - a.length);
  const redact = (text: string, mask = "(not shown)"): string =>
    secrets.reduce((redacted, secret) => redacted.replaceAll(secret, mask), text);
  return problems.map((problem) => ({
    ...problem,
    path: redact(problem.path),
    problem: redact(problem.problem),
    allowed: redact(problem.allowed),
    // What only the user knows.
    ...(problem.write === undefined ? {} : { write: redact(problem.write, "<not shown>") }),
  }));
}

const notShown = "(not shown: may be a secret)";

/** The rejected value for any reader, of a text or of a document: nothing of what may be a secret. */
export function shownValue({ path, value }: Pick<Problem, "path" | "value">): unknown {
  const text = typeof value === "string" ? value : (JSON.stringify(value) as string | undefined);
  return mayBeSecret(text ?? "") || mayBeSecret(path) ? notShown : value;
}

function formatValue(problem: Problem): string {
  const value = shownValue(problem);
  const line = (typeof value === "string" ? value : JSON.stringify(value)).replace(/\s+/g, " ");
  return line.length > 90 ? `${line.slice(0, 87)}...` : line;
}

/** Names are of the user, and may be as long as a file. */
const bounded = (text: string): string =>
  text.length > 4_000
    ? `${text.slice(0, 4_000)}... (${formatCount(text.length - 4_000)} more characters)`
    : text;

const byPlace = (a: Problem, b: Problem): number =>
  (a.line ?? 0) - (b.line ?? 0) || compareTexts(a.path, b.path);

/**
 * The report on all problems, sorted by line and path, without a newline at the end.
 * @param source - the name of the file
 * @param paint - for a terminal: the keys in red, the corrections in green
 */
export function formatProblems(
  source: string,
  problems: readonly Problem[],
  paint: (style: "red" | "green" | "bold", text: string) => string = (_, text) => text,
): string {
  const blocks = [...problems].sort(byPlace).map((found) => {
    const { path, line, value, problem, allowed, write } = found;
    return [
      `  ${line === undefined ? "" : `${source}:${line}  `}${paint("red", bounded(path))}`,
      ...(value === undefined ? [] : [`    value    ${formatValue(found)}`]),
      `    problem  ${bounded(problem)}`,
      `    allowed  ${bounded(allowed)}`,
      ...(write === undefined ? [] : [`    write    ${paint("green", bounded(write))}`]),
    ].join("\n");
  });
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return [paint("bold", `${source}: ${count}`), ...blocks].join("\n\n");
}

/** The report with the number of the problems that it leaves out. */
export const withRest = (report: string, more: number): string =>
  more === 0
    ? report
    : `${report}\n\nThere are ${formatCount(more)} more problems, which the next run names when these have ended.`;

/** An invalid configuration. The message is the whole report; callers print it without a stack trace. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(
    readonly source: string,
    readonly problems: readonly Problem[],
    /** Number of further problems, which the report leaves out. */
    readonly more = 0,
  ) {
    super(withRest(formatProblems(source, problems), more));
  }
}
