import { numberAt, textAt } from "capz-windows-kit/untyped";
import { conditionNamed, minutesBetween, stays, title, type KubeObject } from "../cluster/objects";
import {
  changedLately,
  conditionProof,
  olderThan,
  anyOf,
  hasCondition,
  isFailedVm,
  warned,
  eventProof,
  isFresh,
  isReady,
} from "./finders";
import { instancesOf, nodesOfPool, poolsOf, scopeOf } from "../cluster/scope";
import type { Detectors, Match } from "./rule";
import type { World } from "../cluster/snapshot";
import { conditionAnswer, withAnswer } from "./answers";
import { hasUnlinkedNode } from "./machineNodes";
import { present } from "capz-windows-kit/present";

/** Machines that take too long. Each finding is a consequence if another rule explains it. */

/** Instances that have run in Azure for longer than a node needs to join, and are not nodes. */
const notJoined = (world: World): Match[] => {
  const instances = poolsOf(world)
    .filter(({ kind }) => kind === "MachinePool")
    .flatMap(({ metadata }) => instancesOf(world, metadata.name))
    .filter(({ status }) => /^(Succeeded|)$/.test(textAt(status, "provisioningState")))
    .filter(({ status }) => textAt(status, "nodeRef", "name") === "");
  const single = world
    .all("Machine")
    .filter(({ metadata }) => metadata.labels?.["cluster.x-k8s.io/deployment-name"] !== undefined)
    .filter(({ status }) => textAt(status, "phase") === "Provisioned");
  return [...instances, ...single]
    .filter((object) => stays(object) && olderThan(object, 25, world))
    .filter((object) => !hasUnlinkedNode(object, world))
    .map((object) => ({
      object,
      proof: {
        where: `${title(object)}, status.nodeRef`,
        text: `no node ${Math.round(minutesBetween(object.metadata.creationTimestamp ?? "", world.now))} minutes after the machine was created`,
      },
    }));
};

/** Whether the pool is to stay: a deletion of the Cluster or of the MachinePool also reaches the scale set. */
const isWanted = (pool: KubeObject, world: World): boolean =>
  stays(pool) &&
  (world.cluster === undefined || stays(world.cluster)) &&
  [world.find("MachinePool", pool.metadata.name)].every((owner) => owner === undefined || stays(owner));

const proofOf = (pool: KubeObject, world: World): Match["proof"] | undefined => {
  const running = conditionNamed(pool, "ScaleSetRunning");
  if (running?.status === "False" && running.reason === "ScaleSetDeleting") {
    return conditionProof(pool, running);
  }
  const state = textAt(pool.status, "provisioningState");
  if (/^Delet(?:ing|ed)$/.test(state)) {
    return { where: `AzureMachinePool ${pool.metadata.name}, status.provisioningState`, text: state };
  }
  const event = isReady(pool)
    ? undefined
    : world.eventsOf(pool).find((one) => one.reason === "UnexpectedVMDeletion" && isFresh(one, world.now));
  return event === undefined ? undefined : eventProof(pool, event);
};

const deletedInAzure = (world: World): Match[] =>
  world
    .all("AzureMachinePool")
    .filter((pool) => isWanted(pool, world))
    .flatMap((object) => {
      const proof = proofOf(object, world);
      const scaleSet = textAt(object.spec, "providerID").split("/").pop() ?? "";
      return proof === undefined
        ? []
        : [{ object, proof, vars: { scaleSet: scaleSet || object.metadata.name } }];
    });

/** The age of an object in minutes, for texts. */
const ageOf = ({ metadata }: KubeObject, world: World): string =>
  String(Math.round(minutesBetween(metadata.creationTimestamp ?? "", world.now)));

/** What has changed within these minutes is not late. */
const progressMinutes = 20;

/** A Windows machine may need so many minutes to become a node; later the rules about instances speak. */
const joinMinutes = 30;

/** Instances that Azure has been creating or updating for longer than any of them needs. */
const instancesLate = (world: World): Match[] =>
  world
    .all("AzureMachinePoolMachine")
    .filter((object) => stays(object) && olderThan(object, 30, world))
    .filter((object) => !changedLately(object, progressMinutes, world))
    .flatMap((object) => {
      const state = textAt(object.status, "provisioningState");
      return present(
        /^(Creating|Updating)$/.test(state) && {
          object,
          proof: { where: `${title(object)}, status.provisioningState`, text: state },
          vars: { minutes: ageOf(object, world) },
        },
      );
    });

/** The machines of a pool: instances of its scale set, or single machines. */
const machinesOf = (pool: KubeObject, world: World): KubeObject[] =>
  [...world.all("AzureMachinePoolMachine"), ...world.all("Machine")].filter(
    (object) => scopeOf(object, world) === scopeOf(pool, world),
  );

