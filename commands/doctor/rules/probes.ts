import { containersOf, type KubeObject } from "../../cluster/objects";
import { warned } from "./finders";
import type { Detectors } from "./rule";

/** Probes that fail although the program works, because of their command or their time limit. */

/** Pods whose probe failed at least five times, because a few failures are normal while a program starts. */
export const probeFails = (text: RegExp, where?: (pod: KubeObject) => boolean) =>
  warned({ kinds: ["Pod"], side: "workload", text, times: 5, ...(where === undefined ? {} : { where }) });

const restarts = (pod: KubeObject): boolean => containersOf(pod).some((container) => container.restarts >= 3);

export const probeRules: Detectors = {
  "probe-slow": probeFails(
    /(?:Liveness|Startup) probe (?:failed|errored)(?:[^]*Get "https?:\/\/[^/"]+?(?::(?<port>\d+))?(?<path>\/[^"?]*))?[^]*(?:context deadline exceeded|Client\.Timeout|timed? ?out|connection refused|actively refused)/i,
    restarts,
  ),
};
