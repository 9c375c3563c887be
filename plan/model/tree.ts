import { byName, indexByUrn } from "./order";
import type { PlanResource } from "capz-windows-contract";
import { stackType } from "./resourceTypes";

/** A resource of a stack with its children. */
export interface TreeNode {
  readonly resource: PlanResource;
  readonly children: readonly TreeNode[];
}

/** The components and resources directly below the stack, those with the fewest dependencies first. */
export function resourceTree(resources: readonly PlanResource[]): TreeNode[] {
  const children = new Map<string | undefined, PlanResource[]>();
  for (const resource of resources) {
    children.set(resource.parent, [...(children.get(resource.parent) ?? []), resource]);
  }
  const depth = depths(resources, children);
  const below = (urn: string | undefined): TreeNode[] =>
    [...(children.get(urn) ?? [])]
      .sort((a, b) => depth(a) - depth(b) || byName(a, b))
      .map((resource) => ({ resource, children: below(resource.urn) }));
  return below(resources.find(({ type }) => type === stackType)?.urn);
}

/** How long the longest chain of dependencies below a resource is; that of a component is the longest of its parts. */
function depths(
  resources: readonly PlanResource[],
  children: ReadonlyMap<string | undefined, PlanResource[]>,
): (resource: PlanResource) => number {
  const byUrn = indexByUrn(resources);
  const known = new Map<string, number>();
  const depth = (resource: PlanResource): number => {
    const before = known.get(resource.urn);
    if (before !== undefined) {
      return before;
    }
    const inner = (children.get(resource.urn) ?? []).map(depth);
    const outer = [...resource.dependencies, resource.provider ?? ""]
      .map((urn) => byUrn.get(urn))
      .filter((found) => found !== undefined)
      .map((found) => depth(found) + 1);
    const own = Math.max(0, ...inner, ...outer);
    known.set(resource.urn, own);
    return own;
  };
  return depth;
}