/**
 * Whether a pool of any age is being scaled, rolled or repaired: its size has changed, or one of its machines is new or
 * goes. MachinePools have no condition about it in v1beta2 but Paused, and the AzureMachinePool has its own.
 */
const moves = (pool: KubeObject, world: World): boolean =>
  [
    pool,
    ...world.all("AzureMachinePool").filter(({ metadata }) => metadata.name === pool.metadata.name),
  ].some((object) => changedLately(object, progressMinutes, world)) ||
  machinesOf(pool, world).some(
    (object) =>
      !olderThan(object, joinMinutes, world) ||
      minutesBetween(object.metadata.deletionTimestamp ?? "", world.now) > 0,
  );

/** Pools that are incomplete, and in which nothing has changed for a while. */
const incomplete = (world: World): Match[] =>
  poolsOf(world)
    .filter(stays)
    .filter((pool) => olderThan(pool, 40, world) && !moves(pool, world))
    .flatMap((object) => {
      const wanted = numberAt(object.spec, "replicas") ?? 1;
      const ready = nodesOfPool(object);
      // CAPZ does not set readyReplicas of scale sets, but the phase is right for both kinds.
      return present(
        textAt(object.status, "phase") !== "Running" &&
          !(ready >= wanted) && {
            object,
            proof: {
              where: `${title(object)}, status`,
              text: `${ready} of ${wanted} ready, phase ${textAt(object.status, "phase") || "unknown"}`,
            },
            vars: { ready: String(ready), wanted: String(wanted) },
          },
      );
    });

/** Minutes within which Azure lists a new instance, as Creating, after CAPZ has raised the capacity. */
const listedMinutes = 10;

/**
 * Scale sets that have had fewer instances than nodes are wanted for a while. The state Failed of the operation that should
 * have made them may stay, and says nothing of the instances.
 */
const withoutInstances = (world: World): Match[] =>
  world
    .all("AzureMachinePool")
    .filter(stays)
    .flatMap((object) => {
      const { name } = object.metadata;
      const wanted = numberAt(world.find("MachinePool", name)?.spec, "replicas") ?? 1;
      const instances = instancesOf(world, name);
      const waiting = present(
        conditionNamed(object, "ScaleSetDesiredReplicas"),
        conditionNamed(object, "ScaleSetRunning"),
      ).find(
        ({ reason, since }) =>
          /^(?:ScaleSetScalingUp|ScaleSetProvisionFailed)$/.test(reason) &&
          minutesBetween(since, world.now) >= listedMinutes,
      );
      const waits = waiting && conditionProof(object, waiting);
      return present(
        waits !== undefined &&
          !(instances.length >= wanted) &&
          !instances.some((one) => !stays(one) || !olderThan(one, listedMinutes, world)) && {
            object,
            proof: { ...waits, text: `${instances.length} instances for ${wanted} replicas` },
            vars: { instances: String(instances.length), wanted: String(wanted) },
          },
      );
    });

export const machines: Detectors = {
  "scale-set-deleted": deletedInAzure,
  "infrastructure-deleted": withAnswer(
    anyOf(
      hasCondition({
        kinds: ["Cluster", "Machine", "MachinePool"],
        type: /^(?:InfrastructureReady|BootstrapConfigReady|BootstrapReady|ControlPlaneAvailable)$/,
        reason: /^(?:Deleted|DoesNotExist|ObjectDeleted|ObjectDoesNotExist)$/,
        minutes: 10,
        where: stays,
      }),
      warned({
        kinds: ["MachinePool", "Machine"],
        text: /has been deleted after (?:being ready|provisioning was completed)/,
        where: stays,
      }),
    ),
  ),
  "vm-failed": (world) =>
    world
      .all("AzureMachine")
      .filter((object) => isFailedVm(object, world))
      .map((object) => ({ object, proof: { where: `${title(object)}, status.vmState`, text: "Failed" } })),
  "health-check-failed": conditionAnswer({ kinds: ["Machine"], type: "HealthCheckSucceeded" }),
  "machine-late": (world) =>
    world
      .all("Machine")
      .filter(({ metadata }) => metadata.labels?.["cluster.x-k8s.io/control-plane"] !== undefined)
      .filter((object) => stays(object) && olderThan(object, 25, world))
      .filter(({ status }) => /^(Pending|Provisioning|Provisioned|Failed)$/.test(textAt(status, "phase")))
      .filter((object) => !hasUnlinkedNode(object, world))
      .map((object) => {
        const found = conditionNamed(object, "Ready");
        return {
          object,
          proof:
            found === undefined
              ? {
                  where: `Machine ${object.metadata.name}, status.phase`,
                  text: textAt(object.status, "phase"),
                }
              : conditionProof(object, found),
          vars: { minutes: ageOf(object, world) },
        };
      }),
  "node-not-joined": notJoined,
  "instance-late": instancesLate,
  "scale-set-without-instances": withoutInstances,
  "pool-incomplete": incomplete,
};
