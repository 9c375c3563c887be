import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Value, Values } from "./values";
import {
  Asset,
  Dependent,
  ResourceReference,
  Secret,
  Unknown,
  isList,
  isMap,
  mapValues,
  unknown,
} from "./values";

/** Values as protobuf structs. The SDK marks special objects with this key and these values (its `runtime/rpc`). */
const signatureKey = "4dabf18193072939515e22adb298388d";
const signatures = {
  secret: "1b47061264138c4ac30d75fd1eb44270",
  output: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  resource: "5cf8f73096256a8f31e491e813e4eb8e",
  asset: "c44067f5952c0a294b673a41bacd8c17",
  archive: "0def7320c3a5731c473e5ecbe6d01bc7",
} as const;
const unknownSentinel = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** From the JavaScript form of a protobuf Struct. */
export function decode(wire: unknown): Value {
  if (wire === unknownSentinel) {
    return unknown;
  }
  if (Array.isArray(wire)) {
    return wire.map(decode);
  }
  return typeof wire === "object" && wire !== null
    ? decodeObject(wire as Record<string, unknown>)
    : ((wire ?? null) as Value);
}

function decodeObject({ [signatureKey]: signature, ...fields }: Record<string, unknown>): Value {
  switch (signature) {
    case undefined:
      return mapValues(fields, decode);
    case signatures.secret:
      return new Secret(decode(fields.value));
    case signatures.output: {
      const value = "value" in fields ? decode(fields.value) : unknown;
      const dependencies = Array.isArray(fields.dependencies) ? fields.dependencies.map(String).sort() : [];
      const guarded = fields.secret === true ? new Secret(value) : value;
      return dependencies.length > 0 ? new Dependent(guarded, dependencies) : guarded;
    }
    case signatures.resource: {
      const id = decode(fields.id);
      const known = typeof id === "string" || id instanceof Unknown;
      // A resource that has not been created yet has an empty ID.
      return known
        ? new ResourceReference(String(fields.urn), id === "" ? unknown : id)
        : new ResourceReference(String(fields.urn));
    }
    case signatures.asset:
      return new Asset("asset", mapValues(fields, decode));
    case signatures.archive:
      return new Asset("archive", mapValues(fields, decode));
    default:
      throw new Error(
        `A value has the signature ${String(signature)}, which this engine does not know: was the SDK changed?`,
      );
  }
}

export const decodeStruct = (struct: Struct | undefined): Values =>
  decode(struct?.toJavaScript() ?? {}) as Values;

/** To the JavaScript form of a protobuf Struct. */
function encode(value: Value): unknown {
  if (value instanceof Unknown) {
    return unknownSentinel;
  }
  if (value instanceof Secret) {
    return { [signatureKey]: signatures.secret, value: encode(value.value) };
  }
  if (value instanceof Dependent) {
    return encodeDependent(value);
  }
  if (value instanceof ResourceReference) {
    const id = value.id === undefined ? {} : { id: encode(value.id) };
    return { [signatureKey]: signatures.resource, urn: value.urn, ...id };
  }
  if (value instanceof Asset) {
    return { [signatureKey]: signatures[value.kind], ...mapValues(value.content, encode) };
  }
  if (isList(value)) {
    return value.map(encode);
  }
  return isMap(value) ? mapValues(value, encode) : value;
}

function encodeDependent({ value, dependencies }: Dependent): unknown {
  const inner = value instanceof Secret ? value.value : value;
  return {
    [signatureKey]: signatures.output,
    ...(inner instanceof Unknown ? {} : { value: encode(inner) }),
    ...(value instanceof Secret ? { secret: true } : {}),
    dependencies: [...dependencies],
  };
}

export const encodeStruct = (values: Values): Struct =>
  Struct.fromJavaScript(encode(values) as Parameters<typeof Struct.fromJavaScript>[0]);
