import { textAt } from "../../../tools/untyped";
import { conditionNamed, minutesBetween, stays } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { eventProof, hasCondition, keptMinutes, warned } from "./finders";
import { lostTogether } from "./lostNodes";
import { nodesOf, taintsOf } from "../../cluster/scope";
import type { Detectors, Match } from "./rule";

/** Machines that stop, or start again by themselves. */

/** Nodes that kubelet has found restarted several times; once is what an operator or Azure's maintenance does. */
const rebootsOften = (world: World): Match[] =>
  nodesOf(world).flatMap((object) => {
    const reboots = world
      .eventsOf(object, "workload")
      .filter(({ reason, last }) => reason === "Rebooted" && minutesBetween(last, world.now) <= keptMinutes)
      .sort((a, b) => b.last.localeCompare(a.last));
    const times = reboots.reduce((sum, { count }) => sum + count, 0);
    const [last] = reboots;
    return last === undefined || times < 2
      ? []
      : [{ object, proof: eventProof(object, last), vars: { times: String(times) } }];
  });

/** Nodes whose machine is off, according to the cloud provider. */
const shutDown = (world: World): Match[] =>
  nodesOf(world)
    .filter(
      (node) =>
        conditionNamed(node, "Ready")?.status !== "True" &&
        taintsOf(node).includes("node.cloudprovider.kubernetes.io/shutdown"),
    )
    .map((object) => ({
      object,
      proof: { where: `Node ${object.metadata.name}, spec.taints`, text: taintsOf(object).join(", ") },
    }));

/**
 * Nodes that do not answer, unless all of several pools do not: then it is not their machine. Nor those of machines that
 * are being deleted, such as spot machines that Azure has taken back: their deletion has rules of its own.
 */
const stopped = (world: World): Match[] => {
  const leaving = world.all("Machine").filter((machine) => !stays(machine));
  const known = new Set([
    ...lostTogether(world).map(({ metadata }) => metadata.name),
    ...leaving.map(({ status }) => textAt(status, "nodeRef", "name")),
  ]);
  return hasCondition({
    kinds: ["Node"],
    side: "workload",
    type: "Ready",
    status: ["Unknown"],
    message: /stopped posting/,
    minutes: 2,
    where: ({ metadata }) => !known.has(metadata.name),
  })(world);
};

export const nodeStopRules: Detectors = {
  "node-shut-down": shutDown,
  "node-stopped": stopped,
  "node-reboots": rebootsOften,
  "pod-does-not-end": warned({
    kinds: ["Pod"],
    side: "workload",
    where: ({ metadata }, world) => minutesBetween(metadata.deletionTimestamp ?? "", world.now) >= 15,
    text: /^FailedKillPod: /,
    times: 5,
  }),
};
