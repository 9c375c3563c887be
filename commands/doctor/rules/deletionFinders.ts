import type { KubeObject } from "../../cluster/objects";
import { conditionsOf, minutesBetween, stays } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { complaintsOf, conditionProof, groupsOf } from "./finders";
import type { Match } from "./rule";

/** Finders of objects that are being deleted. */

/** Kinds in the order in which Cluster API deletes their objects. */
const order = [
  ...["AzureMachinePoolMachine", "AzureMachinePool", "MachinePool", "MachineDeployment", "MachineSet"],
  ...["AzureMachine", "Machine", "KubeadmControlPlane"],
  ...["VirtualNetworksSubnet", "NatGateway", "VirtualNetwork", "ResourceGroup", "AzureCluster", "Cluster"],
];

export const deleting = (world: World): KubeObject[] =>
  order.flatMap((kind) => world.all(kind)).filter((object) => !stays(object));

export const minutesDeleting = (object: KubeObject, world: World): number =>
  minutesBetween(object.metadata.deletionTimestamp ?? "", world.now);

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
        return proof === undefined
          ? []
          : [
              {
                object,
                proof,
                vars: groupsOf(text, text.test(proof.text) ? proof.text : `${proof.where}: ${proof.text}`),
              },
            ];
      });
