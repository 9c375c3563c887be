import { at, textAt } from "capz-windows-kit/untyped";
import type { ClusterEvent, Condition, KubeObject } from "../cluster/objects";
import {
  conditionNamed,
  conditionsOf,
  formerConditionsOf,
  hasAnswered,
  minutesBetween,
  ownerOf,
  stays,
  title,
} from "../cluster/objects";
import type { ReadProblem, Side, World } from "../cluster/snapshot";
import type { Match } from "./rule";
import { present } from "capz-windows-kit/present";

/** The finders from which rules are composed. Each match has the exact text as its proof. */

/** Minutes after which an event is ignored. */
const freshMinutes = 30;

/** API servers keep events for an hour. */
export const keptMinutes = 60;

/** Calls that fail at once, and that every controller makes again. */
const isCall = /failed calling webhook|conversion webhook for \S+(?:, Kind=\w+)? failed/;

/**
 * Whether what is tried again after each failure may still fail. Controllers double the time between attempts
 * (client-go v0.36, ItemExponentialFailureRateLimiter), so the next one comes within about as long as it has failed
 * already: twice that, and two minutes for slow requests, without another event mean that it has succeeded.
 */
const mayFail = ({ first, last }: ClusterEvent, now: string): boolean =>
  first === "" || minutesBetween(last, now) <= 2 + 2 * minutesBetween(first, last);

/**
 * Whether an event is recent. The slowest retry of Cluster API, by controller-runtime's backoff, is after 16 min 40 s.
 */
export const isFresh = (event: ClusterEvent, now: string): boolean =>
  minutesBetween(event.last, now) <= freshMinutes && (!isCall.test(event.message) || mayFail(event, now));

export const conditionProof = (object: KubeObject, condition: Condition): Match["proof"] => ({
  where: `${title(object)}, condition ${condition.type}=${condition.status}${condition.reason === "" ? "" : ` (${condition.reason})`}`,
  text: condition.message === "" ? condition.reason : condition.message,
  since: condition.since,
});

export const eventProof = (object: KubeObject, event: ClusterEvent): Match["proof"] => ({
  where: `${title(object)}, event ${event.reason}${event.count > 1 ? ` (${event.count} times)` : ""}`,
  text: event.message,
  from: "event",
  since: event.last,
});

/** The named groups of a pattern, which are the values for the names in braces in the texts of a rule. */
export const groupsOf = (pattern: RegExp, text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(pattern.exec(text)?.groups ?? {}).flatMap(([key, value]) =>
      // Groups of other alternatives of the pattern are `undefined`.
      (value as string | undefined) === undefined ? [] : [[key, value]],
    ),
  );

/** Whether an object is Ready or Available now, so that its earlier events no longer matter. */
export function isReady(object: KubeObject): boolean {
  const ready = conditionsOf(object).find(({ type }) => type === "Ready" || type === "Available");
  return ready === undefined ? at(object.status, "ready") === true : ready.status === "True";
}

/** Whether the API server of the cluster has answered once. */
export const isInitialized = ({ cluster }: World): boolean => cluster !== undefined && hasAnswered(cluster);

/** Whether any condition of an object changed within so many minutes, so that there is progress. */
export const changedLately = (object: KubeObject, minutes: number, world: World): boolean =>
  allConditionsOf(object).some(({ since }) => since !== "" && minutesBetween(since, world.now) < minutes);

/** Whether a claim has no volume yet. */
export const isPending = ({ status }: KubeObject): boolean => textAt(status, "phase") === "Pending";

/** Whether a Pod is not Ready. Earlier warnings about a Pod that is do not matter. */
export const isNotReady = (pod: KubeObject): boolean => conditionNamed(pod, "Ready")?.status !== "True";

/** Types of conditions for which True is the bad status. */
const badWhenTrue = new Set([
  ...["Degraded", "Paused", "Deleting", "RollingOut", "Remediating", "ScalingUp", "ScalingDown"],
  ...["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable", "Progressing", "Updating"],
]);

export const isBad = ({ type, status }: Condition): boolean =>
  badWhenTrue.has(type) ? status === "True" : status === "False" || status === "Unknown";

/**
 * Whether Azure keeps the virtual machine of an AzureMachine in the state Failed, and it is no node. CAPZ v1.27 asks
 * Azure only once for a machine (virtualmachines/spec.go: "vm already exists"), writes the refusal into one event, and
 * is content with the failed one: all conditions are True.
 */
export const isFailedVm = (object: KubeObject, world: World): boolean => {
  const machine = world.find("Machine", ownerOf(object, "Machine") ?? object.metadata.name);
  return (
    object.kind === "AzureMachine" &&
    stays(object) &&
    textAt(object.status, "vmState") === "Failed" &&
    textAt(machine?.status, "nodeRef", "name") === ""
  );
};

/** The warnings about an object that still count. */
function warningsOf(world: World, object: KubeObject, side: Side): ClusterEvent[] {
  const warnings = world.eventsOf(object, side).filter(({ type }) => type === "Warning");
  if (isFailedVm(object, world)) {
    return warnings
      .filter(({ last }) => minutesBetween(last, world.now) <= keptMinutes)
      .sort((a, b) => b.last.localeCompare(a.last))
      .slice(0, 1);
  }
  return isReady(object) ? [] : warnings.filter((event) => isFresh(event, world.now));
}

