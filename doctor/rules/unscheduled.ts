import { textAt } from "../../domain/untyped";
import { conditionNamed, minutesBetween } from "../model/objects";
import type { World } from "../model/snapshot";
import { hasCondition, olderThan } from "./finders";
import type { Match } from "./rule";

/** Pods that find no node. */

/** Families and rules by which such a Pod may only wait for machines. */
export const machinesMissing = [
  ...["nodes", "machines", "network", "azure-limits", "images"],
  ...["azure-resources", "bootstrap", "add-ons", "control-plane"],
];

/** A Windows machine joins after 8 to 12 minutes; the rules about machines speak when one takes longer than this. */
const joiningMinutes = 25;

/** A machine is on its way that may take the Pods: an autoscaler has asked for it, or a rollout. */
const isGrowing = (world: World): boolean =>
  [...world.all("AzureMachinePoolMachine"), ...world.all("Machine")].some(
    (machine) =>
      machine.metadata.deletionTimestamp === undefined &&
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
