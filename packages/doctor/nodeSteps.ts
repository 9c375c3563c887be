import { at, numberAt, textAt } from "capz-windows-kit/untyped";
import type { BringUpStep } from "./diagnosis";
import {
  conditionNamed,
  containersOf,
  isTrue,
  type KubeObject,
  minutesBetween,
  stays,
} from "./cluster/objects";
import type { World } from "./cluster/snapshot";
import { drainEnd, drainsInTime } from "./rules/deletionFinders";
import { isFresh, isInitialized } from "./rules/finders";
import { isOver } from "./rules/podFinders";
import { instancesOf, nodesOf, nodesOfPool, poolsOf, type Scope, scopeOf } from "./cluster/scope";
import { present } from "capz-windows-kit/present";
import { oneLine } from "capz-windows-kit/visible";

/** The steps of the control plane, the pools and Pods: also of a cluster that runs, is upgraded, scaled or repaired. */

const isNodeReady = (node: KubeObject): boolean => isTrue(node, "Ready");

/** Whether a machine or instance is of a former revision of its pool or control plane. */
function isFormer(machine: KubeObject, owner: KubeObject, world: World): boolean {
  const version = textAt(owner.spec, "template", "spec", "version") || textAt(owner.spec, "version");
  if (machine.kind === "Machine") {
    const has = textAt(machine.spec, "version");
    return conditionNamed(machine, "UpToDate")?.status === "False" || (has !== "" && has !== version);
  }
  const runs = textAt(machine.status, "version");
  const image = JSON.stringify(
    at(world.find("AzureMachinePool", owner.metadata.name)?.spec, "template", "image") ?? "",
  );
  // CAPZ v1.27.0 compares images only, and leaves the field out until it has. An image of one's own need not be named
  // after the version that it has.
  return (
    textAt(machine.status, "nodeRef", "name") !== "" &&
    (at(machine.status, "latestModelApplied") !== true ||
      (runs !== "" && runs !== version && image.includes(`"${version.replace(/^v/, "")}"`)))
  );
}

const named = (objects: readonly KubeObject[], what: string): string[] =>
  present(
    objects.length > 0 &&
      `${objects.length} ${what} (${objects
        .slice(0, 3)
        .map(({ metadata }) => metadata.name)
        .join(", ")}${objects.length > 3 ? ", ..." : ""})`,
  );

/** What is under way in a control plane or pool that may have all of its nodes: an upgrade, a drain, a surge. */
function motionIn(world: World, scope: Scope, owner: KubeObject, wanted: number): string[] {
  const machines = world.all("Machine").filter((object) => scopeOf(object, world) === scope);
  const instances = owner.kind === "MachinePool" ? instancesOf(world, owner.metadata.name) : machines;
  const names = new Set(
    [...machines, ...instances].filter((one) => !stays(one)).map(({ metadata }) => metadata.name),
  );
  const leaving = instances.filter(({ metadata }) => names.has(metadata.name));
  const former = instances.filter((one) => !leaving.includes(one) && isFormer(one, owner, world));
  const more = instances.length - leaving.length - wanted;
  const scaleSet = world.find("AzureMachinePool", owner.metadata.name);
  const ready = owner.kind === "MachinePool" && scaleSet ? conditionNamed(scaleSet, "Ready") : undefined;
  return [
    // Instances keep what was true of them before, until CAPZ can read the scale set again.
    ...(ready?.status === "False" ? [`its scale set is not ready: ${ready.reason}`] : []),
    ...named(former, "not up to date"),
    ...named(leaving, "being drained or deleted"),
    ...machines
      .filter((one) => drainsInTime(one, world))
      .map((one) => `the drain of ${one.metadata.name} ends by ${drainEnd(one) ?? ""}`)
      .slice(0, 1),
    ...(more > 0 ? [`${more} more than wanted`] : []),
  ];
}

/** @param began - whether something works on it already */
export function stateOf(done: boolean, began: boolean): BringUpStep["state"] {
  if (done) {
    return "done";
  }
  return began ? "running" : "waiting";
}

/** Counted by its object where the workload cluster does not answer. */
function readyNodes(world: World, nodes: readonly KubeObject[], object: KubeObject | undefined): number {
  if (world.snapshot.workload.objects.length > 0) {
    return nodes.filter(isNodeReady).length;
  }
  return object === undefined ? 0 : nodesOfPool(object);
}

