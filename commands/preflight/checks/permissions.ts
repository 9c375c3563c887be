import { at, strings } from "../../../tools/untyped";

/** Actions of Azure, and the permissions that allow or deny them. */

/** Azure compares actions case-insensitively; * stands for any text. */
const matches = (pattern: string, action: string): boolean =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "i").test(action);

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
