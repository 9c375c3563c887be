import { z } from "zod";
import { optionalMapping } from "./scalars";

/** What all pools have in common. */

/** A key of pools without its default: a pool that has neither the key nor a default of the stack gets it. */
function optional(key: z.ZodType): z.ZodType {
  const inner = key instanceof z.ZodDefault || key instanceof z.ZodPrefault ? key.unwrap() : key;
  const bare = inner instanceof z.ZodOptional ? inner.unwrap() : inner;
  return (bare as z.ZodType).optional().meta(key.meta() ?? {});
}

/** @param keys - those of pools of either operating system */
export const poolDefaultsOf = (keys: Readonly<Record<string, z.ZodType>>) =>
  optionalMapping(
    "What all pools have in common. A key that a pool has itself wins; mappings such as labels are merged key by key, lists are replaced",
    Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, optional(key)])),
    { labels: { "example.org/team": "web" } },
  );
