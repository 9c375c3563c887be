import { textAt } from "../../../tools/untyped";
import { conditionNamed, stays, type KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { conditionProof, eventProof, isFresh, isReady } from "./finders";
import type { Detectors, Match } from "./rule";

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

export const scaleSetRules: Detectors = {
  "scale-set-deleted": deletedInAzure,
};
