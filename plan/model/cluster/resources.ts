import { grouped } from "capz-windows-kit/grouped";
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

/** The resources of a plan by what is asked of them: a plan of others may have thousands of pools, and each asks for its own. */
interface Index {
  readonly byParent: ReadonlyMap<string, readonly PlannedResource[]>;
  readonly byType: ReadonlyMap<string, readonly PlannedResource[]>;
  readonly byComponent: ReadonlyMap<string, readonly PlannedResource[]>;
  /** Their order. */
  readonly places: ReadonlyMap<PlannedResource, number>;
}

const known = new WeakMap<PlanResources, Index>();

function indexOf(resources: PlanResources): Index {
  const there = known.get(resources);
  if (there !== undefined) {
    return there;
  }
  const [made, components] = [true, false].map((custom) => resources.filter((one) => one.custom === custom));
  const index: Index = {
    byParent: grouped(
      resources.filter((one) => !isPatch(one)),
      ({ parent = "" }) => parent,
    ),
    byType: grouped(made ?? [], ({ type }) => shortType(type)),
    byComponent: grouped(components ?? [], ({ urn }) => componentsOf(urn).at(-1) ?? ""),
    places: new Map(resources.map((one, place) => [one, place])),
  };
  known.set(resources, index);
  return index;
}

/** What stands under some keys, in the order of the plan. */
function under(
  map: ReadonlyMap<string, readonly PlannedResource[]>,
  keys: readonly string[],
  { places }: Index,
): PlannedResource[] {
  const found = [...new Set(keys)].flatMap((key) => map.get(key) ?? []);
  return keys.length < 2 ? found : found.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

/** Without components: some have the name of what they make. */
export function ofType(resources: PlanResources, ...types: readonly string[]): PlannedResource[] {
  const index = indexOf(resources);
  return under(index.byType, types, index);
}

/** Components of some kinds. */
export function componentsIn(resources: PlanResources, ...kinds: readonly ComponentKind[]): PlanResource[] {
  const index = indexOf(resources);
  return under(index.byComponent, kinds, index);
}

/** What a component made directly; patches of objects that others made are not its own. */
export const childrenOf = (resources: PlanResources, { urn }: PlanResource): PlanResources =>
  indexOf(resources).byParent.get(urn) ?? [];

/** The lines of an output. */
export const linesIn = (text = ""): string[] => text.split("\n").filter(Boolean);
