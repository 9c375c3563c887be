/** One thing that is wrong with a stack file, said so that the reader knows what to write. */
export interface Problem {
  /** Where, for instance `windowsPools.win1.osDiskGB`. */
  readonly path: string;
  /** What stands there; left out for missing and for secret values. */
  readonly value?: unknown;
  /** Why it cannot be. */
  readonly problem: string;
  readonly allowed: string;
  /** A line for the stack file, or a command. */
  readonly write: string;
  /** Other paths that the rule looked at: when one of them is wrong itself, the rule says nothing. */
  readonly uses?: readonly string[];
}

/** A count as a problem writes it: 65,535. */
export const grouped = (value: number): string => value.toLocaleString("en-US");

/** Something that works and may still surprise, with the reason. */
export interface Warning {
  readonly path: string;
  readonly message: string;
}

/** Long random texts in base64 or hexadecimal digits; resource ids of Azure and hashes of images are none. */
const looksRandom = (text: string): boolean =>
  (text.replace(/sha256:[0-9a-f]+/g, "").match(/[A-Za-z0-9+/_=-]{32,}/g) ?? []).some(
    (run) =>
      /[0-9]/.test(run) &&
      (/^(?=.*[a-f])[0-9a-f]+$/i.test(run) || (/[a-z]/.test(run) && /[A-Z]/.test(run))) &&
      !/^\/?subscriptions\//i.test(run),
  );

/** Private keys, kubeconfigs, tokens of OIDC (JSON Web Tokens), client secrets of Microsoft Entra. */
const isCredential = (text: string): boolean =>
  /PRIVATE KEY|client-key-data|PuTTY-User-Key|\beyJ[\w-]{8,}\.[\w-]{8,}|[0-9]Q~[\w.~-]{20,}/i.test(text) ||
  looksRandom(text);

/** People paste keys and kubeconfigs into wrong places, and mistype the names of secret keys. */
const looksSecret = (text: string): boolean =>
  /password|passwd|secret|token|kubeconfig|credential/i.test(text) || isCredential(text);

/** Texts and names of keys within a value that may be secrets. */
function secretsIn(value: unknown): string[] {
  if (typeof value === "string") {
    return looksSecret(value) ? [value, value.trim()] : [];
  }
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [
        ...(isCredential(key) || key.includes("\n") ? [key] : []),
        ...secretsIn(inner),
      ])
    : [];
}

/**
 * The problems without what may be a secret of the config that they are about: rules tell of values that they looked
 * at, and paths have names that the user gave. Short texts stay, they stand in any text.
 */
export function withoutSecrets(problems: readonly Problem[], config: unknown): Problem[] {
  const secrets = secretsIn(config)
    .filter((text) => text.length >= 12)
    .sort((a, b) => b.length - a.length);
  const clean = (text: string): string =>
    secrets.reduce((shorter, secret) => shorter.replaceAll(secret, "(not shown)"), text);
  return problems.map((problem) => ({
    ...problem,
    path: clean(problem.path),
    problem: clean(problem.problem),
    allowed: clean(problem.allowed),
    write: clean(problem.write),
  }));
}

function shown(path: string, value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (looksSecret(text) || looksSecret(path)) {
    return "(not shown: it may be a secret)";
  }
  const line = text.replace(/\s+/g, " ");
  return line.length > 90 ? `${line.slice(0, 87)}...` : line;
}

/** The whole report, in the order of the paths; ends without a newline. */
export function formatProblems(source: string, problems: readonly Problem[]): string {
  const blocks = [...problems]
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ path, value, problem, allowed, write }) =>
      [
        `  ${path}`,
        ...(value === undefined ? [] : [`    value    ${shown(path, value)}`]),
        `    problem  ${problem}`,
        `    allowed  ${allowed}`,
        `    write    ${write}`,
      ].join("\n"),
    );
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return [`${source}: ${count}`, ...blocks].join("\n\n");
}

/** A wrong configuration. The message is the whole report; callers print it without a stack trace. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(
    readonly source: string,
    readonly problems: readonly Problem[],
  ) {
    super(formatProblems(source, problems));
  }
}
