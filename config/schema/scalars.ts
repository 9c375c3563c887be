import { z } from "zod";
import { parseCidr } from "../../domain/network/addressing";

/** Scalar types that several keys use. */

export const uuid = z.guid().meta({
  allowed: "a GUID: 8-4-4-4-12 hexadecimal digits",
  examples: ["11111111-2222-4333-8444-555555555555"],
});

/** An IPv4 network in CIDR form without host bits. */
export const cidr = z
  .string()
  .refine((text) => parseCidr(text) !== undefined)
  .meta({
    allowed: "an IPv4 network without host bits, such as 10.10.0.0/16",
    examples: ["10.10.0.0/16"],
  });

/** A full Kubernetes version. settings.ts adds the leading v, which CAPI requires, if it is missing. */
export const kubernetesVersion = z
  .string()
  .regex(/^v?1\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/)
  .meta({ allowed: "v1.MINOR.PATCH", examples: ["v1.35.6"] });

export const vmSize = z
  .string()
  .regex(/^(Standard|Basic)_[A-Za-z0-9_-]+$/)
  .meta({
    description: "Azure VM size; it must support Hyper-V generation 1 for CAPZ's reference images",
    allowed: "a VM size as `az vm list-skus` prints it",
    examples: ["Standard_D4s_v5"],
  });

export const zone = z.enum(["1", "2", "3"]).meta({ allowed: '"1", "2" or "3"', examples: ["1"] });

/** Name of a pool, which is also the name of its MachinePool and AzureMachinePool. */
export const poolName = z
  .string()
  .regex(/^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/)
  .meta({ allowed: "1–40 characters: a–z, 0–9 and -, starting with a letter", examples: ["win1"] });

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
  z.string().min(1).meta({ description, examples: [example] });
