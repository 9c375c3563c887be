import { z } from "zod";
import { text } from "./scalars";

/** Additional files of nodes, and contents that must not be readable in the stack file. */

const secretKey = z
  .string()
  .regex(/^[-._A-Za-z0-9]{1,253}$/)
  .meta({ allowed: "letters, digits, -, _ and .", examples: ["licence.key"] });

const contentFrom = z
  .strictObject({
    secretFile: secretKey
      .optional()
      .meta({ description: "Name of a content in secretFiles", examples: ["licence.key"] }),
    secret: z
      .strictObject({
        name: z
          .string()
          .regex(/^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/)
          .meta({
            description: "Name of the Secret",
            allowed: "1–253 characters: a–z, 0–9, - and .",
            examples: ["licences"],
          }),
        key: secretKey.meta({ description: "Key in the Secret", examples: ["licence.key"] }),
      })
      .optional()
      .meta({
        description:
          "A Secret in the cluster's namespace on the management cluster that others make; nodes wait until it is there",
        examples: [{ name: "licences", key: "licence.key" }],
      }),
  })
  .optional()
  .meta({
    description:
      "Where a secret content comes from, in exactly one form, instead of content. It is part of the node's user data, which administrators of the node can read",
    examples: [{ secretFile: "licence.key" }],
  });

const file = z
  .strictObject({
    path: text("Absolute path on the node", "C:/k/motd.txt"),
    content: z
      .string()
      .optional()
      .meta({ description: "Content, delivered byte for byte", examples: ["hello"] }),
    contentFrom,
    permissions: z
      .string()
      .regex(/^[0-7]{4}$/)
      .default("0644")
      .meta({ description: "Octal mode; ignored on Windows", allowed: "four octal digits", examples: ["0644"] }),
  })
  .meta({ description: "An additional file" });

export const files = z
  .array(file)
  .default([])
  .meta({
    description:
      "Additional files on each node. A secret does not belong into content, but into contentFrom",
    allowed: "a list of {path, content or contentFrom, permissions}",
    examples: [[{ path: "/etc/motd", content: "hello" }]],
  });

export const secretFiles = z
  .string()
  .min(1)
  .optional()
  .meta({
    description:
      "SECRET. Contents for files[].contentFrom.secretFile, a YAML mapping of names to texts: npx pulumi config set --secret capz-windows:secretFiles < FILE",
    secret: true,
    examples: ["(set it with: npx pulumi config set --secret capz-windows:secretFiles < FILE)"],
  });
