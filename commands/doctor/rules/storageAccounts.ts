import { withAnswer } from "./answers";
import { anyOf, isNotReady, isPending, warned } from "./finders";
import type { Detectors, Find } from "./rule";

/** Storage accounts that refuse the CSI driver of Azure Files, although its identity has the roles. */

const refuses = (text: RegExp): Find =>
  withAnswer(
    anyOf(
      warned({ kinds: ["PersistentVolumeClaim"], side: "workload", where: isPending, text }),
      warned({ kinds: ["Pod"], side: "workload", where: isNotReady, text }),
    ),
  );

/** The name of the account, where the driver says it. */
const account = String.raw`(?:[^]*?(?:under |storage )?account[ (]'?(?<account>[a-z0-9]{3,24})\b(?= in |\)|'|,))?`;

export const storageAccountRules: Detectors = {
  "share-network-rules": refuses(
    new RegExp(
      `^${account}[^]*(?:AuthorizationFailure\\b|This request is not authorized to perform this operation(?! using this permission)|PublicNetworkAccess\\w* (?:is )?disabled)`,
    ),
  ),
  "share-keys-forbidden": refuses(
    new RegExp(
      `^${account}[^]*(?:KeyBasedAuthenticationNotPermitted|Key[- ]based authentication is not permitted)`,
      "i",
    ),
  ),
};
