import type { ChangeKind, PropertyChange, ResourceChange } from "../compare/stackDiff";
import { partsOf, type Part } from "../model/cluster/parts";
import { indexByUrn } from "../model/order";
import type { PlanDocument, PlanResource } from "capz-windows-contract";
import { shortType } from "../model/resourceTypes";

/** One thing that differs between two plans: a property or an option of a resource, or a resource as a whole. */
export interface Difference {
  readonly kind: ChangeKind;
  /** Last part of the type: `MachinePool`, `VirtualNetwork`. */
  readonly type: string;
  readonly resource: ResourceChange;
  /** The resource on either side; missing where it is created or deleted. */
  readonly base?: PlanResource;
  readonly head?: PlanResource;
  readonly part: Part;
  readonly custom: boolean;
  /** Path of the property; empty for a resource that is created, deleted, or replaced along with another one. */
  readonly path: string;
  readonly property?: PropertyChange;
  /** The property is an option of Pulumi's. */
  readonly option: boolean;
}

/** Two plans of one stack. A side is missing where it has no such stack. */
export interface PlanPair {
  readonly base?: PlanDocument | undefined;
  readonly head?: PlanDocument | undefined;
}

interface Side {
  readonly byUrn: ReadonlyMap<string, PlanResource>;
  readonly partOf: (resource: PlanResource) => Part;
}

function sideOf(document: PlanDocument | undefined): Side {
  const resources = document?.resources ?? [];
  return {
    byUrn: indexByUrn(resources),
    partOf: partsOf(resources),
  };
}

/** Every change, property by property. A resource that is created or deleted is one difference. */
export function differencesOf(changes: readonly ResourceChange[], plans: PlanPair): Difference[] {
  const [baseSide, headSide] = [sideOf(plans.base), sideOf(plans.head)];
  return changes.flatMap((resource): Difference[] => {
    const { kind, urn, formerUrn, properties, options } = resource;
    const base = kind === "create" ? undefined : baseSide.byUrn.get(formerUrn ?? urn);
    const head = kind === "delete" ? undefined : headSide.byUrn.get(urn);
    const shown = head ?? base;
    const common = {
      kind,
      type: shortType(resource.type),
      resource,
      ...(base ? { base } : {}),
      ...(head ? { head } : {}),
      part: shown
        ? (head ? headSide : baseSide).partOf(shown)
        : { kind: "other" as const, name: resource.name },
      custom: shown?.custom ?? true,
    };
    const difference =
      (option: boolean) =>
      (property: PropertyChange): Difference => ({ ...common, path: property.path, property, option });
    const all = [...properties.map(difference(false)), ...options.map(difference(true))];
    return all.length > 0 ? all : [{ ...common, path: "", option: false }];
  });
}
