import { listsOfType, orderedLists } from "../../../plan/compare/listTables";
import { differences } from "../../../plan/compare/properties";
import type { PropertyChange } from "../../../plan/compare/stackDiff";
import { at, isRecord, type Plain } from "capz-windows-kit/untyped";
import { omitted, unlessEmpty } from "../findings";
import type { CapiObject } from "./normal";
import { machineOf, nodeOf, type ClusterObjects, type PoolObjects } from "./roles";

/** Compares the objects of a source with those of a plan of its stack file, field by field. */

/** The part of an object that is compared. */
interface Part {
  readonly apiVersion: string;
  /** Kind of the object; the kind in the plan if a pool is of another kind there. */
  readonly kind: string;
  /** Kind of the object in the source. */
  readonly source: string;
  /** What the object belongs to, as a path of the stack file: "" for the cluster, "controlPlane", or "windowsPools.NAME". */
  readonly place: string;
  readonly content: Plain;
}

/** A field that differs between the source and the plan. A side that lacks it, or has it empty, is `undefined`. */
export interface SourceDifference
  extends Pick<Part, "kind" | "place" | "source">, Pick<PropertyChange, "path" | "before" | "after"> {
  /** The whole object in the source and in the plan. */
  readonly objects: readonly [Plain, Plain];
}

/** References to objects, which are not compared: a stack names its objects itself. */
const references = /(^|\.)((config|infrastructure|controlPlane|identity)Ref|clusterName)(\.|$)/;

const orUndefined = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 0 ? undefined : value;

/** A mapping or list that only one side has, field by field: each field has its reason. */
function fieldByField({ path, before, after }: PropertyChange): PropertyChange[] {
  const value = before ?? after;
  const isOneSided = before === undefined || after === undefined;
  const isElement = /[^"]\]$/.test(path);
  const hasFields = Array.isArray(value) || (isRecord(value) && Object.keys(value).length > 0);
  if (!isOneSided || isElement || !hasFields) {
    return [{ path, before: orUndefined(before), after: orUndefined(after) }];
  }
  const empty = Array.isArray(value) ? [] : {};
  return differences(before ?? empty, after ?? empty, orderedLists, path).flatMap(fieldByField);
}

/** The fields on a path as far as the first list; and whether there is one. */
export function fieldsOf(path: string): { readonly steps: readonly string[]; readonly list?: string } {
  const [, fields = "", element] = /^((?:[^[]|\["[^"]*"\])*)(\[.*)?$/s.exec(path) ?? [];
  const steps = [...fields.matchAll(/\["([^"]*)"\]|([^.[\]]+)/g)].map(
    ([, quoted, name = ""]) => quoted ?? name,
  );
  return { steps, ...(element === undefined ? {} : { list: fields }) };
}

function fieldsThatDiffer(kind: string, before: Plain, after: Plain): PropertyChange[] {
  const found = differences(before, after, listsOfType(`kubernetes:${kind}`))
    .flatMap(fieldByField)
    .filter(({ path }) => !references.test(path) && !path.endsWith("(order)"))
    .map((change) => {
      // A list whose elements have no names differs as a whole.
      const { steps, list = "" } = fieldsOf(change.path);
      return /^\[\d+\]/.test(change.path.slice(list.length))
        ? { path: list, before: orUndefined(at(before, ...steps)), after: orUndefined(at(after, ...steps)) }
        : change;
    });
  return [...new Map(found.map((change) => [change.path, change])).values()];
}

const part = (place: string, object: CapiObject, spec: unknown = object.spec, kind = object.kind): Part => {
  const { apiVersion, labels, annotations } = object;
  const metadata = { labels: unlessEmpty(labels), annotations: unlessEmpty(annotations) };
  return { ...{ apiVersion, kind, place, source: object.kind }, content: { metadata, spec } };
};

/** The parts of a pool; those of a MachineDeployment in the form of a MachinePool if the stack has one. */
function poolParts({ pool, machines, bootstrap, healthCheck, kind, os, name }: PoolObjects, as: string) {
  const place = `${os}Pools.${name}`;
  if (kind === as) {
    const check = as === "MachineDeployment" && healthCheck !== undefined ? [healthCheck] : [];
    return [pool, machines, bootstrap, ...check].map((object) => part(place, object));
  }
  const { identity, userAssignedIdentities, additionalTags, ...template } = machineOf(machines);
  const strategy = at(pool.spec, "rollout", "strategy");
  const set = { identity, userAssignedIdentities, additionalTags, strategy, template };
  return [
    part(
      place,
      pool,
      omitted(pool.spec, "selector", "deletion", "revisionHistoryLimit", "rollout"),
      "MachinePool",
    ),
    part(place, machines, set, "AzureMachinePool"),
    part(place, bootstrap, nodeOf(bootstrap), "KubeadmConfig"),
  ];
}

/** @param like - the objects of the plan, for the kinds of its pools */
function partsOf(objects: ClusterObjects, like: ClusterObjects): Part[] {
  const { cluster, azureCluster, controlPlane, controlPlaneMachines, controlPlaneHealthCheck } = objects;
  const check = controlPlaneHealthCheck === undefined ? [] : [controlPlaneHealthCheck];
  return [
    ...[cluster, azureCluster].map((object) => part("", object)),
    ...[controlPlane, controlPlaneMachines, ...check].map((object) => part("controlPlane", object)),
    ...objects.pools.flatMap((pool) => {
      const made = like.pools.find(({ name, os }) => name === pool.name && os === pool.os);
      return made === undefined ? [] : poolParts(pool, made.kind);
    }),
  ];
}

/**
 * The differences between the objects of a source and those of a plan. Objects that do not describe the cluster, such as
 * add-ons, are not compared.
 */
export function compared(before: ClusterObjects, after: ClusterObjects): SourceDifference[] {
  const byKey = (objects: ClusterObjects): ReadonlyMap<string, Part> =>
    new Map(partsOf(objects, after).map((one) => [`${one.place} ${one.kind}`, one]));
  const [old, fresh] = [byKey(before), byKey(after)];
  return [...new Map([...fresh, ...old])].flatMap(([key, { apiVersion, kind, place, source }]) => {
    const objects = [old.get(key)?.content ?? {}, fresh.get(key)?.content ?? {}] as const;
    const found = fieldsThatDiffer(`${apiVersion}:${kind}`, ...objects);
    return found.map((change) => ({ kind, place, source, ...change, objects }));
  });
}

/** Number of fields that the objects of a source have and that are compared. */
export const fieldCount = (objects: ClusterObjects): number =>
  partsOf(objects, objects).flatMap(({ apiVersion, kind, content }) =>
    fieldsThatDiffer(`${apiVersion}:${kind}`, content, {}),
  ).length;
