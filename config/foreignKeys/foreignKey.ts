import * as references from "./references";
import * as values from "./values";

/** A key of another tool, or one that users may expect, with what to write instead. */
export interface ForeignKey {
  /** Case, hyphens and underscores are ignored. */
  readonly names: readonly string[];
  /** Names of the mappings in which the key means this; `pool` stands for a pool of either kind. Default: all. */
  readonly in?: readonly string[];
  readonly meaning: Moved | Absent;
}

/** The key has another name or another place here. */
export interface Moved {
  /** What the key sets, as in "write the number of nodes as replicas". */
  readonly subject: string;
  /**
   * Keys that have its meaning, as paths; `pool.replicas` is a key of each pool, `windowsPool.replicas` of each Windows
   * pool.
   */
  readonly here: readonly string[];
  /**
   * The value here for a value there; `undefined` where there is none. `translated` is for mappings with their own keys.
   * Default: the same value.
   */
  readonly as?: "translated" | ((value: unknown) => unknown);
}

/** The key does not exist here. */
export interface Absent {
  /** Why it does not exist. */
  readonly problem: string;
  /** What exists instead. */
  readonly allowed: string;
  /** What else can be done. */
  readonly note?: string;
  /**
   * What becomes of the value: `pools` with names and `siblings`, which are keys that belong beside this one, are kept;
   * `moved` are siblings that have their right names.
   * If a `switch` is false, the mapping around it is removed. `nothing` is what is always so, or what no key can say: it is
   * removed without a question.
   */
  readonly holds?: "moved" | "nothing" | "pools" | "siblings" | "switch";
}

function conversion(name: string): (value: unknown) => unknown {
  const found = ({ ...values, ...references } as Readonly<Record<string, (value: unknown) => unknown>>)[name];
  if (found === undefined) {
    throw new Error(`config/foreignKeys/ has no conversion ${name}.`);
  }
  return found;
}

function meaningOf(lines: readonly string[]): Moved | Absent {
  const line = (mark: string): string | undefined =>
    lines.find((one) => one.startsWith(`  ${mark} `))?.slice(4);
  const [, text = "", how] = /^(.*?)(?: \{(\w+)\})?$/.exec(line("=") ?? line("+") ?? "") ?? [];
  const [here = "", subject] = text.split(/, (.*)/);
  const note = line("#");
  return line("=") !== undefined && subject !== undefined
    ? {
        subject,
        here: here.split(" "),
        ...(how === undefined ? {} : { as: how === "translated" ? how : conversion(how) }),
      }
    : {
        problem: line("-") ?? "",
        allowed: text,
        ...(note === undefined ? {} : { note }),
        ...(how === undefined ? {} : { holds: how as NonNullable<Absent["holds"]> }),
      };
}

/**
 * Reads a table of foreign keys. Each begins with its names, after the mappings in which they mean this, if not in all;
 * several lines of names have one meaning:
 *
 *     pool cluster: minCount minSize
 *     autoscale: minNodes
 *       = pool.autoscale.min, the smallest number of nodes {conversion of the value}
 *     management: zones
 *       - why the key does not exist here
 *       + what exists instead {holds}
 *       # a note
 */
export const readTable = (table: string): ForeignKey[] =>
  table
    .trim()
    .split(/(?<=\n .*)\n(?! )/)
    .flatMap((entry) => {
      const lines = entry.split("\n");
      const meaning = meaningOf(lines);
      return lines
        .filter((line) => !line.startsWith(" "))
        .map((head) => {
          const [names = "", places] = head.split(": ").reverse();
          return {
            names: names.split(" "),
            ...(places === undefined ? {} : { in: places.split(" ") }),
            meaning,
          };
        });
    });
