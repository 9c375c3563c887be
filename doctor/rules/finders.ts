import { at, textAt } from "../../domain/untyped";
import type { ClusterEvent, Condition, KubeObject } from "../model/objects";
import {
  conditionNamed,
  conditionsOf,
  formerConditionsOf,
  isTrue,
  minutesBetween,
  title,
} from "../model/objects";
import type { ReadProblem, Side, World } from "../model/snapshot";
import type { Match } from "./rule";

/** Finders of which rules are put together. Each returns what it found, with the very text as its proof. */

/** Events older than this say nothing about now; API servers keep them for an hour. */
const freshMinutes = 30;

/** How long an event counts after the last one: Cluster API's slowest retry, controller-runtime's backoff, is 16 min 40 s. */
export const isFresh = ({ last }: ClusterEvent, now: string): boolean =>
  minutesBetween(last, now) <= freshMinutes;

export const conditionProof = (object: KubeObject, condition: Condition): Match["proof"] => ({
  where: `${title(object)}, condition ${condition.type}=${condition.status}${condition.reason === "" ? "" : ` (${condition.reason})`}`,
  text: condition.message === "" ? condition.reason : condition.message,
  since: condition.since,
});

export const eventProof = (object: KubeObject, event: ClusterEvent): Match["proof"] => ({
  where: `${title(object)}, event ${event.reason}${event.count > 1 ? ` (${event.count} times)` : ""}`,
  text: event.message,
  since: event.last,
});

/** The named groups of a pattern: values that the texts of a rule name in braces. */
export const groupsOf = (pattern: RegExp, text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(pattern.exec(text)?.groups ?? {}).flatMap(([key, value]) =>
      // Not every alternative of a pattern has every group.
      (value as string | undefined) === undefined ? [] : [[key, value]],
    ),
  );

/** Whether CAPZ or Cluster API calls an object ready now; then its old events are history. */
export function isReady(object: KubeObject): boolean {
  const ready = conditionsOf(object).find(({ type }) => type === "Ready" || type === "Available");
  return ready === undefined ? at(object.status, "ready") === true : ready.status === "True";
}

/** The API server has answered; Cluster API 1.14 says it in both places. */
export const isInitialized = ({ cluster }: World): boolean =>
  at(cluster?.status, "initialization", "controlPlaneInitialized") === true ||
  (cluster !== undefined && isTrue(cluster, "ControlPlaneInitialized"));

/** For Pods, whose old warnings say nothing once they run. */
export const isNotReady = (pod: KubeObject): boolean => conditionNamed(pod, "Ready")?.status !== "True";

/** Conditions whose status True is the bad one. */
const badWhenTrue = new Set([
  ...["Degraded", "Paused", "Deleting", "RollingOut", "Remediating", "ScalingUp", "ScalingDown"],
  ...["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable", "Progressing", "Updating"],
]);

const isBad = ({ type, status }: Condition): boolean =>
  badWhenTrue.has(type) ? status === "True" : status === "False" || status === "Unknown";

/** Everything that an object says is wrong: bad conditions, a failure message, and warnings of the last half hour. */
export function complaintsOf(world: World, object: KubeObject, side: Side): Match["proof"][] {
  const conditions = [...conditionsOf(object), ...formerConditionsOf(object)]
    .filter(isBad)
    .map((condition) => conditionProof(object, condition));
  const failure =
    textAt(object.status, "failureMessage") ||
    textAt(object.status, "deprecated", "v1beta1", "failureMessage");
  const failed =
    failure === "" ? [] : [{ where: `${title(object)}, failureMessage`, text: failure, since: undefined }];
  const events = isReady(object)
    ? []
    : world
        .eventsOf(object, side)
        .filter((event) => event.type === "Warning" && isFresh(event, world.now))
        .map((event) => eventProof(object, event));
  return [...conditions, ...failed, ...events];
}

