import type { WayIn } from "../../../platform/cluster/wayIn";
import { at, strings, text, textAt } from "../../../tools/untyped";
import { componentsIn, ofType, type ClusterSource, type PlanResources } from "./resources";

/** How people reach machines: the output of the stack, which also has what the stack does not make. */

export const readWayIn = ({ outputs }: Pick<ClusterSource, "outputs">): WayIn | undefined =>
  at(outputs, "wayIn") as WayIn | undefined;

/** An Azure Bastion of the stack: its name, the range of its subnet, and networks from which people come to it. */
export function readBastion(resources: PlanResources) {
  const [host] = ofType(resources, "BastionHost");
  const subnet = componentsIn(resources, "VirtualNetwork")[0]?.inputs.bastion;
  return (
    host && {
      name: text(host.inputs.bastionHostName),
      cidr: textAt(subnet, "cidr"),
      zones: strings(host.inputs.zones),
      allowedCidrs: strings(at(subnet, "allowedCidrs")),
    }
  );
}
