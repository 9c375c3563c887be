import { clearText, encryptionLine, keysOf, type Encryption } from "./keys";

/** What one step of the encryption in etcd does, and what comes after it. */
export interface EncryptionStage {
  readonly what: string;
  readonly why: string;
  readonly instead: string;
  readonly commands?: readonly string[];
}

/** After it, etcd has each object as the API servers write now. It refuses while the control plane rolls. */
export const rewriteCommands = ["npm run encryption -- STACK --rewrite"] as const;

const afterRoll = "when every machine of the control plane is replaced";

const both =
  "API servers with the former and with the new list run side by side while the control plane rolls";

/** The step from one list of keys to another; both may be missing. Steps that are refused are not among them. */
export function stageBetween(
  before: Encryption | undefined,
  after: Encryption | undefined,
): EncryptionStage | undefined {
  const common = after ?? before;
  if (common === undefined) {
    return undefined;
  }
  const { resources, keyVaultKeys } = common;
  const objects = resources.join(" and ");
  const [old, next] = [before?.keys ?? [clearText], after?.keys ?? [clearText]];
  const [[writes = clearText], [willWrite = clearText]] = [old, next];
  const [gone, added] = [
    keysOf({ keys: old }).filter((key) => !next.includes(key)),
    keysOf({ keys: next }).filter((key) => !old.includes(key)),
  ];
  if (writes !== willWrite) {
    const rewrite = `${afterRoll}, rewrite all ${objects}`;
    return willWrite === clearText
      ? {
          what: `Encryption at rest, stage before its end: ${objects} are written in clear text again, and read with ${keysOf({ keys: next }).join(", ")}`,
          why: "what is in etcd stays encrypted until it is written again",
          instead: `${rewrite}, and then remove encryption`,
          commands: rewriteCommands,
        }
      : {
          what: `Encryption at rest, second stage: ${objects} are written with the key ${willWrite}`,
          why: `what is in etcd stays as it was written, ${writes === clearText ? "in clear text" : `with the key ${writes}`}, until it is written again`,
          instead:
            next.length > 1
              ? `${rewrite}, and then set ${encryptionLine({ resources, keyVaultKeys, keys: [willWrite] })}`
              : rewrite,
          commands: rewriteCommands,
        };
  }
  if (gone.length > 0) {
    return {
      what: `Encryption at rest, last stage: ${gone.join(", ")} ${gone.length > 1 ? "are" : "is"} no longer read`,
      why: "what was not written again since another key writes cannot be read any more",
      instead: `before \`pulumi up\`, rewrite all ${objects}`,
      commands: rewriteCommands,
    };
  }
  if (added.length > 0) {
    const [key = ""] = added;
    const others = next.filter((one) => one !== key && one !== clearText);
    return {
      what: `Encryption at rest, first stage: the API servers learn to read with ${added.join(", ")}, and write ${objects} ${willWrite === clearText ? "in clear text" : `with the key ${willWrite}`} as before`,
      why: both,
      instead: `${afterRoll}, set ${encryptionLine({ resources, keyVaultKeys, keys: [key, ...others] })}`,
    };
  }
  return {
    what: `Encryption at rest: the list of kinds or keys changes, and ${objects} are written ${willWrite === clearText ? "in clear text" : `with the key ${willWrite}`} as before`,
    why: both,
    instead: `${afterRoll}, go on as docs/operations.md says`,
  };
}
