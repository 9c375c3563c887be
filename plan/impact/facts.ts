import type { ChangeKind, PropertyChange, ResourceChange } from "../compare/stackDiff";
import type { PlanDocument, PlanResource } from "../model/planDocument";
import { shortType, stackType } from "../model/resourceTypes";

/** One thing that differs: a property or an option of a resource, or that it comes or goes. */
export interface Fact {
  readonly kind: ChangeKind;
  /** Last part of the type: `MachinePool`, `VirtualNetwork`. */
  readonly type: string;
  readonly resource: ResourceChange;
  readonly before?: PlanResource;
  readonly after?: PlanResource;
  /** Name of the outermost component that it is in: `pool-win1`, `control-plane`. */
  readonly subject: string;
  readonly custom: boolean;
  /** Path of the property; empty for a resource that comes or goes, or is replaced for another one's sake. */
  readonly path: string;
  readonly property?: PropertyChange;
  /** The property is an option of Pulumi's. */
  readonly option: boolean;
}

/** Both sides, as far as there are any. */
export interface Scene {
  readonly before?: PlanDocument | undefined;
  readonly after?: PlanDocument | undefined;
}

function subjectOf(resource: PlanResource, byUrn: ReadonlyMap<string, PlanResource>): string {
  if (/^Machine(Pool|Deployment)Patch$/.test(shortType(resource.type))) {
    // Waits for a pool from within the cluster's component.
    return `pool-${String((resource.inputs.metadata as { readonly name?: string } | undefined)?.name)}`;
  }
  const parent = resource.parent === undefined ? undefined : byUrn.get(resource.parent);
  return parent === undefined || parent.type === stackType ? resource.name : subjectOf(parent, byUrn);
}

/** Every change, taken apart. Resources that come or go are one fact each. */
export function factsOf(changes: readonly ResourceChange[], { before, after }: Scene): Fact[] {
  const byUrn = (document: PlanDocument | undefined) =>
    new Map((document?.resources ?? []).map((resource) => [resource.urn, resource]));
  const [old, fresh] = [byUrn(before), byUrn(after)];
  return changes.flatMap((resource): Fact[] => {
    const side = {
      before: resource.kind === "create" ? undefined : old.get(resource.formerUrn ?? resource.urn),
      after: resource.kind === "delete" ? undefined : fresh.get(resource.urn),
    };
    const shown = side.after ?? side.before;
    const base = {
      kind: resource.kind,
      type: shortType(resource.type),
      resource,
      ...(side.before ? { before: side.before } : {}),
      ...(side.after ? { after: side.after } : {}),
      subject: shown ? subjectOf(shown, side.after ? fresh : old) : resource.name,
      custom: shown?.custom ?? true,
    };
    const properties = resource.properties.map((property): Fact => ({
      ...base,
      path: property.path,
      property,
      option: false,
    }));
    const options = resource.options.map((property): Fact => ({
      ...base,
      path: property.path,
      property,
      option: true,
    }));
    const all = [...properties, ...options];
    return all.length > 0 ? all : [{ ...base, path: "", option: false }];
  });
}
