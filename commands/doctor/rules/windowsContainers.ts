import { isNotReady, olderThan, warned, anyOf } from "./finders";
import { exitCodes } from "./exitCodes";
import { tells } from "./podAnswers";
import { probeRules } from "./probes";
import type { Detectors } from "./rule";

/** Errors of Windows about a container: its layers, its memory, its processes. Codes are those of NTSTATUS and Win32. */

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
  "dll-missing": exitCodes([0xc0000135, 0xc0000139], "a DLL, or a function in one, was not found"),
  "sandbox-hangs": hangs,
  ...probeRules,
};
