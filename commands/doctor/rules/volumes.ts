import { anyOf, isNotReady, isPending, warned } from "./finders";
import { attachedDisks, waitsForDisk } from "./attachedDisks";
import { withRole } from "./roles";
import { storageAccountRules } from "./storageAccounts";
import type { Detectors } from "./rule";

/** Volumes of Pods that Azure cannot create or attach. */

/** Matches errors of the drivers about missing rights of their identity. */
const refused =
  /^(?![^]*LinkedAuthorizationFailed)(?:ProvisioningFailed|FailedAttachVolume)(?:[^]*?client '(?<client>[^']+)')?[^]*(?:AuthorizationFailed|does not have authorization)(?:[^]*action '(?<action>[^']+)' over scope '(?<scope>[^']+)')?/;

/** The same about a resource that the disk refers to, such as its disk encryption set. The first of several counts. */
const refusedLinked =
  /(?:ProvisioningFailed|FailedAttachVolume)[^]*?LinkedAuthorizationFailed(?:[^]*?client '(?<client>[^']+)')?(?:[^]*?not have permission to perform action(?:\(s\))? '(?<action>[^',]+)[^']*')?(?:[^]*?linked scope(?:\(s\))? '(?<scope>[^',]+))?/;

const refusedBy = (text: RegExp) =>
  anyOf(
    warned({ kinds: ["PersistentVolumeClaim"], side: "workload", where: isPending, text }),
    warned({ kinds: ["Pod"], side: "workload", where: isNotReady, text }),
  );

export const volumes: Detectors = {
  "disk-role": withRole(anyOf(refusedBy(refusedLinked), refusedBy(refused))),
  ...storageAccountRules,
  ...attachedDisks,
  "disk-attached": warned({
    kinds: ["Pod"],
    side: "workload",
    where: waitsForDisk,
    // kubernetes v1.36.3 attachdetach reconciler, MultiAttachErrorReported.
    once: true,
    text: /Multi-Attach error for volume|disk\S* (?:is )?(?:already|currently) (?:being )?attached to (?:a different|another|node)/,
  }),
};
