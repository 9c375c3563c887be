import { textAt } from "capz-windows-kit/untyped";
import type { KubeObject } from "../cluster/objects";
import { nodesOf, scopeOf, poolIn } from "../cluster/scope";
import type { World } from "../cluster/snapshot";
import { present } from "capz-windows-kit/present";
import { hasProvider } from "./nodeProvider";
import { vmNameOf } from "../cluster/virtualMachines";

/** The node of a machine that Cluster API does not know yet. */

/** Names that the node of a machine may have. Azure numbers the instances of a scale set in base 36. */
function nodeNamesOf(machine: KubeObject, world: World): string[] {
  const { metadata, spec } = machine;
  const pool = poolIn(scopeOf(world.find("AzureMachinePoolMachine", metadata.name), world));
  const instance = Number(textAt(spec, "instanceID"));
  return present(
    pool !== undefined && Number.isInteger(instance) && `${pool}${instance.toString(36).padStart(6, "0")}`,
    metadata.name,
    vmNameOf(machine, world),
  ).map((one) => one.toLowerCase());
}

/**
 * Whether a node has joined that Cluster API does not know to be this machine's, because it has no provider ID yet. The
 * rules of nodes say so.
 */
export const hasUnlinkedNode = (machine: KubeObject, world: World): boolean =>
  nodesOf(world)
    .filter((node) => !hasProvider(node))
    .some(({ metadata }) => nodeNamesOf(machine, world).includes(metadata.name.toLowerCase()));
