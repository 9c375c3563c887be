import { z } from "zod";
import { placeholder } from "capz-windows-kit/writeLine";
import { parseCidr } from "capz-windows-platform/network/addressing";

/** Scalar types that several keys use, and the kinds of keys. */

/** What documents and reports say of a key (jsonSchema.ts). */
type Meta = Parameters<z.ZodType["meta"]>[0];

export const optionalKey = <S extends z.ZodType>(schema: S, meta: Meta) => schema.optional().meta(meta);

export const keyWithDefault = <S extends z.ZodType>(
  schema: S,
  byDefault: z.core.util.NoUndefined<z.output<S>>,
  meta: Meta,
) => schema.default(byDefault).meta(meta);

const metaOf = (description: string, example: unknown): Meta =>
  example === undefined ? { description } : { description, examples: [example] };

/** A mapping that must be there, as in a list. */
export const mapping = <S extends z.ZodRawShape>(description: string, keys: S, example?: unknown) =>
  z.strictObject(keys).meta(metaOf(description, example));

/** A mapping without which its part of the stack is not there. */
export const optionalMapping = <S extends z.ZodRawShape>(description: string, keys: S, example?: unknown) =>
  optionalKey(z.strictObject(keys), metaOf(description, example));

/** A mapping whose keys have defaults of their own. */
export const filledMapping = <S extends z.ZodRawShape>(description: string, keys: S, example?: unknown) =>
  z
    .strictObject(keys)
    .prefault({} as never)
    .meta(metaOf(description, example));

/** A switch. The example is what it is not by default. */
export const flag = (description: string, byDefault = false) =>
  keyWithDefault(z.boolean(), byDefault, { description, examples: [!byDefault] });

/** A switch whose default depends on other keys. */
export const optionalFlag = (description: string, example = true) =>
  optionalKey(z.boolean(), { description, examples: [example] });

/** A text of a form. */
export const matching = (form: RegExp, meta: Meta) => z.string().regex(form).meta(meta);

export const uuid = z.guid().meta({
  allowed: "a GUID: 8-4-4-4-12 hexadecimal digits",
  examples: ["11111111-2222-4333-8444-555555555555"],
});

/** A GUID of the user's; `what` says which. */
export const ownUuid = (what: string, description: string) =>
  uuid.meta({ description, placeholder: placeholder(`GUID of ${what}`) });

/** What a pattern can say about an IPv4 network: not whether it has host bits. */
const byte = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const networkPattern = `^(${byte}\\.){3}${byte}/(3[0-2]|[12]?[0-9])$`;

/** An IPv4 network in CIDR form without host bits. */
export const cidr = z
  .string()
  .refine((text) => parseCidr(text) !== undefined)
  .meta({
    format: "cidrv4",
    pattern: networkPattern,
    allowed: "an IPv4 network without host bits, such as 10.10.0.0/16",
    examples: ["10.10.0.0/16"],
  });

/** A network that the user must know. */
export const ownCidr = cidr.meta({ placeholder: placeholder("your network as a CIDR") });

/**
 * A full Kubernetes version, with numbers that semver can compare. settings.ts adds the leading v, which CAPI requires,
 * if it is missing.
 */
export const kubernetesVersion = z
  .string()
  .regex(/^v?1\.(0|[1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})$/)
  .meta({ allowed: "v1.MINOR.PATCH", examples: ["v1.36.5"] });

export const vmSize = z
  .string()
  // Azure has an underscore before the version of a family.
  .regex(/^(Standard|Basic)_(?![A-Za-z0-9_-]*[a-z0-9]v[0-9]+$)[A-Za-z0-9_-]+$/)
  .meta({
    description: "Azure VM size; it must support Hyper-V generation 1 for CAPZ's reference images",
    allowed: "a VM size as `az vm list-skus` prints it",
    examples: ["Standard_D4s_v5"],
  });

/**
 * A choice between texts that are numbers. The numbers without quotes are accepted, too: they can mean nothing else, in
 * contrast to a version, where YAML reads 1.30 as 1.3.
 */
export function numberedChoice<const T extends `${number}`>(choices: readonly [T, ...T[]]) {
  const numbers = choices.map(Number) as [number, ...number[]];
  // parse.ts makes texts of them before it checks them; a transformation would hide default and examples.
  return z.union([z.enum(choices), z.literal(numbers)]) as unknown as z.ZodType<T, T>;
}

export const zone = numberedChoice(["1", "2", "3"]).meta({
  description: "Availability zone",
  allowed: '"1", "2" or "3"',
  examples: ["1"],
});

/** Availability zones, each once. */
export const distinctZones = z.array(zone).refine((zones) => new Set(zones).size === zones.length);

/** Name of a pool, which is also the name of its MachinePool and AzureMachinePool. */
export const poolName = z
  .string()
  .regex(/^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/)
  .meta({ allowed: "1–40 characters: a–z, 0–9 and -, starting with a letter", examples: ["win1"] });

/** Name of a subnet of pools in the VNET. */
export const subnetName = z
  .string()
  .regex(/^[a-z]([-a-z0-9]{0,60}[a-z0-9])?$/)
  .meta({
    description: "Name of a subnet in network.poolSubnets",
    allowed: "1–62 characters: a–z, 0–9 and -, starting with a letter",
    examples: ["web"],
  });

/** A whole number with a default, which is also the example. */
export const count = (description: string, minimum: number, maximum: number, byDefault: number) =>
  z
    .int()
    .min(minimum)
    .max(maximum)
    .default(byDefault)
    .meta({ description, examples: [byDefault] });

/** A text that is not empty. */
export const text = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .meta({ description, examples: [example] });

/** A text that only the user knows; `what` says which. */
export const ownText = (what: string, description: string, example: string) =>
  text(description, example).meta({ description, examples: [example], placeholder: placeholder(what) });

/** ARM ID of a resource that others have made. */
export const armId = (what: string, type: string, example: string) =>
  z
    .string()
    .regex(new RegExp(`^/subscriptions/[^/\\s]+/resourceGroups/[^/\\s]+/providers/${type}/[^/\\s]+$`, "i"))
    .meta({
      description: what,
      allowed: `/subscriptions/ID/resourceGroups/NAME/providers/${type}/NAME`,
      examples: [
        `/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/${type}/${example}`,
      ],
    });
