import { at, strings } from "capz-windows-kit/untyped";

/** Actions of Azure, and the permissions that allow or deny them. */

/** Azure compares actions case-insensitively; * stands for any text. A pattern of others is no regular expression. */
function matches(pattern: string, action: string): boolean {
  const text = action.toLowerCase();
  const [first = "", ...parts] = pattern.toLowerCase().split("*");
  const last = parts.pop();
  if (last === undefined) {
    return text === first;
  }
  let end = text.startsWith(first) ? first.length : Infinity;
  for (const part of parts) {
    const found = text.indexOf(part, end);
    end = found < 0 ? Infinity : Math.max(end, found + part.length);
  }
  return text.endsWith(last) && end + last.length <= text.length;
}

export const allows = (permissions: readonly Record<string, unknown>[], action: string): boolean =>
  permissions.some(
    (permission) =>
      strings(at(permission, "actions")).some((pattern) => matches(pattern, action)) &&
      !strings(at(permission, "notActions")).some((pattern) => matches(pattern, action)),
  );

export interface RightsScope {
  readonly id: string;
  readonly called: string;
  readonly actions: readonly string[];
}
