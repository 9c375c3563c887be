import { hasHostProcess } from "capz-windows-platform/workloads/podSpec";
import { at, textAt } from "capz-windows-kit/untyped";
import { conditionNamed, isTrue, type KubeObject, minutesBetween } from "../cluster/objects";
import { podWith } from "./podFinders";
import type { Detectors, Match } from "./rule";
import type { World } from "../cluster/snapshot";
import { withAnswer } from "./answers";

/** Containers and their Pods on any node: registries, users, programs, paths, evictions. */

/** Pods that their node refused. They stay in the cluster with the phase Failed. */
const refused =
  (is: (reason: string) => boolean) =>
  (world: World): Match[] =>
    world.all("Pod", "workload").flatMap((object) => {
      const reason = textAt(object.status, "reason");
      return textAt(object.status, "phase") === "Failed" && is(reason) && startedLately(object, world)
        ? [
            {
              object,
              proof: {
                where: `Pod ${object.metadata.namespace ?? ""}/${object.metadata.name}, status.reason ${reason}`,
                text: textAt(object.status, "message") || reason,
              },
              vars: { reason },
            },
          ]
        : [];
    });

/** Whether a Pod started within the last four hours. Older failures are not reported. */
const startedLately = (pod: KubeObject, world: World): boolean =>
  minutesBetween(textAt(pod.status, "startTime") || (pod.metadata.creationTimestamp ?? ""), world.now) <
  4 * 60;

const otherOs = /^PodOS(?:NotSupported|SelectorNodeLabelDoesNotMatch)$/;
/** Reasons with rules of their own, or that belong to every drain and shutdown. */
const calm =
  /^(?:|Evicted|Terminated|Completed|Error|OOMKilled|Shutdown|NodeShutdown|Preempted|Preempting|TerminationByKubelet|DeletionByTaintManager|PodOSNotSupported|PodOSSelectorNodeLabelDoesNotMatch|DeadlineExceeded)$/;

/** Pods with a container that is waiting, by the reason and message of its status. */
const waitsWith = (text: RegExp) =>
  podWith({
    side: "workload",
    text,
    // Of a container that did not start, the last message is that of containerd. That of a program is not searched.
    container: ({ waiting, message, ended, endMessage }) => {
      if (waiting === "") {
        return undefined;
      }
      const notStarted = /^(?:StartError|ContainerCannotRun)$/.test(ended) && endMessage !== "";
      return `${waiting}: ${notStarted ? endMessage : message}`;
    },
  });

/** Evicted Pods stay until they are deleted by hand. Evictions that are older than a day are not reported. */
export const recordMinutes = 24 * 60;

const isRecent = (pod: KubeObject, world: World): boolean => {
  const since = conditionNamed(pod, "DisruptionTarget")?.since ?? pod.metadata.creationTimestamp ?? "";
  return minutesBetween(since, world.now) < recordMinutes;
};

/** What kubelet says of a Pod that used more than its own limit, however much its node has left. */
const byLimit =
  /ephemeral local storage usage exceeds|exceeded its local ephemeral storage limit|Usage of EmptyDir volume/;

/** Pods that their node has evicted, for their own limit or for what the node had left. */
const evicted =
  (isByLimit: boolean) =>
  (world: World): Match[] =>
    world
      .all("Pod", "workload")
      .filter((pod) => textAt(pod.status, "reason") === "Evicted" && isRecent(pod, world))
      .filter((pod) => byLimit.test(textAt(pod.status, "message")) === isByLimit)
      .map((object) => ({
        object,
        proof: {
          where: `Pod ${object.metadata.namespace ?? ""}/${object.metadata.name}, status`,
          text: textAt(object.status, "message") || "Evicted",
        },
        vars: {
          resource: /low on resource: ([\w-]+)/.exec(textAt(object.status, "message"))?.[1] ?? "something",
        },
      }));

/** Before a controller says so in the condition Paused, which has a rule, or when none does. */
const paused = ({ cluster }: World): Match[] =>
  cluster !== undefined && at(cluster.spec, "paused") === true && !isTrue(cluster, "Paused")
    ? [
        {
          object: cluster,
          proof: { where: `Cluster ${cluster.metadata.name}, spec.paused`, text: "true" },
        },
      ]
    : [];

const noProgram =
  /(?:CreateProcess|exec)(?:(?!CreateProcess|exec)[^])*(?:cannot find the (?:file|path) specified|executable file not found|no such file or directory)|failed to (?:get application name from commandline|find executable)/i;

export const containers: Detectors = {
  "cluster-paused": paused,
  "run-as-user": waitsWith(
    /CreateProcess[^]*user name (?:or password is incorrect|could not be found)|no (?:users found|matching entries in passwd)|unable to find user/i,
  ),
  "program-of-host": (world) =>
    waitsWith(noProgram)(world).filter(({ object }) => hasHostProcess(object?.spec)),
  "program-missing": waitsWith(noProgram),
  "container-reserved": waitsWith(/failed to reserve (?:container|sandbox) name/),
  "evicted-by-limit": withAnswer(evicted(true)),
  evicted: evicted(false),
  "pod-other-os": withAnswer(refused((reason) => otherOs.test(reason))),
  "pod-refused": withAnswer(refused((reason) => !calm.test(reason))),
};
