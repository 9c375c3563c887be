import { at, list, textAt } from "capz-windows-kit/untyped";
import { conditionsOf, minutesBetween, stays, type KubeObject } from "../cluster/objects";
import type { Side, World } from "../cluster/snapshot";
import { withAnswer } from "./answers";
import { conditionProof, eventProof, isBad, isFresh, isReady } from "./finders";
import { azureKinds } from "./kinds";
import type { Detectors, Match } from "./rule";
import { present } from "capz-windows-kit/present";

/** Bad conditions and warnings that no rule explains, reported with their own text after all other findings. */

const managed = [
  ...[
    "Cluster",
    "KubeadmControlPlane",
    "KubeadmConfig",
    "MachinePool",
    "MachineDeployment",
    "MachineSet",
    "Machine",
  ],
  ...["MachineHealthCheck", "ClusterResourceSet", ...azureKinds, "AzureClusterIdentity"],
];

/** Conditions that summarize others. Those in `passing` also report operations in progress, and are never a finding. */
const summaries = new Set(["Ready", "Available"]);
const passing = new Set([
  "UpToDate",
  ...[
    "Paused",
    "Deleting",
    "RollingOut",
    "ScalingUp",
    "ScalingDown",
    "Remediating",
    "Updating",
    "RemediationAllowed",
  ],
  ...["MachinesReady", "MachinesUpToDate", "ControlPlaneMachinesReady", "ControlPlaneMachinesUpToDate"],
  ...["WorkerMachinesReady", "WorkerMachinesUpToDate", "WorkersAvailable", "ControlPlaneAvailable"],
]);

/** Minutes; no step of a deployment takes longer. */
const lateMinutes = 30;

/** Reasons of CAPZ while Azure works on one resource (v1.27.0, api/v1beta1/conditions_consts.go): they are to pass. */
const underWay = /^(?:Creating|Updating|Deleting)$/;

/** Conditions of nodes that other rules report. All others come from Calico, Azure or a problem detector. */
const known = new Set(["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"]);

/** Whether a Machine only repeats such conditions of its node, a line for each: "* Node.DiskPressure: kubelet has ..." */
const repeatsNode = ({ kind, status }: KubeObject, message: string, world: World): boolean =>
  kind === "Machine" &&
  world.find("Node", textAt(status, "nodeRef", "name")) !== undefined &&
  message.split("\n").every((line) => {
    const [, condition = ""] = /^\* Node\.(\w+): /.exec(line) ?? [];
    return condition === "AllConditions" || known.has(condition);
  });

/** One condition of an object that has been bad for that long: a specific one before one that summarizes others. */
const badCondition = (object: KubeObject, world: World): Match[] => {
  const bad = conditionsOf(object).filter(
    (condition) =>
      isBad(condition) &&
      (condition.severity !== "Info" || underWay.test(condition.reason)) &&
      !passing.has(condition.type) &&
      !repeatsNode(object, condition.message, world) &&
      // No controller has reported a state yet; other rules report what takes too long.
      !condition.message.includes("not yet reported") &&
      minutesBetween(condition.since, world.now) >= lateMinutes,
  );
  const found =
    bad.find(({ type }) => !summaries.has(type)) ??
    // In Cluster API's own objects these repeat conditions of other objects, which are reported themselves.
    bad.find(({ message }) => message !== "" && (azureKinds as readonly string[]).includes(object.kind));
  return present(
    found !== undefined && {
      object,
      proof: conditionProof(object, found),
      vars: {
        type: found.type,
        status: found.status,
        reason: found.reason || "without a reason",
        minutes: String(Math.round(minutesBetween(found.since, world.now))),
      },
    },
  );
};

const badNodeConditions = (world: World): Match[] =>
  world.all("Node").flatMap((object) =>
    conditionsOf(object)
      .filter(
        ({ type, status, since }) =>
          !known.has(type) && status === "True" && minutesBetween(since, world.now) >= 5,
      )
      .slice(0, 1)
      .map((found) => ({
        object,
        proof: conditionProof(object, found),
        vars: { type: found.type, reason: found.reason || "without a reason" },
      })),
  );

/** Warnings that belong to normal work, however often they come. */
const calmEvents =
  /^(?:FailedScheduling|BackOff|Unhealthy|ProbeWarning|DNSConfigForming|InvalidDiskCapacity|MissSchedule|FailedToUpdateEndpoint\w*|FailedToCreateEndpoint|PolicyViolation|NodeNotReady|NodeNotSchedulable|TaintManagerEviction|CheckLimitsForResolvConf|VMIdentityNone|CgroupV1|PossibleMemoryBackedVolumesOnDisk|UnmanagedPods)$/;

/** What also fails for an object that works: an earlier volume that nobody uses, and a volume that is to grow. */
const evenWorking = /^(?:FailedUnMount|\w*Resize\w*Failed)$/;

/** Whether the state of an object shows that it works, so that earlier warnings no longer matter. */
function works(object: KubeObject | undefined): boolean {
  if (object === undefined) {
    return false;
  }
  switch (object.kind) {
    case "Pod":
      return (
        conditionsOf(object).some(({ type, status }) => type === "Ready" && status === "True") ||
        /^(?:Succeeded|Failed)$/.test(textAt(object.status, "phase"))
      );
    case "Node":
      // Ready says that kubelet answers, and not that it can delete images or that no program lacks memory.
      return false;
    case "PersistentVolumeClaim":
      return textAt(object.status, "phase") === "Bound";
    case "Service":
      return list(at(object.status, "loadBalancer", "ingress")).length > 0;
    default:
      return isReady(object);
  }
}

/** Recent warnings that occurred at least ten times, about objects that do not work or were not read. */
const repeated =
  (side: Side) =>
  (world: World): Match[] => {
    const seen = new Set<string>();
    return world
      .eventsOn(side)
      .filter((event) => event.type === "Warning" && event.count >= 10 && isFresh(event, world.now))
      .filter(({ reason }) => !calmEvents.test(reason))
      .flatMap((event) => {
        const object = world
          .all(event.kind, side)
          .find(
            ({ metadata }) =>
              metadata.name === event.name &&
              (metadata.namespace === undefined || metadata.namespace === event.namespace),
          );
        const key = `${event.kind}/${event.namespace}/${event.name}`;
        const isPast = works(object) && !evenWorking.test(event.reason);
        if (isPast || seen.has(key) || (object !== undefined && !stays(object))) {
          return [];
        }
        seen.add(key);
        const about = object ?? {
          ...{ apiVersion: "", kind: event.kind },
          metadata: { name: event.name, namespace: event.namespace },
        };
        return [
          {
            object: about,
            proof: eventProof(about, event),
            vars: { reason: event.reason, times: String(event.count), why: event.message },
          },
        ];
      });
  };

export const unexplainedObjects: Detectors = {
  "condition-unexplained": withAnswer((world) =>
    managed
      .flatMap((kind) => world.all(kind))
      .filter(stays)
      .flatMap((object) => badCondition(object, world)),
  ),
  "node-condition": withAnswer(badNodeConditions),
  "event-unexplained": repeated("management"),
  "warning-unexplained": repeated("workload"),
};
