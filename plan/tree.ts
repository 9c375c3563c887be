import type { RegisteredResource } from "./engine";
import { byName } from "./order";
import { stackType } from "./resourceTypes";

/** A resource of a stack with what it is the parent of. */
export interface TreeNode {
  readonly resource: RegisteredResource;
  readonly children: readonly TreeNode[];
  /** Resources that a provider makes below it, itself included. */
  readonly made: number;
}

/** The components and resources right below the stack, from the ground up: what needs least stands first. */
export function resourceTree(resources: readonly RegisteredResource[]): TreeNode[] {
  const children = new Map<string | undefined, RegisteredResource[]>();
  for (const resource of resources) {
    children.set(resource.parent, [...(children.get(resource.parent) ?? []), resource]);
  }
  const depth = depths(resources, children);
  const below = (urn: string | undefined): TreeNode[] =>
    [...(children.get(urn) ?? [])]
      .sort((a, b) => depth(a) - depth(b) || byName(a, b))
      .map((resource) => {
        const inner = below(resource.urn);
        const made = inner.reduce((sum, node) => sum + node.made, resource.custom ? 1 : 0);
        return { resource, children: inner, made };
      });
  return below(resources.find(({ type }) => type === stackType)?.urn);
}

/**
 * How many resources must be there before one. A component stands where the last of its parts does.
 */
function depths(
  resources: readonly RegisteredResource[],
  children: ReadonlyMap<string | undefined, RegisteredResource[]>,
): (resource: RegisteredResource) => number {
  const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
  const known = new Map<string, number>();
  const depth = (resource: RegisteredResource): number => {
    const before = known.get(resource.urn);
    if (before !== undefined) {
      return before;
    }
    const inner = (children.get(resource.urn) ?? []).map(depth);
    const outer = [...resource.dependencies, resource.provider?.urn ?? ""]
      .map((urn) => byUrn.get(urn))
      .filter((found) => found !== undefined)
      .map((found) => depth(found) + 1);
    const own = Math.max(0, ...inner, ...outer);
    known.set(resource.urn, own);
    return own;
  };
  return depth;
}
