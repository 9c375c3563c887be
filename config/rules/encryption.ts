import { clearText, encryptionLine, keysOf, type Encryption } from "../../platform/encryption/keys";
import type { Problem, Warning } from "../../tools/problem";
import { writeLine } from "../../tools/writeLine";
import { compact } from "../compact";
import type { Settings } from "../settings";

/** Lists of keys by which nothing would be encrypted. */

const place = "controlPlane.encryption";

export function encryptionRules({ controlPlane: { encryption } }: Settings): Problem[] {
  if (encryption === undefined) {
    return [];
  }
  const { keys } = encryption;
  const common = { path: `${place}.keys`, uses: [place] };
  const real = keysOf(encryption);
  return compact([
    real.length === 0 && {
      ...common,
      value: keys,
      problem: `${clearText} is no key: nothing is encrypted, and nothing can be read that was`,
      allowed: `at least one key, beside ${clearText} or without it; no encryption for a stack without keys`,
      write: "remove encryption # in controlPlane",
    },
    real.length > 0 &&
      keys.indexOf(clearText) > 0 && {
        ...common,
        value: keys,
        problem: `${clearText} is not in the first place: clear text can be read anyway`,
        allowed: `${clearText} in the first place, where it writes, or a list without it`,
        write: writeLine("keys", real, `in ${place}`),
      },
  ]);
}

/** A stage that a cluster should not stay in. */
export function encryptionWarnings({
  controlPlane: { encryption },
}: {
  readonly controlPlane: { readonly encryption?: Encryption | undefined };
}): Warning[] {
  if (encryption?.keys[0] !== clearText) {
    return [];
  }
  const next = encryptionLine({ ...encryption, keys: keysOf(encryption) });
  return [
    {
      path: `${place}.keys`,
      message: `${encryption.resources.join(" and ")} are written in clear text: this is the stage before encryption, or the one before its end. Go on with ${next}, or remove encryption when everything is rewritten (docs/operations.md)`,
    },
  ];
}
