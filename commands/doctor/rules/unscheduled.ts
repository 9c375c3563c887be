import { textAt } from "../../../tools/untyped";
import { conditionNamed, minutesBetween, stays } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { hasCondition, olderThan } from "./finders";
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

export const unscheduled =
  (text: RegExp) =>
  (world: World): Match[] => {
    const growing = isGrowing(world);
    return hasCondition({
      kinds: ["Pod"],
      side: "workload",
      type: "PodScheduled",
      message: text,
      minutes: 5,
      where: (pod) =>
        !growing ||
        minutesBetween(conditionNamed(pod, "PodScheduled")?.since ?? "", world.now) >= joiningMinutes,
    })(world);
  };
