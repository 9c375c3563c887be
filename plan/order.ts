import type { RegisteredResource } from "./engine";

/** For what has a name of its own: the order of registration is another one in each run. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

/**
 * Resources in an order in which they could be applied one by one: each after what it depends on and after its
 * parent, and as near to alphabetical as that allows, so that the order does not hang on the timing of the program.
 */
export function applyOrder(resources: readonly RegisteredResource[]): RegisteredResource[] {
  const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
  const ordered: RegisteredResource[] = [];
  const done = new Set<string>();
  const visit = (resource: RegisteredResource): void => {
    if (done.has(resource.urn)) {
      return;
    }
    done.add(resource.urn);
    const before = [resource.parent, resource.provider?.urn, ...resource.dependencies];
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
