import { withVars } from "./answers";
import { anyOf, isNotReady, isFresh, warned } from "./finders";
import { exitText, podWith, waitsFor } from "./podFinders";
import type { Detectors, Match } from "./rule";
import { containersOf, type KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { systemOfPod } from "../cluster/scope";

/** Whether kubelet ends the container, whose program then may end with 0: a probe is the cause. */
const isEnded = (pod: KubeObject, world: World): boolean =>
  world
    .eventsOf(pod, "workload")
    .some(
      (event) =>
        event.reason === "Unhealthy" &&
        isFresh(event, world.now) &&
        /^(?:Liveness|Startup) probe/.test(event.message),
    );

const completes = (world: World): Match[] =>
  podWith({
    side: "workload",
    minutes: 5,
    where: (pod) => !isEnded(pod, world) && isNotReady(pod) && systemOfPod(pod, world) === "windows",
    // The same text as in the rule that only says that it exits, so that both become one finding.
    container: ({ waiting, ended, exitCode, restarts, endMessage, message }) =>
      waiting === "CrashLoopBackOff" && ended === "Completed" && exitCode === 0 && restarts >= 3
        ? `${waiting}: ${endMessage || message}`
        : undefined,
  })(world).map((match) => {
    const restarts = (match.object === undefined ? [] : containersOf(match.object)).find(
      ({ name }) => name === match.vars?.container,
    )?.restarts;
    const where = `${match.proof.where}, last state: Completed, ${restarts ?? 0} restarts`;
    return { ...match, proof: { ...match.proof, where } };
  });

/** Codes with which programs of Windows end, those of NTSTATUS, and what they mean. */
const meanings: readonly (readonly [codes: readonly number[], meaning: string])[] = [
  [
    [0xc0000017, 0xc000012d],
    "no memory is left for it, by its own limit or that of the node, and Windows then says nothing of OOMKilled",
  ],
  [[0xe0434352], "an exception of .NET that it does not catch, such as OutOfMemoryException"],
  [[0xc000013a], "Ctrl+C, or a console that was closed, as a failing probe or the end of its parent does"],
  [
    [0xc0000005, 0xc0000409, 0xc00000fd],
    "it touched memory that is not its own, ended itself at once (fail fast), or its stack is full",
  ],
  [
    [0xc0000135, 0xc0000139],
    "a DLL, or a function in one, is not in its image: Nano Server has no .NET Framework, and neither it nor Server Core has the Visual C++ runtime",
  ],
  [
    [0xc0000142],
    "a DLL could not be initialized: often the desktop heap of the node's services is used up by many containers or many processes in HostProcess Pods, and then others fail there, too; or it is a DLL of this program",
  ],
];

/** Pods with a container that ended with one of these codes, which kubelet reports as a signed number. */
const exitsWith = (codes: readonly number[], meaning: string) =>
  podWith({
    side: "workload",
    container: ({ ready, exitCode }) =>
      !ready && exitCode !== undefined && codes.includes(exitCode >>> 0)
        ? `${exitText(exitCode)}: ${meaning}`
        : undefined,
  });

const exits = anyOf(
  ...meanings.map(([codes, meaning]) => withVars(exitsWith(codes, meaning), () => ({ meaning }))),
);

/** Pods that were started again and whose probe failed at least five times: a few failures are normal while a program starts. */
const probeSlow = warned({
  kinds: ["Pod"],
  side: "workload",
  times: 5,
  where: (pod) => containersOf(pod).some(({ restarts }) => restarts >= 3),
  text: /(?:Liveness|Startup) probe (?:failed|errored)(?:(?:(?!Get ")[^])*Get "https?:\/\/[^/"]+?(?::(?<port>\d+))?(?<path>\/[^"?]*)(?![^"?]))?[^]*(?:context deadline exceeded|Client\.Timeout|timed? ?out|connection refused|actively refused)/i,
});

export const programs: Detectors = {
  "program-completes-windows": completes,
  "runs-as-administrator": waitsFor(/^CreateContainerConfigError$/, {
    side: "workload",
    text: /(?:runAsUser(?:Name)? \((?<user>[^)]+)\)[^]*)?(?:break(?:s)? non-root policy|image will run as (?:root|ContainerAdministrator)|non-numeric user)/,
  }),
  "windows-exit-code": exits,
  "probe-slow": probeSlow,
};
