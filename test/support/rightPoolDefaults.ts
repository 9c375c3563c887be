import fc from "fast-check";
import { keysOf, nodeAt } from "../../config/jsonSchema";
import { isRecord } from "capz-windows-kit/untyped";

type Raw = Record<string, unknown>;

const groups = ["linuxPools", "windowsPools"] as const;

export const defaultsWish = fc.constantFrom("no", "no", "first", "alone");

/** The config with its first pool only, so that mappings of this pool can be moved to poolDefaults. */
export function alone(config: Raw): Raw {
  const group = groups.find((one) => isRecord(config[one]) && Object.keys(config[one]).length > 0);
  if (group === undefined) {
    return config;
  }
  return {
    ...config,
    ...Object.fromEntries(
      groups.map((one) => [
        one,
        one === group ? Object.fromEntries(Object.entries(config[one] as Raw).slice(0, 1)) : {},
      ]),
    ),
  };
}

/** Whether poolDefaults has a key, and all keys of its mapping: some are for Windows pools only. */
const isOfAllPools = (key: string, value: unknown): boolean =>
  !isRecord(value) || Object.keys(value).every((inner) => nodeAt(["poolDefaults", key, inner]) !== undefined);

/**
 * The same settings, with keys of the first pool moved to poolDefaults: those that every other pool has, too, and
 * mappings if there is no other pool.
 */
export function withPoolDefaults(config: Raw, wished: boolean): Raw {
  const pools = groups.flatMap((group) =>
    Object.entries((config[group] ?? {}) as Record<string, Raw>).map(([name, pool]) => ({
      group,
      name,
      pool,
    })),
  );
  const [first, ...others] = pools;
  if (!wished || first === undefined) {
    return config;
  }
  const moved = keysOf(nodeAt(["poolDefaults"])).filter(
    (key) =>
      first.pool[key] !== undefined &&
      isOfAllPools(key, first.pool[key]) &&
      (others.length === 0 || !isRecord(first.pool[key])) &&
      others.every(({ pool }) => pool[key] !== undefined),
  );
  const own = Object.fromEntries(Object.entries(first.pool).filter(([key]) => !moved.includes(key)));
  return {
    ...config,
    poolDefaults: Object.fromEntries(moved.map((key) => [key, first.pool[key]])),
    [first.group]: { ...(config[first.group] as Raw), [first.name]: own },
  };
}