interface Says {
  readonly kinds: readonly string[];
  readonly text: RegExp;
  readonly side?: Side;
}

/** Objects that say something: in a bad condition, a failure message or a fresh warning. */
export const says =
  ({ kinds, text, side = "management" }: Says) =>
  (world: World): Match[] =>
    kinds
      .flatMap((kind) => world.all(kind, side))
      .flatMap((object) => {
        const proof = complaintsOf(world, object, side).find((complaint) =>
          text.test(`${complaint.where}: ${complaint.text}`),
        );
        return proof === undefined
          ? []
          : [{ object, proof, vars: groupsOf(text, `${proof.where}: ${proof.text}`) }];
      });

interface HasCondition {
  readonly kinds: readonly string[];
  readonly type: string | RegExp;
  readonly status?: readonly string[];
  readonly reason?: RegExp;
  readonly message?: RegExp;
  /** It must be so for that long; a bring-up passes through many states that are wrong when they stay. */
  readonly minutes?: number;
  readonly side?: Side;
  readonly where?: (object: KubeObject, world: World) => boolean;
}

export const hasCondition =
  ({ kinds, type, status = ["False"], reason, message, minutes = 0, side, where }: HasCondition) =>
  (world: World): Match[] =>
    kinds
      .flatMap((kind) => world.all(kind, ...(side === undefined ? [] : [side])).map((object) => object))
      .filter((object) => where?.(object, world) ?? true)
      .flatMap((object) => {
        const found = [...conditionsOf(object), ...formerConditionsOf(object)].find(
          (condition) =>
            (typeof type === "string" ? condition.type === type : type.test(condition.type)) &&
            status.includes(condition.status) &&
            (reason?.test(condition.reason) ?? true) &&
            (message?.test(condition.message) ?? true) &&
            minutesBetween(condition.since, world.now) >= minutes,
        );
        return found === undefined
          ? []
          : [
              {
                object,
                proof: conditionProof(object, found),
                vars: message === undefined ? {} : groupsOf(message, found.message),
              },
            ];
      });

/** Fresh warnings about objects of a kind that still exist. */
interface Warned extends Says {
  readonly where?: (object: KubeObject, world: World) => boolean;
  /** What happens once while a Pod starts or ends says nothing. Default: 1. */
  readonly times?: number;
}

export const warned =
  ({ kinds, text, side, where, times = 1 }: Warned) =>
  (world: World): Match[] =>
    kinds
      .flatMap((kind) => world.all(kind, ...(side === undefined ? [] : [side])))
      .filter((object) => where?.(object, world) ?? true)
      .flatMap((object) => {
        const on = side ?? "management";
        const event = world
          .eventsOf(object, on)
          .find(
            (each) =>
              each.count >= times && isFresh(each, world.now) && text.test(`${each.reason}: ${each.message}`),
          );
        return event === undefined
          ? []
          : [
              {
                object,
                proof: eventProof(object, event),
                vars: groupsOf(text, `${event.reason}: ${event.message}`),
              },
            ];
      });

/** What a cluster did not answer. */
export const unread =
  (side: Side, what: readonly ReadProblem["what"][], text?: RegExp) =>
  (world: World): Match[] =>
    world.snapshot[side].problems
      .filter((problem) => what.includes(problem.what) && (text?.test(problem.message) ?? true))
      .slice(0, 1)
      .map((problem) => ({
        proof: { where: `${side} cluster, reading ${problem.asked}`, text: problem.message },
        vars: { asked: problem.asked, ...(text === undefined ? {} : groupsOf(text, problem.message)) },
      }));

/** Several finders as one. */
export const anyOf =
  (...finders: readonly ((world: World) => readonly Match[])[]) =>
  (world: World): Match[] =>
    finders.flatMap((find) => [...find(world)]);

export const olderThan = (object: KubeObject, minutes: number, world: World): boolean =>
  minutesBetween(object.metadata.creationTimestamp ?? "", world.now) >= minutes;
