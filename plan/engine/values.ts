/** Property values as they travel between a Pulumi program and its engine, with secrets and unknowns kept apart. */

/** Key and values by which the SDK marks special objects (sdk/proto, "property signatures"). */
const signatureKey = "4dabf18193072939515e22adb298388d";
const signatures = {
  secret: "1b47061264138c4ac30d75fd1eb44270",
  output: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  resource: "5cf8f73096256a8f31e491e813e4eb8e",
} as const;
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export class Secret {
  constructor(readonly value: Value) {}
}

export class Unknown {
  readonly unknown = true;
}

export class ResourceReference {
  constructor(
    readonly urn: string,
    readonly id: string | undefined,
  ) {}
}

export type Value =
  null | boolean | number | string | readonly Value[] | ValueMap | Secret | Unknown | ResourceReference;

/** An interface, because a type alias could not refer to itself. */
export interface ValueMap {
  readonly [key: string]: Value;
}

export type Values = ValueMap;

export const unknown = new Unknown();

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isPlain = (value: Value): value is ValueMap =>
  isMapping(value) &&
  !(value instanceof Secret || value instanceof Unknown || value instanceof ResourceReference);

/** From the JavaScript form of a protobuf Struct. */
export function decode(wire: unknown): Value {
  if (wire === unknownText) {
    return unknown;
  }
  if (Array.isArray(wire)) {
    return wire.map(decode);
  }
  if (!isMapping(wire)) {
    return (wire ?? null) as Value;
  }
  switch (wire[signatureKey]) {
    case signatures.secret:
      return new Secret(decode(wire.value));
    case signatures.output: {
      const value = "value" in wire ? decode(wire.value) : unknown;
      return wire.secret === true ? new Secret(value) : value;
    }
    case signatures.resource:
      return new ResourceReference(String(wire.urn), typeof wire.id === "string" ? wire.id : undefined);
    default:
      // Assets and archives have a signature too; nothing here needs to look inside, so they pass as they are.
      return Object.fromEntries(Object.entries(wire).map(([key, value]) => [key, decode(value)]));
  }
}

export const decodeAll = (wire: unknown): Values => decode(wire ?? {}) as Values;

/** To the JavaScript form of a protobuf Struct. */
export function encode(value: Value): unknown {
  if (value instanceof Secret) {
    return { [signatureKey]: signatures.secret, value: encode(value.value) };
  }
  if (value instanceof Unknown) {
    return unknownText;
  }
  if (value instanceof ResourceReference) {
    return {
      [signatureKey]: signatures.resource,
      urn: value.urn,
      ...(value.id === undefined ? {} : { id: value.id }),
    };
  }
  if (Array.isArray(value)) {
    return value.map(encode);
  }
  return isPlain(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, encode(inner)]))
    : value;
}

export const secretText = "[secret]";
export const unknownPlaceholder = "[unknown]";

/** What may reach the disk and the screen: secrets and unknowns as placeholders, resources by their URN. */
export function redact(value: Value): unknown {
  if (value instanceof Secret) {
    return secretText;
  }
  if (value instanceof Unknown) {
    return unknownPlaceholder;
  }
  if (value instanceof ResourceReference) {
    return value.urn;
  }
  if (Array.isArray(value)) {
    return value.map(redact);
  }
  return isPlain(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redact(inner)]))
    : value;
}

/** The value itself, out of its secret wrapping; for the simulation only, never to be printed. */
export function unwrap(value: Value | undefined): unknown {
  if (value instanceof Secret) {
    return unwrap(value.value);
  }
  if (Array.isArray(value)) {
    return value.map(unwrap);
  }
  return value !== undefined && isPlain(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrap(inner)]))
    : value;
}

/** Calls `visit` for every value inside, containers before their contents; paths are dotted. */
export function walk(value: Value, visit: (value: Value, path: string) => void, path = ""): void {
  visit(value, path);
  const inner = (key: string | number) => (path === "" ? String(key) : `${path}.${key}`);
  if (value instanceof Secret) {
    walk(value.value, visit, path);
  } else if (Array.isArray(value)) {
    value.forEach((item: Value, index) => {
      walk(item, visit, inner(index));
    });
  } else if (isPlain(value)) {
    Object.entries(value).forEach(([key, item]) => {
      walk(item, visit, inner(key));
    });
  }
}

export function containsUnknown(value: Value): boolean {
  let found = false;
  walk(value, (inner) => {
    found ||= inner instanceof Unknown;
  });
  return found;
}

/** Fields of `over` on top of those of `base`, mappings merged at every depth. */
export function merge(base: Values, over: Values): Values {
  const merged: Record<string, Value> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = below !== undefined && isPlain(below) && isPlain(value) ? merge(below, value) : value;
  }
  return merged;
}
