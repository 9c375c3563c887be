import { z } from "zod";
import { clearText, defaultResources, encryptedResources } from "capz-windows-platform/encryption/keys";
import { keyVaultKeyPattern } from "capz-windows-platform/encryption/keyVault";
import { keyWithDefault, matching, optionalKey, optionalMapping } from "./scalars";

/** Encryption of objects in etcd. */

const isUnique = (items: readonly string[]): boolean => new Set(items).size === items.length;

const exampleKey =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.KeyVault/vaults/own/keys/etcd/versions/0123456789abcdef0123456789abcdef";

const keyName = z.string().regex(/^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$/);

export const encryption = optionalMapping(
  "Encryption of Secrets in etcd by the API server (secretbox, or keys in Key Vault). Every change of it rolls the control plane, and an existing cluster goes there, back and to another key in stages (docs/operations.md). Default: Secrets are in etcd in clear text",
  {
    keys: z
      .array(keyName)
      .min(1)
      .max(8)
      .refine(isUnique)
      .meta({
        uniqueItems: true,
        description: `Names of keys, which the program makes and keeps as secrets in the state, but for those of \`keyVaultKeys\`: the first one writes, all of them read. \`${clearText}\` in the first place writes clear text. Another name is another key`,
        allowed: `1–8 names of up to 20 characters (a–z, 0–9 and -, starting with a letter), each once; ${clearText} only in the first place`,
        examples: [["key1"]],
      }),
    keyVaultKeys: optionalKey(
      z.record(
        keyName.meta({ allowed: "a name in keys", examples: ["vault1"] }),
        matching(keyVaultKeyPattern, {
          allowed:
            "the ARM ID of a version of a key, /subscriptions/ID/resourceGroups/NAME/providers/Microsoft.KeyVault/vaults/VAULT/keys/KEY/versions/VERSION, a vault of 3–24 letters, digits and -, a version of 32 hexadecimal digits",
          examples: [exampleKey],
        }),
      ),
      {
        description:
          "Names of `keys` that are RSA keys in Azure Key Vault: a plugin on each machine of the control plane uses them as the control plane's identity, which `up` makes Key Vault Crypto User of the key. An API server that does not reach the vault does not become ready, and without the key everything that it encrypted is lost (docs/operations.md). Default: none",
        allowed: "a mapping of names to ARM IDs",
        examples: [{ vault1: exampleKey }],
      },
    ),
    resources: keyWithDefault(
      z.array(z.enum(encryptedResources)).min(1).refine(isUnique),
      [...defaultResources],
      {
        uniqueItems: true,
        description: "Kinds of objects that are encrypted",
        allowed: "secrets, configmaps or both, each once",
        examples: [["secrets", "configmaps"]],
      },
    ),
  },
  { keys: ["key1"] },
);
