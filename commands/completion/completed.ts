import type { Options } from "../commandLine/arguments";

/** What shells complete: the same for each of them. */
export interface Completed {
  readonly commands: Readonly<Record<string, Options>>;
  /** Values of options that have a fixed set of them, for all commands. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Words that a command takes, where they are a fixed set; otherwise they are files. */
  readonly words: Readonly<Record<string, readonly string[]>>;
}

/** Options that a command has, but that no usage names. */
const hidden = ["engine", "pulumi"];

/** A command's options as one writes them, in alphabetical order. */
export const flagsOf = (options: Options): readonly string[] =>
  Object.keys(options)
    .filter((name) => !hidden.includes(name))
    .map((name) => `--${name}`)
    .sort();

/** The lines of a table, one for each entry. */
export const rows = <T>(
  table: Readonly<Record<string, T>>,
  row: (name: string, value: T) => string,
): string =>
  Object.entries(table)
    .map(([name, value]) => row(name, value))
    .join("\n");
