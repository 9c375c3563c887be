import type { PlanResource } from "capz-windows-contract";

/** Resources by their URN. */
export const indexByUrn = <R extends { readonly urn: string }>(resources: readonly R[]): Map<string, R> =>
  new Map(resources.map((resource) => [resource.urn, resource]));

/** Sorts by name: the order of registration differs from run to run. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

/**
 * Resources in an order in which they could be applied one by one: each after what it depends on and after its
 * parent, and as near to alphabetical as that allows, so that the order does not depend on the timing of the program.
 */
export function applyOrder(resources: readonly PlanResource[]): PlanResource[] {
  const byUrn = indexByUrn(resources);
  const ordered: PlanResource[] = [];
  const done = new Set<string>();
  const visit = (resource: PlanResource): void => {
    if (done.has(resource.urn)) {
      return;
    }
    done.add(resource.urn);
    const before = [resource.parent, resource.provider, ...resource.dependencies];
    [...new Set(before)]
      .filter((urn) => urn !== undefined)
      .sort()
      .map((urn) => byUrn.get(urn))
      .filter((found) => found !== undefined)
      .forEach(visit);
    ordered.push(resource);
  };
  [...resources].sort((a, b) => (a.urn < b.urn ? -1 : 1)).forEach(visit);
  return ordered;
}
