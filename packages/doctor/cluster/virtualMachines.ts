import { singleMachineName } from "capz-windows-platform/machines/naming";
import { textAt } from "capz-windows-kit/untyped";
import { type KubeObject, ownerOf } from "./objects";
import { machineOfNode } from "./scope";
import type { World } from "./snapshot";

/** The virtual machines of single machines, which CAPZ need not call like their AzureMachine. */

/** The virtual machine in a provider ID; undefined for an instance of a scale set. */
const vmInId = (object: KubeObject | undefined): string | undefined =>
  /\/Microsoft\.Compute\/virtualMachines\/([\w.-]+)$/i.exec(textAt(object?.spec, "providerID"))?.[1];

/**
 * How Azure calls the machine of an AzureMachine, a Machine or a Node. A node's own provider ID is not asked, because its
 * kubelet may have written it.
 */
export function vmNameOf(object: KubeObject, world: World): string {
  const { name } = object.metadata;
  const machine =
    object.kind === "Machine"
      ? object
      : world.find(
          "Machine",
          (object.kind === "Node" ? machineOfNode(world, name) : ownerOf(object, "Machine")) ?? "",
        );
  const azure =
    object.kind === "AzureMachine"
      ? object
      : world.find("AzureMachine", textAt(machine?.spec, "infrastructureRef", "name"));
  const known = vmInId(azure) ?? vmInId(machine);
  if (known !== undefined || object.kind === "Node") {
    return known ?? name;
  }
  const isWindows = textAt(azure?.spec, "osDisk", "osType") === "Windows";
  return singleMachineName(azure?.metadata.name ?? name, isWindows ? "windows" : "linux");
}
