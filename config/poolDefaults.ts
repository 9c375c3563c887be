import { isRecord } from "capz-windows-kit/untyped";
import type { Problem } from "capz-windows-kit/problem";
import { valueAt } from "./steps";

/** What all pools have in common (poolDefaults), as it reaches each pool, and back to where the stack file has it. */

type Raw = Readonly<Record<string, unknown>>;

/** Keys of the stack with pools by their names. */
export const groups: readonly string[] = ["linuxPools", "windowsPools"];

const place = "poolDefaults";

/** Mappings are merged, anything else of the pool wins. */
const merged = (byDefault: Raw, own: Raw): Raw => ({
  ...byDefault,
  ...Object.fromEntries(
    Object.entries(own).map(([key, value]) => {
      const other = byDefault[key];
      return [key, isRecord(value) && isRecord(other) ? merged(other, value) : value];
    }),
  ),
});

/** A config without poolDefaults, in which each pool has what it gets from there. */
export function withPoolDefaults(config: unknown): unknown {
  const { [place]: defaults, ...others } = isRecord(config) ? config : {};
  if (!isRecord(defaults)) {
    return config;
  }
  const filled = groups.flatMap((group) => {
    const pools = others[group];
    return isRecord(pools)
      ? [
          [
            group,
            Object.fromEntries(
              Object.entries(pools).map(([name, pool]) => [
                name,
                isRecord(pool) ? merged(defaults, pool) : pool,
              ]),
            ),
          ] as const,
        ]
      : [];
  });
  return { ...others, ...Object.fromEntries(filled) };
}

interface Origin {
  /** Where the stack file has the value. */
  readonly path: string;
  /** Whether poolDefaults has a mapping there as well, which is merged with the pool's. */
  readonly inBoth: boolean;
}

/** Where a stack file has what a pool has at a path. */
function originOf(path: string, config: Raw): Origin {
  const [, group = "", name = "", rest = ""] = /^(linuxPools|windowsPools)\.([^.]+)\.(.+)$/.exec(path) ?? [];
  if (rest === "") {
    return { path, inBoth: false };
  }
  let own = valueAt(config, [group, name]);
  let byDefault = valueAt(config, [place]);
  for (const key of rest.split(/[.[]/)) {
    own = valueAt(own, [key.replace("]", "")]);
    byDefault = valueAt(byDefault, [key.replace("]", "")]);
    if (own === undefined || byDefault === undefined) {
      break;
    }
    if (!isRecord(own) || !isRecord(byDefault)) {
      return { path, inBoth: false };
    }
  }
  return own === undefined && byDefault !== undefined
    ? { path: `${place}.${rest}`, inBoth: false }
    : { path, inBoth: own !== undefined && byDefault !== undefined };
}

/** A path in a pool, or the same in poolDefaults where the pool has its value from there. */
export const originPath = (path: string, config: Raw): string => originOf(path, config).path;

/** What a rule reads of pools may be in poolDefaults. */
const readFrom = (path: string, config: Raw): string[] =>
  groups.some((group) => path === group || new RegExp(`^${group}\\.[^.]+$`).test(path))
    ? [path, place]
    : [...new Set([path, originPath(path, config)])];

/** The correction with the mapping that it is for. */
const written = ({ write, note }: Problem, at: string | undefined): string =>
  at === undefined ? write : `${write} # in ${at}${note === undefined ? "" : `: ${note}`}`;

/** Problems at the places where the stack file has the values; one that several pools have from there is said once. */
export function atOrigin(problems: readonly Problem[], config: Raw): Problem[] {
  if (!isRecord(config[place])) {
    return problems.map((problem) => ({ ...problem, write: written(problem, problem.place) }));
  }
  const moved = problems.map((problem): Problem => {
    const { path, inBoth } = originOf(problem.path, config);
    const pool = problem.path.split(".").slice(0, 2).join(".");
    const own = path === problem.path ? pool : place;
    const at = problem.place && `${own}${problem.place.slice(pool.length)}`;
    return {
      ...problem,
      path,
      write: written(problem, inBoth ? `${at ?? pool}, and the same in ${place}` : at),
      uses: (problem.uses ?? [problem.path]).flatMap((used) => readFrom(used, config)),
    };
  });
  const text = ({ path, problem, write }: Problem): string => JSON.stringify([path, problem, write]);
  return [...new Map(moved.map((problem) => [text(problem), problem])).values()];
}
