import { textAt } from "capz-windows-kit/untyped";
import type { Container, KubeObject } from "../cluster/objects";
import { containersOf, minutesBetween, stays, title } from "../cluster/objects";
import type { Side, World } from "../cluster/snapshot";
import { anyOf, eventProof, groupsOf, isFresh, podWarns } from "./finders";
import type { Match } from "./rule";
import { present } from "capz-windows-kit/present";

/** Finders of Pods, and of the controllers that create them. */

export interface PodIs {
  readonly side: Side;
  readonly where?: (pod: KubeObject, world: World) => boolean;
  readonly container: (container: Container, pod: KubeObject) => string | undefined;
  /** Least age of the Pod in minutes, because image pulls and restarts are normal in a bring-up. Default: 0. */
  readonly minutes?: number;
  readonly text?: RegExp;
}

/** An exit code as kubelet reports it. Those of Windows are error codes, which people know and find in hexadecimal form. */
export const exitText = (code: number): string =>
  code >= 0 && code < 0x1000
    ? `exit code ${code}`
    : `exit code ${code} (0x${(code >>> 0).toString(16).toUpperCase().padStart(8, "0")})`;

/** The place of a container, with its last exit code unless the text has it. */
function placeOf(pod: KubeObject, { name, exitCode }: Container, says: string): string {
  const place = `${title(pod)}, container ${name}`;
  return exitCode === undefined || says.includes("exit code")
    ? place
    : `${place}, last ${exitText(exitCode)}`;
}

const makerOf = ({ metadata }: KubeObject): string => {
  const [maker] = metadata.ownerReferences ?? [];
  return maker === undefined ? "" : `${metadata.namespace ?? ""}/${maker.kind}/${maker.name}`;
};

/** Whether the same Job, ReplicaSet or other controller has created a later Pod that runs or has completed. */
const hasSuccessor = (maker: string, since: string, world: World): boolean =>
  maker !== "" && (latestByMaker(/^(?:Running|Succeeded)$/, world).get(maker) ?? "") > since;

/** When the last Pod in one of these phases was created, by what made it. */
const latestByMaker = (phases: RegExp, world: World): ReadonlyMap<string, string> =>
  world.index(`latest Pods ${phases.source} by their maker`, () => {
    const latest = new Map<string, string>();
    for (const pod of world.all("Pod", "workload")) {
      const [maker, created] = [makerOf(pod), pod.metadata.creationTimestamp ?? ""];
      if (phases.test(textAt(pod.status, "phase")) && created > (latest.get(maker) ?? "")) {
        latest.set(maker, created);
      }
    }
    return latest;
  });

/** Whether a Pod has ended and another one has replaced it, such as after the first attempt of a Job. */
export const isOver = (pod: KubeObject, world: World): boolean => {
  const phase = textAt(pod.status, "phase");
  return (
    phase === "Succeeded" ||
    (phase === "Failed" && hasSuccessor(makerOf(pod), pod.metadata.creationTimestamp ?? "", world))
  );
};

/** Pods with a container for which the function `container` returns a text; the text is the proof. */
export const podWith =
  ({ side, where, container, minutes = 0, text }: PodIs) =>
  (world: World): Match[] =>
    world
      .all("Pod", side)
      .filter((pod) => stays(pod) && !world.once(pod, "over", () => isOver(pod, world)))
      .filter(
        (pod) =>
          world.once(pod, "age", ({ metadata }) =>
            minutesBetween(metadata.creationTimestamp ?? "", world.now),
          ) >= minutes,
      )
      .filter((pod) => where?.(pod, world) ?? true)
      .flatMap((pod) => {
        const found = world
          .once(pod, "containers", containersOf)
          .map((each) => ({ each, says: container(each, pod) }))
          .find((one) => one.says !== undefined && (text?.test(one.says) ?? true));
        return present(
          found?.says !== undefined && {
            object: pod,
            proof: {
              where: placeOf(pod, found.each, found.says),
              text: found.says,
              from: "container",
            },
            vars: {
              image: found.each.image,
              container: found.each.name,
              says: found.says,
              ...(text === undefined ? {} : groupsOf(text, found.says)),
            },
          },
        );
      });

type Where = Omit<PodIs, "container">;

/** Reasons of containers whose image cannot be pulled. */
export const noImage = /^(ErrImagePull|ImagePullBackOff|InvalidImageName)$/;

