import { textAt } from "../../../tools/untyped";
import { type KubeObject, minutesBetween, stays, title } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { olderThan } from "./finders";
import { hasProvider } from "./nodeProvider";
import { instancesOf, nodesOf, poolsOf, scopeOf } from "../../cluster/scope";
import type { Match } from "./rule";

/** Machines that run and have no node. */

/** Names that the node of a machine may have. Azure numbers the instances of a scale set in base 36. */
function nodeNamesOf({ metadata, spec }: KubeObject, world: World): string[] {
  const pool = /^pool (.+)$/.exec(scopeOf(world.find("AzureMachinePoolMachine", metadata.name), world))?.[1];
  const instance = Number(textAt(spec, "instanceID"));
  const { name } = metadata;
  return [
    ...(pool === undefined || !Number.isInteger(instance)
      ? []
      : [`${pool}${instance.toString(36).padStart(6, "0")}`]),
    name,
    // CAPZ shortens the names of single Windows machines.
    `${name.slice(0, 9)}-${name.slice(-5)}`,
  ].map((one) => one.toLowerCase());
}

/**
 * Whether a node has joined that Cluster API does not know to be this machine's, because it has no provider ID yet. The
 * rules of nodes say so.
 */
export const hasUnlinkedNode = (machine: KubeObject, world: World): boolean =>
  nodesOf(world)
    .filter((node) => !hasProvider(node))
    .some(({ metadata }) => nodeNamesOf(machine, world).includes(metadata.name.toLowerCase()));

/** Instances that have run in Azure for longer than a node needs to join, and are not nodes. */
export const notJoined = (world: World): Match[] => {
  const instances = poolsOf(world)
    .filter(({ kind }) => kind === "MachinePool")
    .flatMap(({ metadata }) => instancesOf(world, metadata.name))
    .filter(({ status }) => /^(Succeeded|)$/.test(textAt(status, "provisioningState")))
    .filter(({ status }) => textAt(status, "nodeRef", "name") === "");
  const single = world
    .all("Machine")
    .filter(({ metadata }) => metadata.labels?.["cluster.x-k8s.io/deployment-name"] !== undefined)
    .filter(({ status }) => textAt(status, "phase") === "Provisioned");
  return [...instances, ...single]
    .filter((object) => stays(object) && olderThan(object, 25, world))
    .filter((object) => !hasUnlinkedNode(object, world))
    .map((object) => ({
      object,
      proof: {
        where: `${title(object)}, status.nodeRef`,
        text: `no node ${Math.round(minutesBetween(object.metadata.creationTimestamp ?? "", world.now))} minutes after the machine was created`,
      },
    }));
};
