import { textAt } from "capz-windows-kit/untyped";
import { conditionNamed, minutesBetween, stays } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { groupsOf, hasCondition, olderThan } from "./finders";
import type { Match } from "./rule";

/**
 * Minutes that a new machine may take. A Windows machine joins after 8 to 12; a longer one is reported by machines.ts.
 */
const joiningMinutes = 25;

/** Whether a new machine is being created, by an autoscaler or a rollout, to which the Pods may be scheduled. */
const isGrowing = (world: World): boolean =>
  [...world.all("AzureMachinePoolMachine"), ...world.all("Machine")].some(
    (machine) =>
      stays(machine) &&
      textAt(machine.status, "nodeRef", "name") === "" &&
      !olderThan(machine, joiningMinutes, world),
  );

/** Reasons of nodes that the scheduler rules out first, by taints and labels. */
const first = /untolerated taint|node affinity|node selector|node\(s\) didn't match$/;

/**
 * The reasons of a scheduler's message that count. It looks at taints and labels before ports, resources, volumes and other Pods
 * (kubernetes v1.36 pkg/scheduler/apis/config/v1/default_plugins.go), so a node with a later reason has what the Pod selects,
 * and the nodes of the other system, which every message has in a mixed cluster, explain nothing.
 */
export function countingReasons(message: string): string {
  const [, reasons = message] = /nodes are available: ([^]*?)(?:\.?\s+preemption: |\.?$)/.exec(message) ?? [];
  const all = reasons.split(/, (?=\d+ )/);
  const later = all.filter((reason) => !first.test(reason));
  return later.length > 0 ? later.join(", ") : reasons;
}

export const unscheduled =
  (text: RegExp) =>
  (world: World): Match[] => {
    const growing = isGrowing(world);
    const found = hasCondition({
      kinds: ["Pod"],
      side: "workload",
      type: "PodScheduled",
      message: text,
      minutes: 5,
      where: (pod) => {
        const { reason = "", since = "" } = conditionNamed(pod, "PodScheduled") ?? {};
        // Somebody holds it back on purpose, as a queue of jobs does, and the scheduler has not looked for a node.
        return (
          reason !== "SchedulingGated" && (!growing || minutesBetween(since, world.now) >= joiningMinutes)
        );
      },
    })(world);
    return found.flatMap((match) => {
      const reasons = countingReasons(match.proof.text);
      return text.test(reasons) ? [{ ...match, vars: { ...match.vars, ...groupsOf(text, reasons) } }] : [];
    });
  };
