import { at, list, textAt } from "capz-windows-kit/untyped";

/** A condition of an object; empty texts if it has none of this type. */
export function conditionOf(
  object: unknown,
  type: string,
): { readonly status: string; readonly reason: string; readonly message: string } {
  const found = list(at(object, "status", "conditions")).find((condition) => condition.type === type);
  return {
    status: textAt(found, "status"),
    reason: textAt(found, "reason"),
    message: textAt(found, "message"),
  };
}
