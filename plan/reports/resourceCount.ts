import type { PlanResource } from "capz-windows-contract";
import { isOwnComponent, isProvider, stackType } from "../model/resourceTypes";

const counted = (count: number, noun: string): string[] =>
  count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`];

/** "48 in Azure and Kubernetes, 3 providers, 13 components, the stack itself": all that `pulumi preview` counts. */
export function countResources(resources: readonly PlanResource[]): string {
  const components = resources.filter(({ type }) => isOwnComponent(type)).length;
  const providers = resources.filter(({ type }) => isProvider(type)).length;
  const stacks = resources.filter(({ type }) => type === stackType).length;
  const made = resources.length - components - providers - stacks;
  return [
    `${made} in Azure and Kubernetes`,
    ...counted(providers, "provider"),
    ...counted(components, "component"),
    ...(stacks > 0 ? ["the stack itself"] : []),
  ].join(", ");
}
