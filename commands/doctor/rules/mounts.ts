import { anyOf, isNotReady, warned } from "./finders";
import { podWith } from "./podFinders";
import type { Detectors } from "./rule";

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
};
