import { anyOf, podWarns } from "./finders";
import { podWith } from "./podFinders";
import type { Detectors } from "./rule";

/** Disks and shares on Windows nodes: the volume exists, and the node cannot mount it. */

export const mounts: Detectors = {
  "csi-proxy": anyOf(
    podWith({
      side: "workload",
      container: ({ ready, message, endMessage }) => (ready ? undefined : `${endMessage} ${message}`.trim()),
      text: /csi-proxy/,
    }),
    podWarns(/pipe\\+csi-proxy/),
  ),
};
