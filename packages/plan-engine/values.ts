import { inspect } from "node:util";

/** Property values as they travel between a Pulumi program and its engine, with secrets and unknowns kept apart. */

export const secretText = "[secret]";
export const unknownText = "[unknown]";

export class Secret {
  constructor(readonly value: Value) {}

  // Code that prints or serializes a record without regard to secrets still shows a placeholder.
  toJSON(): string {
    return secretText;
  }
  [inspect.custom](): string {
    return secretText;
  }
}

/** A value that is unknown until a provider has created the resource. */
export class Unknown {
  readonly unknown = true;

  toJSON(): string {
    return unknownText;
  }
}

/** A resource given as a value. */
export class ResourceReference {
  constructor(
    readonly urn: string,
    /** Missing for components. */
    readonly id?: string | Unknown,
  ) {}
}

/**
 * A value with the resources on which it depends. The SDK sends these for arguments of remote components and methods.
 */
export class Dependent {
  constructor(
    readonly value: Value,
    readonly dependencies: readonly string[],
  ) {}
}

/** An asset or archive: its `path`, `text`, `uri` or `assets`. */
export class Asset {
  constructor(
    readonly kind: "asset" | "archive",
    readonly content: Values,
  ) {}
}

export type Value =
  | null
  | boolean
  | number
  | string
  | readonly Value[]
  | ValueMap
  | Secret
  | Unknown
  | ResourceReference
  | Dependent
  | Asset;

/** An interface, because a type alias could not refer to itself. */
export interface ValueMap {
  readonly [key: string]: Value;
}

export type Values = ValueMap;

export const unknown = new Unknown();

export const isMap = (value: unknown): value is ValueMap =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(
    value instanceof Secret ||
    value instanceof Unknown ||
    value instanceof ResourceReference ||
    value instanceof Dependent ||
    value instanceof Asset
  );

// TypeScript's own guard does not narrow readonly arrays.
export const isList = (value: unknown): value is readonly Value[] => Array.isArray(value);

export const isSecret = (value: Value | undefined): boolean =>
  value instanceof Secret || (value instanceof Dependent && isSecret(value.value));

/** The same mapping with each value changed; keys of any name stay keys. */
export const mapValues = <T, U>(map: Readonly<Record<string, T>>, change: (value: T) => U) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));

/** What may reach the disk and the screen: secrets and unknowns as placeholders, resources by their URN. */
export function redact(value: Value): unknown {
  if (value instanceof Secret) {
    return secretText;
  }
  if (value instanceof Unknown) {
    return unknownText;
  }
  if (value instanceof ResourceReference) {
    return value.urn;
  }
  if (value instanceof Dependent) {
    return redact(value.value);
  }
  if (value instanceof Asset) {
    return { [value.kind]: mapValues(value.content, redact) };
  }
  if (isList(value)) {
    return value.map(redact);
  }
  return isMap(value) ? mapValues(value, redact) : value;
}

/**
 * The values themselves, out of their secret wrapping: to compute with, NEVER to be printed or written. Unknowns,
 * references and assets stay what they are.
 */
export function reveal(value: Value | undefined): unknown {
  if (value instanceof Secret || value instanceof Dependent) {
    return reveal(value.value);
  }
  if (isList(value)) {
    return value.map(reveal);
  }
  return isMap(value) ? mapValues(value, reveal) : value;
}

/** Calls `visit` for every value inside, containers before their contents; paths are dotted. */
export function walk(value: Value, visit: (value: Value, path: string) => void, path = ""): void {
  visit(value, path);
  const inner = (key: string | number) => (path === "" ? String(key) : `${path}.${key}`);
  if (value instanceof Secret || value instanceof Dependent) {
    walk(value.value, visit, path);
  } else if (isList(value)) {
    value.forEach((item, index) => {
      walk(item, visit, inner(index));
    });
  } else if (value instanceof Asset || isMap(value)) {
    const map = value instanceof Asset ? value.content : value;
    for (const [key, item] of Object.entries(map)) {
      walk(item, visit, inner(key));
    }
  }
}

function contains(value: Value, is: (value: Value) => boolean): boolean {
  let found = false;
  walk(value, (inner) => {
    found ||= is(inner);
  });
  return found;
}

export const containsUnknown = (value: Value): boolean =>
  contains(
    value,
    (inner) =>
      inner instanceof Unknown || (inner instanceof ResourceReference && inner.id instanceof Unknown),
  );

/**
 * The outputs of a resource: its inputs, and where these say nothing what the provider computes. Goes into mappings
 * and, element by element, into lists, because computed fields stand between given ones.
 * @param computed turns a computed value that is not given into what the program sees
 */
export function fill(given: Value | undefined, made: Value, computed: (value: Value) => Value): Value {
  if (given === undefined || given === null) {
    return computed(made);
  }
  if (given instanceof Secret) {
    return new Secret(fill(given.value, made, computed));
  }
  if (given instanceof Dependent) {
    return new Dependent(fill(given.value, made, computed), given.dependencies);
  }
  if (isList(given) && isList(made)) {
    return given.map((item, index) => {
      const other = made[index];
      return other === undefined ? item : fill(item, other, computed);
    });
  }
  if (isMap(given) && isMap(made)) {
    const added = Object.entries(made).map(
      ([key, value]) => [key, fill(given[key], value, computed)] as const,
    );
    return { ...given, ...Object.fromEntries(added) };
  }
  return given;
}
