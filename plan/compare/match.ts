import { stackType } from "../model/resourceTypes";
import { indexByUrn } from "../model/order";
import type { PlanResource } from "capz-windows-contract";
import { formatUrn, parseUrn } from "../model/urn";

/** A resource that is on both sides, or on only one. */
export interface ResourcePair {
  readonly base?: PlanResource;
  readonly head?: PlanResource;
}

/** The qualified type of a child: the stack itself does not count as a parent. */
const childType = (parentUrn: string | undefined, type: string): string => {
  const parent = parentUrn === undefined ? stackType : parseUrn(parentUrn).qualifiedType;
  return parent === stackType ? type : `${parent}$${type}`;
};

type AliasSpec = Readonly<Partial<Record<"name" | "type" | "stack" | "project" | "parent", string>>>;

/**
 * The URNs that a resource may have had: by its own aliases, and by those of its parent, with whose former name
 * its own may begin. These are the rules of Pulumi's engine (pkg/resource/deploy, step generator).
 */
function formerUrns(
  resource: PlanResource,
  parentUrns: readonly (string | undefined)[],
  parentName: string | undefined,
): string[] {
  const own = parseUrn(resource.urn);
  const found = new Set<string>();
  const aliases = (resource.options.aliases ?? []) as readonly (string | AliasSpec)[];
  const add = (spec: AliasSpec, parentUrn: string | undefined, name: string): void => {
    found.add(
      formatUrn({
        stack: spec.stack ?? own.stack,
        project: spec.project ?? own.project,
        qualifiedType: childType(parentUrn, spec.type ?? resource.type),
        name,
      }),
    );
  };
  for (const parentUrn of parentUrns) {
    const formerParent = parentUrn === undefined ? undefined : parseUrn(parentUrn).name;
    const renamed = (name: string): string =>
      formerParent !== undefined && parentName !== undefined && name.startsWith(parentName)
        ? formerParent + name.slice(parentName.length)
        : name;
    for (const alias of [{}, ...aliases]) {
      if (typeof alias === "string") {
        found.add(alias);
      } else if (alias.parent === undefined) {
        add(alias, parentUrn, alias.name ?? renamed(resource.name));
      } else {
        add(alias, alias.parent === "none" ? undefined : alias.parent, alias.name ?? resource.name);
      }
    }
  }
  found.delete(resource.urn);
  return [...found];
}

/**
 * Pairs the resources of two plans of one stack, by URN and by aliases, as Pulumi would: a resource that an alias
 * finds again is neither deleted nor created.
 */
export function matchResources(base: readonly PlanResource[], head: readonly PlanResource[]): ResourcePair[] {
  const left = indexByUrn(base);
  const byUrn = indexByUrn(head);
  const known = new Map<string, readonly string[]>();
  /** All URNs that a resource has or had. */
  const urnsOf = (resource: PlanResource): readonly string[] => {
    const there = known.get(resource.urn);
    if (there !== undefined) {
      return there;
    }
    const parent = resource.parent === undefined ? undefined : byUrn.get(resource.parent);
    const parentUrns = parent ? urnsOf(parent) : [resource.parent];
    const urns = [resource.urn, ...formerUrns(resource, parentUrns, parent?.name)];
    known.set(resource.urn, urns);
    return urns;
  };
  const pairs: ResourcePair[] = [];
  const take = (resource: PlanResource, urns: readonly string[]): boolean => {
    const urn = urns.find((candidate) => left.has(candidate));
    const found = urn === undefined ? undefined : left.get(urn);
    if (found !== undefined) {
      left.delete(found.urn);
      pairs.push({ base: found, head: resource });
    }
    return found !== undefined;
  };
  // Resources that kept their URN come first, so that no alias takes them away.
  const others = head.filter((resource) => !take(resource, [resource.urn]));
  const created = others.filter((resource) => !take(resource, urnsOf(resource)));
  return [
    ...pairs,
    ...created.map((resource) => ({ head: resource })),
    ...[...left.values()].map((resource) => ({ base: resource })),
  ];
}
