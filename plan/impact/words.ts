/** "a", "a and b", "a, b and 3 more". */
export function listed(items: readonly string[], most = 4): string {
  const shown = items.length > most ? [...items.slice(0, most), `${items.length - most} more`] : [...items];
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}

/** "1 node", "3 nodes". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A value in a sentence. */
export const said = (value: unknown): string =>
  value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value);

/** "a → b". */
export const arrow = (before: unknown, after: unknown): string => `${said(before)} → ${said(after)}`;
