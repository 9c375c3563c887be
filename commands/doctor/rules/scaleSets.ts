import { textAt } from "../../../tools/untyped";
import { conditionNamed, stays, type KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { conditionProof, eventProof, isFresh, isReady } from "./finders";
import { capzSource } from "./kinds";
import type { Match, Rule } from "./rule";

/** Scale sets that are deleted in Azure, while Cluster API keeps their pool. */

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

export const scaleSetRules: readonly Rule[] = [
  {
    id: "scale-set-deleted",
    stage: "machines",
    symptom: "UnexpectedVMDeletion: Unexpected Azure scale set deletion; ScaleSetDeleting",
    cause:
      "The scale set {scaleSet} of the pool {name} is being deleted in Azure, with all its machines, although the pool stays: somebody or a policy outside of Cluster API has deleted it. CAPZ recreates it when it is gone, with new machines; what was on their disks is lost.",
    remedy: [
      "az monitor activity-log list --resource-group {group} --offset 1d --query \"[?contains(operationName.value,'virtualMachineScaleSets/delete')].{time:eventTimestamp, who:caller, what:resourceId}\" -o table   # who and when",
      "az vmss show --resource-group {group} --name {scaleSet} --query provisioningState -o tsv   # Deleting, then not found: CAPZ recreates it",
      "az role assignment list --resource-group {group} --include-inherited -o table   # take the right to delete from whom it is not meant for; a lock against deletion would also stop CAPZ from replacing machines",
    ],
    source: `${capzSource} exp/controllers/azuremachinepool_controller.go`,
    follows: ["deletion"],
    find: deletedInAzure,
  },
];
