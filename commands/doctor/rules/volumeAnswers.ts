import { withAnswer } from "./answers";
import { anyOf, isNotReady, warned } from "./finders";
import type { Detectors } from "./rule";

/** The last rule about mounts: an event that only says that kubelet waits. */
export const mountWaits: Detectors = {
  "mount-waits": withAnswer(
    anyOf(
      warned({
        kinds: ["Pod"],
        side: "workload",
        where: isNotReady,
        text: /FailedMount: [^]*(?:timed out waiting for the condition|Unable to attach or mount volumes)/,
        times: 5,
      }),
    ),
  ),
};
