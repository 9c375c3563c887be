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

/** A path in a pool, or the same in poolDefaults where the pool has its value from there. */
export function originPath(path: string, config: Raw): string {
  const [, group = "", name = "", rest = ""] = /^(linuxPools|windowsPools)\.([^.]+)\.(.+)$/.exec(path) ?? [];
  if (rest === "") {
    return path;
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
      return path;
    }
  }
  return own === undefined && byDefault !== undefined ? `${place}.${rest}` : path;
}

/** What a rule reads of pools may be in poolDefaults. */
const readFrom = (path: string, config: Raw): string[] =>
  groups.some((group) => path === group || new RegExp(`^${group}\\.[^.]+$`).test(path))
    ? [path, place]
    : [...new Set([path, originPath(path, config)])];

/** Problems at the places where the stack file has the values; one that several pools have from there is said once. */
export function atOrigin(problems: readonly Problem[], config: Raw): Problem[] {
  if (!isRecord(config[place])) {
    return [...problems];
  }
  const moved = problems.map((problem) => ({
    ...problem,
    path: originPath(problem.path, config),
    uses: (problem.uses ?? [problem.path]).flatMap((used) => readFrom(used, config)),
  }));
  const text = ({ path, problem }: Problem): string => JSON.stringify([path, problem]);
  return [...new Map(moved.map((problem) => [text(problem), problem])).values()];
}
