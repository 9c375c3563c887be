import { withVars } from "./answers";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { anyOf, isNotReady, olderThan, warned, isFresh } from "./finders";
import { podWith, waitsFor } from "./podFinders";
import { exitCodes } from "./exitCodes";
import type { Detectors, Match, Find } from "./rule";
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

const completes =
  (isWindows: boolean) =>
  (world: World): Match[] =>
    podWith({
      side: "workload",
      minutes: 5,
      where: (pod) =>
        !isEnded(pod, world) && isNotReady(pod) && (systemOfPod(pod, world) === "windows") === isWindows,
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

/** What kubelet says of a Secret or ConfigMap that a Pod names. */
const missingObject =
  /(?<why>(?:secret|configmap) "[^"]+" not found|references non-existent (?:secret|config) key: \S+|couldn't find key \S+ in (?:Secret|ConfigMap) \S+)/;

/** Adds the memory limit of the container, as text, to a match. */
const withLimit = (find: Find) =>
  withVars(find, ({ object, vars }) => {
    const container = list(at(object?.spec, "containers")).find(({ name }) => name === vars.container);
    const memory = textAt(container, "resources", "limits", "memory");
    return { limit: memory === "" ? "has none" : `is ${memory}` };
  });

export const programs: Detectors = {
  "program-completes-windows": completes(true),
  "pod-object-missing": anyOf(
    warned({
      kinds: ["Pod"],
      side: "workload",
      text: new RegExp(`FailedMount: [^]*?${missingObject.source}`),
      where: (pod, world) => isNotReady(pod) && olderThan(pod, 10, world),
    }),
    waitsFor(/^CreateContainerConfigError$/, { side: "workload", minutes: 10, text: missingObject }),
  ),
  "runs-as-administrator": waitsFor(/^CreateContainerConfigError$/, {
    side: "workload",
    text: /(?:runAsUser(?:Name)? \((?<user>[^)]+)\)[^]*)?(?:break(?:s)? non-root policy|image will run as (?:root|ContainerAdministrator)|non-numeric user)/,
  }),
  "no-memory": withLimit(
    anyOf(
      exitCodes([0xc0000017, 0xc000012d], "no memory is left for the process"),
      podWith({
        side: "workload",
        // Linux ends the container, and kubelet says OOMKilled; a program may also set itself a limit there.
        where: (pod, world) => systemOfPod(pod, world) !== "linux",
        container: ({ ready, endMessage }) => (ready ? undefined : endMessage),
        text: /OutOfMemoryException|Out of memory\.|OutOfMemoryError/,
      }),
    ),
  ),
  "dotnet-exception": withLimit(
    exitCodes([0xe0434352], "an exception of .NET that the program does not catch"),
  ),
  "program-stopped": exitCodes([0xc000013a], "Ctrl+C, or a console that was closed"),
  "access-violation": exitCodes(
    [0xc0000005, 0xc0000409, 0xc00000fd],
    "an access violation, a broken stack, or a stack that is full",
  ),
};
