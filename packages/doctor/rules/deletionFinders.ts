import { numberAt, textAt } from "capz-windows-kit/untyped";
import { conditionNamed, conditionsOf, type KubeObject, minutesBetween, stays } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { complaintsOf, conditionProof, groupsOf } from "./finders";
import type { Match } from "./rule";
import { present } from "capz-windows-kit/present";

/** Finders of objects that are being deleted. */

/** Kinds in the order in which Cluster API deletes their objects. */
const order = [
  ...["AzureMachinePoolMachine", "AzureMachinePool", "MachinePool", "MachineDeployment", "MachineSet"],
  ...["AzureMachine", "Machine", "KubeadmControlPlane"],
  ...["VirtualNetworksSubnet", "NatGateway", "VirtualNetwork", "ResourceGroup", "AzureCluster", "Cluster"],
];

export const deleting = (world: World): KubeObject[] =>
  order.flatMap((kind) => world.all(kind)).filter((object) => !stays(object));

/** What CAPZ says when Azure does not delete something (CAPZ v1.27.0, DeletionFailedReason). */
export const failedDeletion = /DeletionFailed|error deleting|failed to delete/;

export const minutesDeleting = (object: KubeObject, world: World): number =>
  minutesBetween(object.metadata.deletionTimestamp ?? "", world.now);

/** When the drain of a machine ends at the latest, with its limit; afterwards Cluster API deletes it with its Pods. */
export function drainEnd({ spec, status }: KubeObject): string | undefined {
  const seconds = numberAt(spec, "deletion", "nodeDrainTimeoutSeconds") ?? 0;
  const began = Date.parse(textAt(status, "deletion", "nodeDrainStartTime"));
  const end = new Date(seconds > 0 && began > 0 ? began + seconds * 1000 : NaN);
  // A number of a stranger may lead out of the calendar.
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

/** A drain with a longer limit is reported like one without, because a roll of such drains takes days. */
const soonMinutes = 60;

/** Whether a machine is drained and goes soon in any case. */
export function drainsInTime(object: KubeObject, { now }: World): boolean {
  const left = minutesBetween(now, drainEnd(object) ?? now);
  return left > 0 && left <= soonMinutes && conditionNamed(object, "Deleting")?.reason === "DrainingNode";
}

export const deletingSays =
  (kinds: readonly string[], text: RegExp, minutes = 0) =>
  (world: World): Match[] =>
    deleting(world)
      .filter(({ kind }) => kinds.includes(kind))
      .filter((object) => minutesDeleting(object, world) >= minutes)
      .flatMap((object) => {
        const condition = conditionsOf(object).find(({ message, reason }) =>
          text.test(`${reason}: ${message}`),
        );
        const proof =
          condition === undefined
            ? complaintsOf(world, object, "management").find((one) => text.test(`${one.where}: ${one.text}`))
            : conditionProof(object, condition);
        return present(
          proof !== undefined && {
            object,
            proof,
            vars: groupsOf(text, text.test(proof.text) ? proof.text : `${proof.where}: ${proof.text}`),
          },
        );
      });