/** Pods with a container that waits for one of these reasons. */
export const waitsFor = (reasons: RegExp, where: Where) =>
  podWith({
    ...where,
    container: ({ waiting, message }) => (reasons.test(waiting) ? `${waiting}: ${message}` : undefined),
  });

/** Minutes after its last end for which a container that runs again counts as one that crashes. */
const crashMinutes = 30;

/** Restarts from which a container without CrashLoopBackOff counts: a new machine or a new version may need two. */
const crashRestarts = 3;

/** Minutes after which an end is no crash at the start: a node was started again, or a program lost its lease. */
const longRun = 6 * 60;

interface Crashes extends Where {
  /** Default: 0. */
  readonly restarts?: number;
  /** Why a container must have ended to count also while it is ready. Default: then it does not count. */
  readonly evenReady?: RegExp;
}

/**
 * Pods with a container that ends again and again, with its termination message if it has one. kubelet says CrashLoopBackOff
 * only while it waits.
 */
export const crashLoops =
  ({ restarts = 0, evenReady, ...where }: Crashes) =>
  (world: World): Match[] =>
    podWith({
      ...where,
      container: ({ waiting, ready, message, ended, endMessage, ranFrom, endedAt, restarts: times }) => {
        if (waiting === "CrashLoopBackOff" && times >= restarts) {
          return `${waiting}: ${endMessage || message}`;
        }
        const isCounted = waiting === "" && (!ready || evenReady?.test(ended) === true) && endedAt !== "";
        return isCounted &&
          // Memory that grows for a day ends a program as well; a node that restarts leaves another reason.
          (ended === "OOMKilled" || minutesBetween(ranFrom, endedAt) < longRun) &&
          times >= Math.max(restarts, crashRestarts) &&
          minutesBetween(endedAt, world.now) <= crashMinutes
          ? `${times} restarts: ${endMessage || `the last end at ${endedAt}`}`
          : undefined;
      },
    })(world);

/** Pods with a container that was killed at its memory limit and does not run again yet. */
export const outOfMemory = (where: Where) =>
  podWith({
    ...where,
    container: ({ ended, ready, restarts }) =>
      ended === "OOMKilled" && !ready ? `OOMKilled, ${restarts} restarts` : undefined,
  });

/** Keeps one match for each Pod, because its state and its event report the same. */
export const once = (matches: readonly Match[]): Match[] => {
  const seen = new Set<string>();
  return matches.filter(({ object }) => {
    const key = `${object?.metadata.namespace ?? ""}/${object?.metadata.name ?? ""}`;
    return !seen.has(key) && seen.add(key);
  });
};

/** Pods with a text in the state of a waiting container, or in an event while the Pod is not Ready. */
export const tells = (text: RegExp): ((world: World) => Match[]) => {
  const find = anyOf(
    podWith({
      side: "workload",
      text,
      container: ({ waiting, message, endMessage }) =>
        waiting === "" ? undefined : `${waiting}: ${message} ${endMessage}`.trim(),
    }),
    podWarns(text),
  );
  return (world) => once(find(world));
};

/** Recent events about objects of kinds that are not read themselves. */
const eventsOfKinds =
  (kinds: readonly string[], text: RegExp, times = 1) =>
  (world: World): Match[] =>
    world
      .eventsAbout(kinds, "workload")
      .filter((event) => event.count >= times && isFresh(event, world.now))
      .filter((event) => text.test(`${event.reason}: ${event.message}`))
      .map((event) => {
        const object = {
          ...{ apiVersion: "", kind: event.kind },
          metadata: { name: event.name, namespace: event.namespace },
        };
        return {
          object,
          proof: eventProof(object, event),
          vars: groupsOf(text, `${event.reason}: ${event.message}`),
          isNamedOnly: true,
        };
      });

/**
 * Controllers whose Pods the API server refuses, and which have not been able to create one since, whether it runs or not.
 * Times have no fractions of a second, and what is refused for long is refused again later.
 */
export const creationFails = (text: RegExp) => {
  const fails = eventsOfKinds(
    ["DaemonSet", "ReplicaSet", "StatefulSet", "Job", "ReplicationController"],
    text,
  );
  return (world: World): Match[] =>
    fails(world).filter(({ object, proof }) => {
      const { namespace = "", name = "" } = object?.metadata ?? {};
      const created = latestByMaker(/(?:)/, world).get(`${namespace}/${object?.kind ?? ""}/${name}`) ?? "";
      return created === "" || created < (proof.since ?? "");
    });
};
