import { z } from "zod";
import { keyWithDefault, mapping, matching, optionalKey, optionalMapping, text } from "./scalars";

/** Additional files of nodes, and contents that must not be readable in the stack file. */

const secretKey = matching(/^[-._A-Za-z0-9]{1,253}$/, {
  allowed: "letters, digits, -, _ and .",
  examples: ["licence.key"],
});

const contentFrom = optionalMapping(
  "Where a secret content comes from, in exactly one form, instead of content. It is part of the node's user data, which administrators of the node can read",
  {
    secretFile: secretKey
      .optional()
      .meta({ description: "Name of a content in secretFiles", examples: ["licence.key"] }),
    secret: optionalMapping(
      "A Secret in the cluster's namespace on the management cluster that others make; nodes wait until it is there",
      {
        name: matching(/^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/, {
          description: "Name of the Secret",
          allowed: "1–253 characters: a–z, 0–9, - and .",
          examples: ["licences"],
        }),
        key: secretKey.meta({ description: "Key in the Secret", examples: ["licence.key"] }),
      },
      { name: "licences", key: "licence.key" },
    ),
  },
  { secretFile: "licence.key" },
);

const file = mapping("An additional file", {
  path: text("Absolute path on the node", "C:/k/motd.txt"),
  content: optionalKey(z.string(), {
    description: "Content, delivered byte for byte",
    examples: ["hello"],
  }),
  contentFrom,
  permissions: keyWithDefault(z.string().regex(/^[0-7]{4}$/), "0644", {
    description: "Octal mode; ignored on Windows",
    allowed: "four octal digits",
    examples: ["0644"],
  }),
});

export const files = keyWithDefault(z.array(file), [], {
  description: "Additional files on each node. A secret does not belong into content, but into contentFrom",
  allowed: "a list of {path, content or contentFrom, permissions}",
  examples: [[{ path: "/etc/motd", content: "hello" }]],
});

export const secretFiles = optionalKey(z.string().min(1), {
  description:
    "SECRET. Contents for files[].contentFrom.secretFile, a YAML mapping of names to texts: npx pulumi config set --secret capz-windows:secretFiles < FILE",
  secret: true,
  examples: ["(set it with: npx pulumi config set --secret capz-windows:secretFiles < FILE)"],
});
