import { z } from "zod";

/** Tags of Azure resources. */

/** No control characters and no halves of characters, with which a request is no JSON that every reader takes. */
const printable = String.raw`[^\u0000-\u001f\u007f-\u009f\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff]`;

const inName = String.raw`(?![<>%&\\?/])(?:${printable})`;

// Lengths, characters and number: learn.microsoft.com, "Use tags to organize your Azure resources", limitations.
const name = z
  .string()
  .max(512)
  .regex(new RegExp(`^(?:${inName})+$`))
  .meta({
    allowed: "1–512 characters, none of < > % & \\ ? / and no control characters",
    examples: ["team"],
  });

const value = z
  .string()
  .max(256)
  .regex(new RegExp(`^(?:${printable})*$`))
  .meta({ allowed: "a text of at most 256 characters without control characters", examples: ["platform"] });

export const tags = z
  .record(name, value)
  .refine((all) => Object.keys(all).length <= 50)
  .default({})
  .meta({
    description: "Tags of all Azure resources of the stack, at most 50",
    allowed: "a mapping of at most 50 names to texts",
    examples: [{ team: "platform" }],
  });
