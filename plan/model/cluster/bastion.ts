import { at, strings, text, textAt } from "capz-windows-kit/untyped";
import { componentsIn, ofType, type PlanResources } from "./resources";

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
