/** What the parts of a source have become. */

type Plain = Record<string, unknown>;

/** A mapping without some of its keys. */
export const omitted = (value: unknown, ...keys: readonly string[]): Plain =>
  Object.fromEntries(Object.entries((value ?? {}) as Plain).filter(([key]) => !keys.includes(key)));

/** A part that the stack file does not have, or has in another way. */
export interface LeftOut {
  /** Where it was: the object or the file, and the field in it. */
  readonly from: string;
  readonly why: string;
  /** What there is instead, or what to do. */
  readonly instead?: string;
  /** A file or command of a pool's nodes (entryOf), which is no difference where the plan has it, too. */
  readonly entry?: string;
  /** A controller, a webhook or a tool has completed the live object by it; nobody has lost anything. */
  readonly byController?: true;
}

/** A stack as far as the source says what it is like: keys without the prefix. */
export interface Draft {
  readonly config: Readonly<Record<string, unknown>>;
  readonly leftOut: readonly LeftOut[];
  /** What only the user can add, besides what the schema asks for. */
  readonly open?: readonly Open[];
}

/** A value that only the user knows. */
export interface Open {
  readonly path: string;
  /** What is asked for. */
  readonly what: string;
}

/** A source that no stack file can describe; the message says why, and what to do. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** A source that cannot be read. */
export class SourceError extends Error {
  override readonly name = "SourceError";
}
