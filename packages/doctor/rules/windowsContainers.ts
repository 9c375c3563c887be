import { isNotReady, olderThan, warned, anyOf } from "./finders";
import { exitCodes } from "./exitCodes";
import { tells } from "./podMessages";
import type { Detectors } from "./rule";
import { containersOf, type KubeObject } from "../cluster/objects";

/** Errors of Windows about a container: its layers, its memory, its processes. Codes are those of NTSTATUS and Win32. */

/** Pods whose probe failed at least five times, because a few failures are normal while a program starts. */
const probeFails = (text: RegExp, where?: (pod: KubeObject) => boolean) =>
  warned({ kinds: ["Pod"], side: "workload", text, times: 5, ...(where === undefined ? {} : { where }) });

const restarts = (pod: KubeObject): boolean => containersOf(pod).some((container) => container.restarts >= 3);

/** Pods for which kubelet's requests to containerd time out repeatedly. */
const hangs = warned({
  kinds: ["Pod"],
  side: "workload",
  where: (pod, world) => isNotReady(pod) && olderThan(pod, 10, world),
  text: /^(?:FailedCreatePodSandBox|Failed): [^]*(?:failed to reserve sandbox name|desc = (?:[^"]*: )?context deadline exceeded\s*$)/,
  times: 3,
});

export const windowsContainers: Detectors = {
  "desktop-heap": anyOf(
    tells(/0xc0000142/i),
    exitCodes([0xc0000142], "a DLL could not be initialized: the desktop heap is used up"),
  ),
  "sandbox-hangs": hangs,
  "probe-slow": probeFails(
    /(?:Liveness|Startup) probe (?:failed|errored)(?:(?:(?!Get ")[^])*Get "https?:\/\/[^/"]+?(?::(?<port>\d+))?(?<path>\/[^"?]*)(?![^"?]))?[^]*(?:context deadline exceeded|Client\.Timeout|timed? ?out|connection refused|actively refused)/i,
    restarts,
  ),
};
