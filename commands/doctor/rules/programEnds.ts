import { textAt } from "../../../tools/untyped";
import { containersOf, type KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { isFresh, isNotReady } from "./finders";
import { podWith } from "./podFinders";
import type { Detectors, Match } from "./rule";
import { systemOf } from "../../cluster/scope";

/** Programs that end without an error, and are started again and again. */

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

/** Operating system of the Pod's node, or that it selects. */
const systemOfPod = ({ spec }: KubeObject, world: World): string =>
  systemOf(world.find("Node", textAt(spec, "nodeName"))) ||
  textAt(spec, "nodeSelector", "kubernetes.io/os") ||
  textAt(spec, "os", "name");

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
      const where = `${match.proof.where}, last state: Completed, exit code 0, ${restarts ?? 0} restarts`;
      return { ...match, proof: { ...match.proof, where } };
    });

export const programEndRules: Detectors = {
  "program-completes-windows": completes(true),
};
