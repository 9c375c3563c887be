import { compareTexts } from "capz-windows-kit/byName";
import { canonicalJson } from "../../capi/contentHash";
import { isRecord } from "capz-windows-kit/untyped";
import type { PropertyChange } from "./stackDiff";
import { keysOf, below, type ListRules } from "./lists";
import { orderedLists } from "./listTables";
import { fieldPath, itemPath } from "./paths";
import { isText, textDiff } from "./text";

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;

/** A file of bootstrap data has its text in base64 if Jinja would change it; the plain text is compared. */
const readable = (owner: unknown, value: unknown): unknown =>
  isRecord(owner) && owner.encoding === "base64" && typeof value === "string"
    ? Buffer.from(value, "base64").toString("utf8")
    : value;

function leaf(path: string, before: unknown, after: unknown, owners: readonly [unknown, unknown]) {
  const sides = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  const texts = [readable(owners[0], before), readable(owners[1], after)];
  const isLong = texts.some(isText) && texts.every((side) => side === undefined || typeof side === "string");
  const [base = "", head = ""] = texts as [string | undefined, string | undefined];
  return [{ path, ...sides, ...(isLong ? { text: textDiff(base, head) } : {}) }];
}

/**
 * Elements by position, or the whole list if its elements have no names and their order has a meaning, as for commands.
 */
function orderedItems(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  rules: ListRules,
): PropertyChange[] {
  if ([...before, ...after].every(isScalar)) {
    const lines = [before, after].map((list) => list.map((item) => String(item)).join("\n"));
    const [base = "", head = ""] = lines;
    const long = before.length + after.length > 8 || lines.some((text) => text.length > 160);
    return [{ path, before, after, ...(long ? { text: textDiff(base, head) } : {}) }];
  }
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) =>
    differences(before[index], after[index], below(rules, "[]"), itemPath(path, index)),
  ).flat();
}

function keyedItems(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  rules: ListRules,
  [oldKeys, newKeys]: readonly [string[], string[]],
): PropertyChange[] {
  const byKey = (list: readonly unknown[], keys: readonly string[]) =>
    new Map(keys.map((key, index) => [key, list[index]]));
  const [was, is] = [byKey(before, oldKeys), byKey(after, newKeys)];
  const found = [...new Set([...oldKeys, ...newKeys])].flatMap((key) =>
    differences(was.get(key), is.get(key), below(rules, "[]"), itemPath(path, key)),
  );
  const [oldOrder, newOrder] = [oldKeys.filter((key) => is.has(key)), newKeys.filter((key) => was.has(key))];
  return rules.type !== "atomic" || oldOrder.join("\n") === newOrder.join("\n")
    ? found
    : [...found, { path: `${path}(order)`, before: oldOrder, after: newOrder }];
}

function listDifferences(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  rules: ListRules,
): PropertyChange[] {
  const isOrdered = rules.type === "atomic";
  if (!isOrdered && [...before, ...after].every(isScalar)) {
    const [base, head] = [before, after].map((list) => [...new Set(list.map(canonicalJson))].sort());
    return canonicalJson(base) === canonicalJson(head) ? [] : [{ path, before, after }];
  }
  const keys = keysOf(before, after, rules.type);
  if (keys) {
    return keyedItems(path, before, after, rules, keys);
  }
  if (!isOrdered) {
    // Elements without names: those that are on both sides are left out.
    const take = (list: readonly unknown[], others: readonly unknown[]) => {
      const texts = new Set(others.map(canonicalJson));
      return list.filter((item) => !texts.has(canonicalJson(item)));
    };
    const [gone, added] = [take(before, after), take(after, before)];
    return gone.length + added.length === 0 ? [] : orderedItems(path, gone, added, rules);
  }
  return orderedItems(path, before, after, rules);
}

/**
 * The differences of two values, property by property. Mappings are compared by key, and lists by the names of their
 * elements; the order of a list counts unless a rule says that it has no meaning.
 * @param rules for the lists in the values. Default: every order counts
 * @param path of both
 * @returns sorted by path
 */
export function differences(
  before: unknown,
  after: unknown,
  rules: ListRules = orderedLists,
  path = "",
  owners: readonly [unknown, unknown] = [undefined, undefined],
): PropertyChange[] {
  // This comes before the comparison as a whole, which would otherwise be repeated on every level below.
  if (isRecord(before) && isRecord(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .flatMap((key) =>
        differences(before[key], after[key], below(rules, key), fieldPath(path, key), [before, after]),
      )
      .sort((a, b) => compareTexts(a.path, b.path));
  }
  if (before === after || canonicalJson(before ?? null) === canonicalJson(after ?? null)) {
    return [];
  }
  return Array.isArray(before) && Array.isArray(after)
    ? listDifferences(path, before, after, rules)
    : leaf(path, before, after, owners);
}
