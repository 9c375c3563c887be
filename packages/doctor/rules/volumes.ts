import { isNotReady, warned, olderThan } from "./finders";
import type { Detectors } from "./rule";

/** Volumes of Pods that Azure cannot attach. */

export const volumes: Detectors = {
  "disk-attached": warned({
    kinds: ["Pod"],
    side: "workload",
    // For longer than a disk needs to be detached and attached.
    where: (pod, world) => isNotReady(pod) && olderThan(pod, 7, world),
    // kubernetes v1.36.3 attachdetach reconciler, MultiAttachErrorReported.
    once: true,
    text: /Multi-Attach error for volume|already attached to node\(|disk\S* (?:is )?(?:already|currently) (?:being )?attached to (?:a different|another|node)/,
  }),
};