/** The step of a control plane or pool: how many of the wanted nodes are ready, and why the first one is not. */
function nodesStep(
  world: World,
  name: string,
  scope: Scope,
  wanted: number,
  object: KubeObject | undefined,
): BringUpStep {
  const nodes = nodesOf(world).filter((node) => scopeOf(node, world) === scope);
  const ready = readyNodes(world, nodes, object);
  const motion = object === undefined ? [] : motionIn(world, scope, object, wanted);
  const done = ready >= wanted && motion.length === 0;
  const began = isInitialized(world);
  const waits = (): string[] => {
    const unready = nodes.find((node) => !isNodeReady(node));
    if (unready !== undefined) {
      const why = conditionNamed(unready, "Ready")?.message ?? "no condition Ready";
      return [`${unready.metadata.name}: ${why.slice(0, 120)}`];
    }
    if (ready >= wanted) {
      return [];
    }
    return [began ? "waits for machines" : "waits for the API server"];
  };
  return {
    name,
    state: stateOf(done, began),
    detail: [`${ready} of ${wanted} nodes ready`, ...(done ? [] : [...waits(), ...motion])].join("; "),
    since: done || motion.length > 0 ? undefined : object?.metadata.creationTimestamp,
  };
}

export function nodeSteps(world: World): BringUpStep[] {
  const controlPlanes = world
    .all("KubeadmControlPlane")
    .map((object) =>
      nodesStep(world, "control plane", "control-plane", numberAt(object.spec, "replicas") ?? 1, object),
    );
  const pools = poolsOf(world).map((object) =>
    nodesStep(
      world,
      `pool ${object.metadata.name}`,
      scopeOf(object, world),
      numberAt(object.spec, "replicas") ?? 1,
      object,
    ),
  );
  return [...controlPlanes, ...pools];
}

/** Younger Pods say nothing, because jobs start Pods all the time; of older ones that start, the rules say why. */
export const startMinutes = { from: 2, to: 60 };

/** Whether a Pod is starting: it waits for a node, a volume or its image, without an error. */
const isStarting = (pod: KubeObject, world: World): boolean => {
  const age = minutesBetween(pod.metadata.creationTimestamp ?? "", world.now);
  return (
    stays(pod) &&
    textAt(pod.status, "phase") === "Pending" &&
    age >= startMinutes.from &&
    age < startMinutes.to &&
    containersOf(pod).every(({ waiting }) => /^(?:ContainerCreating|PodInitializing)?$/.test(waiting))
  );
};

/** A Pod that failed longer ago than this is a record, which stays until somebody deletes it. */
const recordMinutes = 24 * 60;

/** What kubelet says of a Pod that does not run: of its container, of the Pod, or in its newest warning. */
function saidOf(pod: KubeObject, waiting: string, world: World): string {
  const own = [textAt(pod.status, "reason"), textAt(pod.status, "message")].filter((text) => text !== "");
  const [newest] = world
    .eventsOf(pod, "workload")
    .filter((event) => event.type === "Warning" && isFresh(event, world.now))
    .sort((a, b) => b.last.localeCompare(a.last));
  return waiting || own.join(": ") || (newest?.message ?? "");
}

/** Pods that are to run and of which a container does not, with what kubelet says of it. Those that start are a step. */
export const podsNotRunning = (world: World): string[] =>
  world.all("Pod", "workload").flatMap((pod) => {
    const { metadata, status } = pod;
    const phase = textAt(status, "phase");
    const age = minutesBetween(metadata.creationTimestamp ?? "", world.now);
    const isRecord = isOver(pod, world) || (phase === "Failed" && age >= recordMinutes);
    if (!stays(pod) || isRecord || age < startMinutes.from || isStarting(pod, world)) {
      return [];
    }
    const idle = containersOf(pod).find(({ ready }) => !ready);
    const ready = conditionNamed(pod, "Ready");
    // kubelet v1.36.3 pkg/kubelet/status/generate.go: all containers are ready, and what others are to say of the Pod is missing.
    const isShut = ready?.status === "False" && ready.reason === "ReadinessGatesNotReady";
    if (idle === undefined && phase === "Running" && !isShut) {
      return [];
    }
    const waits = [idle?.waiting ?? "", phase === "Running" ? "not ready" : phase, "no status"].find(
      (text) => text !== "",
    );
    const said = saidOf(pod, (isShut ? ready.message : idle?.message) ?? "", world);
    // Others write it: it does not end its own quotes.
    const quoted = oneLine(said.replace(/\s+/g, " ").replaceAll('"', "'").trim(), 200);
    const why = said === "" ? "" : `: "${quoted}"`;
    return [`${metadata.namespace ?? ""}/${metadata.name} (${waits ?? ""}${why})`];
  });

/** A step only while Pods start, such as with large images on Windows. */
export function podsStep(world: World): BringUpStep[] {
  const [first, ...others] = world.all("Pod", "workload").filter((pod) => isStarting(pod, world));
  return present(
    first !== undefined && {
      name: "Pods start",
      state: "running",
      detail: `${first.metadata.namespace ?? ""}/${first.metadata.name}${others.length > 0 ? ` and ${others.length} more` : ""}`,
      since: first.metadata.creationTimestamp,
    },
  );
}
