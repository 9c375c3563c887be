import { componentsOf, type ComponentKind } from "../components";
import type { PlanDocument, PlanResource } from "capz-windows-contract";
import type { PlannedResource } from "../planDocument";
import { isPatch, shortType } from "../resourceTypes";

/** What the reader needs of a plan: a plan.json has it, and so does a plan that was just made. */
export type ClusterSource = Pick<PlanDocument, "outputs" | "others" | "state"> & {
  readonly resources: PlanResources;
};

export type PlanResources = readonly PlannedResource[];

export const isOfType = ({ type }: PlanResource, ...types: readonly string[]): boolean =>
  types.includes(shortType(type));

/** Without components: some have the name of what they make. */
export const ofType = (resources: PlanResources, ...types: readonly string[]): PlannedResource[] =>
  resources.filter((resource) => resource.custom && isOfType(resource, ...types));

/** Components of some kinds. */
export const componentsIn = (resources: PlanResources, ...kinds: readonly ComponentKind[]): PlanResource[] =>
  resources.filter(({ urn, custom }) => !custom && kinds.includes(componentsOf(urn).at(-1) as ComponentKind));

/** What a component made directly; patches of objects that others made are not its own. */
export const childrenOf = (resources: PlanResources, { urn }: PlanResource): PlanResource[] =>
  resources.filter((resource) => resource.parent === urn && !isPatch(resource));

/** The lines of an output. */
export const linesIn = (text = ""): string[] => text.split("\n").filter(Boolean);
