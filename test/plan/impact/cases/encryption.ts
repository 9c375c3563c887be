import type { Case } from "../plans";

/** Stages of encryption at rest: from none to a key, to another key, and back. */
export const encryptionCases: readonly Case[] = [
  {
    rule: "encryption-stage",
    severity: "changes",
    from: "firstKey",
    to: "secondKey",
    what: "Encryption at rest, second stage: secrets are written with the key b",
    instead:
      "when every machine of the control plane is replaced, rewrite all secrets, and then set encryption: {keys: [b]}",
    commands: ["npm run encryption -- --stack inline --rewrite"],
  },
  {
    rule: "encryption-step-refused",
    severity: "refused",
    to: "secondKey",
    what: "Encryption at rest cannot change like this in one step",
  },
  {
    rule: "encryption-provider",
    severity: "metadata",
    to: "secondKey",
    what: "Pulumi's provider of random bytes makes the keys of encryption at rest",
  },
  {
    rule: "encryption-role",
    severity: "changes",
    from: "onlyKey",
    to: "vaultKey",
    what: "The control plane may use keys in Key Vault: own/keys/etcd",
  },
  {
    rule: "encryption-key-deleted",
    severity: "destroys",
    from: "secondKey",
    to: "onlyKey",
    what: "Keys are deleted forever: a",
    instead: "before `pulumi up`, rewrite everything with the present list of keys",
    commands: ["npm run encryption -- --stack inline --rewrite"],
  },
];
