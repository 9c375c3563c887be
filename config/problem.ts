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

/** Something that works and may still surprise, with the reason. */
export interface Warning {
  readonly path: string;
  readonly message: string;
}

/** People paste keys and kubeconfigs into wrong places, and mistype the names of secret keys. */
const looksSecret = (text: string): boolean =>
  /PRIVATE KEY|client-key-data|PuTTY-User-Key|password|passwd|secret|token|kubeconfig|credential/i.test(text);

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
