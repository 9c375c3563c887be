import type { Plain } from "capz-windows-kit/untyped";
import { withoutUndefined } from "capz-windows-kit/without";
import { named } from "./variables";

/** Results of an import: the draft of a stack file, and the parts of the source that it does not have. */

/** A mapping without some of its keys. */
export const omitted = (value: unknown, ...keys: readonly string[]): Plain =>
  Object.fromEntries(Object.entries((value ?? {}) as Plain).filter(([key]) => !keys.includes(key)));

/** A mapping without `undefined` values, or `undefined` if nothing is left. */
export const unlessEmpty = (fields: Plain): Plain | undefined => {
  const left = withoutUndefined(fields);
  return Object.keys(left).length === 0 ? undefined : left;
};

/** The values that are not the stack's defaults, or `undefined` if there are none. */
export const unlessDefault = (fields: Plain, defaults: Plain): Plain | undefined =>
  unlessEmpty(
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, value === defaults[key] ? undefined : value]),
    ),
  );

/** A list, or `undefined` if it has no elements. */
export const unlessNone = <T>(elements: readonly T[]): readonly T[] | undefined =>
  elements.length === 0 ? undefined : elements;

/** A part of the source that the stack file does not have, or has in another form. */
export interface LeftOut {
  /** Where it was: the object or the file, and the field in it. */
  readonly from: string;
  readonly why: string;
  /** The key or add-on that replaces it, or what to do. */
  readonly instead?: string | undefined;
  /** A controller, a webhook or a tool has added it to the live object, so nothing that a user wrote is lost. */
  readonly byController?: true;
  /** The types that this program has know no such field: what it would have done is not known. */
  readonly unknown?: true;
}

/** A stack with all that the source describes; keys without the prefix `capz-windows:`. */
export interface Draft {
  readonly config: Readonly<Record<string, unknown>>;
  readonly leftOut: readonly LeftOut[];
  /** Values that only the user knows, besides the required keys of the schema. */
  readonly open?: readonly Open[];
}

/** A value that only the user knows. */
export interface Open {
  readonly path: string;
  /** What to write there. */
  readonly what: string;
  /** Asked only while the stack has this key. */
  readonly within?: string;
}

/** No stack file can describe the source; the message says why, and what to do. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(message: string) {
    super(named(message));
  }
}

/** The source cannot be read; the message is written for the user. */
export class SourceError extends Error {
  override readonly name = "SourceError";
}
