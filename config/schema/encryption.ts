import { z } from "zod";
import { clearText, defaultResources, encryptedResources } from "../../platform/encryption/keys";

/** Encryption of objects in etcd. */

const isUnique = (items: readonly string[]): boolean => new Set(items).size === items.length;

export const encryption = z
  .strictObject({
    keys: z
      .array(z.string().regex(/^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$/))
      .min(1)
      .max(8)
      .refine(isUnique)
      .meta({
        uniqueItems: true,
        description: `Names of keys, which the program makes and keeps as secrets in the state: the first one writes, all of them read. \`${clearText}\` in the first place writes clear text. Another name is another key`,
        allowed: `1–8 names of up to 20 characters (a–z, 0–9 and -, starting with a letter), each once; ${clearText} only in the first place`,
        examples: [["key1"]],
      }),
    resources: z
      .array(z.enum(encryptedResources))
      .min(1)
      .refine(isUnique)
      .default([...defaultResources])
      .meta({
        uniqueItems: true,
        description: "Kinds of objects that are encrypted",
        allowed: "secrets, configmaps or both, each once",
        examples: [["secrets", "configmaps"]],
      }),
  })
  .optional()
  .meta({
    description:
      "Encryption of Secrets in etcd by the API server (secretbox). Every change of it rolls the control plane, and an existing cluster goes there, back and to another key in stages (docs/operations.md). Default: Secrets are in etcd in clear text",
    examples: [{ keys: ["key1"] }],
  });
