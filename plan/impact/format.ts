import { formatRange } from "capz-windows-kit/problem";

/** "a", "a and b", "a, b and 3 more". */
export function formatList(items: readonly string[], most = 4): string {
  const shown = items.length > most ? [...items.slice(0, most), `${items.length - most} more`] : [...items];
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}

/** "1 node", "3 nodes". */
export const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** "3 nodes", or "2 to 10 nodes" where an autoscaler decides. */
export const pluralizeRange = (least: number, most: number, noun: string): string =>
  `${formatRange(least, most)} ${noun}${most === 1 ? "" : "s"}`;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** A value in a sentence: text and lists of texts as they are, anything else as JSON. */
export function formatValue(value: unknown): string {
  if (value === undefined) {
    return "nothing";
  }
  if (isTexts(value)) {
    return value.join(", ") || "nothing";
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** "a → b". */
export const formatChange = (before: unknown, after: unknown): string =>
  `${formatValue(before)} → ${formatValue(after)}`;