/** All complaints about an object: bad conditions, its failure message, and warnings of the last half hour. */
export const complaintsOf = (world: World, object: KubeObject, side: Side): readonly Match["proof"][] =>
  world.once(object, `complaints ${side}`, () => allComplaints(world, object, side));

const allConditionsOf = (object: KubeObject): Condition[] => [
  ...conditionsOf(object),
  ...formerConditionsOf(object),
];

function allComplaints(world: World, object: KubeObject, side: Side): Match["proof"][] {
  const conditions = allConditionsOf(object)
    .filter(isBad)
    .map((condition) => conditionProof(object, condition));
  const failure =
    textAt(object.status, "failureMessage") ||
    textAt(object.status, "deprecated", "v1beta1", "failureMessage");
  const failed =
    failure === "" ? [] : [{ where: `${title(object)}, failureMessage`, text: failure, since: undefined }];
  const events = warningsOf(world, object, side).map((event) => eventProof(object, event));
  return [...conditions, ...failed, ...events];
}

interface Says {
  readonly kinds: readonly string[];
  readonly text: RegExp;
  readonly side?: Side;
  readonly where?: (object: KubeObject, world: World) => boolean;
  /** Texts that are about something else. */
  readonly except?: RegExp;
}

/** Objects with a complaint that matches a text. */
export const says =
  ({ kinds, text, side = "management", where, except }: Says) =>
  (world: World): Match[] =>
    kinds
      .flatMap((kind) => world.all(kind, side))
      .filter((object) => where?.(object, world) ?? true)
      .flatMap((object) => {
        const proof = complaintsOf(world, object, side).find((complaint) => {
          const said = `${complaint.where}: ${complaint.text}`;
          return text.test(said) && !(except?.test(said) ?? false);
        });
        return proof === undefined
          ? []
          : [{ object, proof, vars: groupsOf(text, `${proof.where}: ${proof.text}`) }];
      });

interface HasCondition {
  readonly kinds: readonly string[];
  readonly type: string | RegExp;
  readonly status?: readonly string[] | undefined;
  readonly reason?: RegExp | undefined;
  readonly message?: RegExp | undefined;
  /** Minutes for which the condition must have lasted, because many are only temporary in a bring-up. Default: 0. */
  readonly minutes?: number | undefined;
  readonly side?: Side;
  readonly where?: (object: KubeObject, world: World) => boolean;
}

export const hasCondition =
  ({ kinds, type, status = ["False"], reason, message, minutes = 0, side, where }: HasCondition) =>
  (world: World): Match[] =>
    kinds
      .flatMap((kind) => world.all(kind, ...(side === undefined ? [] : [side])))
      .filter((object) => where?.(object, world) ?? true)
      .flatMap((object) => {
        const found = world
          .once(object, "conditions", allConditionsOf)
          .find(
            (condition) =>
              (typeof type === "string" ? condition.type === type : type.test(condition.type)) &&
              status.includes(condition.status) &&
              (reason?.test(condition.reason) ?? true) &&
              (message?.test(condition.message) ?? true) &&
              minutesBetween(condition.since, world.now) >= minutes,
          );
        return present(
          found !== undefined && {
            object,
            proof: conditionProof(object, found),
            vars: {
              ...{ condition: found.type, says: found.message || found.reason },
              ...(message === undefined ? {} : groupsOf(message, found.message)),
            },
          },
        );
      });

/** Recent warnings about objects that still exist. */
interface Warned extends Omit<Says, "except"> {
  /** How often the event must have occurred, because one may be normal while a Pod starts or ends. Default: 1. */
  readonly times?: number;
  /** Whether its component reports it only once, so that it counts for as long as API servers keep it. */
  readonly once?: true;
}

export const warned =
  ({ kinds, text, side, where, times = 1, once }: Warned) =>
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
              each.count >= times &&
              (once === true || isFresh(each, world.now)) &&
              text.test(`${each.reason}: ${each.message}`),
          );
        return present(
          event !== undefined && {
            object,
            proof: eventProof(object, event),
            vars: { says: event.message, ...groupsOf(text, `${event.reason}: ${event.message}`) },
          },
        );
      });

/** Warnings about Pods that are not Ready. */
export const podWarns = (text: RegExp, times = 1) =>
  warned({ kinds: ["Pod"], side: "workload", where: isNotReady, text, times });

/** Whether all objects of a kind could be read, so that one that is not there does not exist. */
export const wasRead = (kind: string, side: Side, world: World): boolean =>
  world.snapshot[side].problems.every(({ asked }) => asked !== kind && asked !== "cluster");

/** Problems of reading a cluster. */
export const unread =
  (side: Side, what: readonly ReadProblem["what"][], text?: RegExp) =>
  (world: World): Match[] =>
    world.snapshot[side].problems
      .filter((problem) => what.includes(problem.what) && problem.optional !== true)
      .filter((problem) => text?.test(problem.message) ?? true)
      .slice(0, 1)
      .map((problem) => ({
        proof: { where: `${side} cluster, reading ${problem.asked}`, text: problem.message },
        vars: { asked: problem.asked, ...(text === undefined ? {} : groupsOf(text, problem.message)) },
      }));

/** Combines the matches of several finders. */
export const anyOf =
  (...finders: readonly ((world: World) => readonly Match[])[]) =>
  (world: World): Match[] =>
    finders.flatMap((find) => [...find(world)]);

export const olderThan = (object: KubeObject, minutes: number, world: World): boolean =>
  minutesBetween(object.metadata.creationTimestamp ?? "", world.now) >= minutes;
