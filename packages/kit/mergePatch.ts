import { isRecord } from "./untyped";

/** A merge patch as RFC 7386 has it: mappings are merged, `null` removes a key, everything else replaces what was there. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) {
    return patch;
  }
  const merged: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      Reflect.deleteProperty(merged, key);
    } else {
      merged[key] = mergePatch(merged[key], value);
    }
  }
  return merged;
}

/** A value in a patch that is no mapping, or an empty one, and where it stands. */
export interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** What a patch sets or removes; a mapping without anything in it makes an empty one where the object has no such field. */
export const leavesOf = (patch: unknown, path: readonly string[] = []): Leaf[] =>
  isRecord(patch) && (path.length === 0 || Object.keys(patch).length > 0)
    ? Object.entries(patch).flatMap(([key, value]) => leavesOf(value, [...path, key]))
    : [{ path, value: patch }];
