import { anyOf, isNotReady, warned } from "./finders";
import { podWith } from "./podFinders";
import type { Detectors } from "./rule";
import { withAnswer } from "./answers";

/** Disks and shares on Windows nodes: the volume exists, and the node cannot mount it. */

const mountFails = (text: RegExp) => warned({ kinds: ["Pod"], side: "workload", where: isNotReady, text });

export const mounts: Detectors = {
  "csi-proxy": anyOf(
    podWith({
      side: "workload",
      container: ({ ready, message, endMessage }) => (ready ? undefined : `${endMessage} ${message}`.trim()),
      text: /csi-proxy/,
    }),
    mountFails(/pipe\\+csi-proxy/),
  ),
  // Last: an event that only says that kubelet waits.
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
