import { textAt } from "../../../tools/untyped";
import type { KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { isNotReady, olderThan, warned } from "./finders";
import type { Detectors, Match } from "./rule";
import { nodesOf } from "../../cluster/scope";

/** Disks that are attached to machines which are no nodes, so that no controller of the cluster detaches them. */

/** Whether a Pod has waited for longer than a disk needs to be detached and attached. */
export const waitsForDisk = (pod: KubeObject, world: World): boolean =>
  isNotReady(pod) && olderThan(pod, 7, world);

const attachedTo = warned({
  kinds: ["Pod"],
  side: "workload",
  where: waitsForDisk,
  text: /already attached to node\([^)]*\/resourceGroups\/(?<group>[^/]+)\/providers\/Microsoft\.Compute\/(?:virtualMachineScaleSets\/(?<set>[^/]+)\/)?virtualMachines\/(?<machine>[^/)]+)\)/i,
});

/** The driver calls the instance 3 of the scale set win1 win1_3; provider IDs have its number alone. */
const instanceOf = (machine: string): string => machine.replace(/^.*_/, "");

const toNoNode = (world: World): Match[] =>
  attachedTo(world).flatMap((match) => {
    const { group = "", set, machine = "" } = match.vars ?? {};
    const id = set === undefined ? machine : `${set}/virtualMachines/${instanceOf(machine)}`;
    const isNode = nodesOf(world).some(({ spec }) =>
      textAt(spec, "providerID").toLowerCase().endsWith(`/${id.toLowerCase()}`),
    );
    if (isNode) {
      return [];
    }
    const of = `--resource-group ${group}`;
    const [remove, detach] =
      set === undefined
        ? [`vm delete ${of} --name ${machine}`, `vm disk detach ${of} --vm-name ${machine} --name DISK`]
        : [
            `vmss delete-instances ${of} --name ${set} --instance-ids ${instanceOf(machine)}`,
            `vmss disk detach ${of} --vmss-name ${set} --instance-id ${instanceOf(machine)} --lun LUN`,
          ];
    return [{ ...match, vars: { machine, remove, detach } }];
  });

export const attachedDisks: Detectors = {
  "disk-attached-to-no-node": toNoNode,
};
