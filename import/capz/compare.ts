import { parse } from "yaml";
import { canonicalJson } from "../../domain/capi/contentHash";
import { isRecord, list, text } from "../../domain/untyped";
import { omitted } from "../findings";
import { patchFile } from "./kubelet";
import { machineSpec, unlessEmpty } from "./machines";
import { bootstrapSpec } from "./nodes";
import type { CapiObject } from "./normal";
import type { ClusterObjects, PoolObjects } from "./roles";

/** Compares the objects of a source with those of a plan of its stack file, field by field. */

type Plain = Record<string, unknown>;

/** A field that differs between the source and the plan. */
export interface Difference {
  /** Kind of the object; the kind in the plan if a pool is of another kind there. */
  readonly kind: string;
  /**
   * What the object belongs to, as a path of the stack file: "" for the cluster, "controlPlane", or
   * "windowsPools.NAME".
   */
  readonly place: string;
  /** Steps from the root of the object; an element of a list is `[NAME]`. */
  readonly path: readonly string[];
  /** Value in the source; `undefined` if it has none. */
  readonly before: unknown;
  /** Value in the plan; `undefined` if it has none. */
  readonly after: unknown;
  /** The outermost list on the path, if there is one. */
  readonly list?: ListOnTheWay;
}

/** A list whose elements differ, with all its elements on both sides. */
export interface ListOnTheWay {
  readonly path: readonly string[];
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

export const pathOf = ({ path }: Pick<Difference, "path">): string =>
  path.reduce(
    (all, step) => (step.startsWith("[") ? `${all}${step}` : all === "" ? step : `${all}.${step}`),
    "",
  );

const namesOf = ["role", "name", "path", "nameSuffix", "type", "key", "device", "providerID", "lun"];

/** The field that identifies the elements of two lists; `undefined` if there is none. */
function nameField(lists: readonly (readonly unknown[])[]): string | undefined {
  return namesOf.find((field) =>
    lists.every((one) => {
      const values = one.map((item) => (isRecord(item) ? item[field] : undefined));
      return values.every((value) => value !== undefined) && new Set(values).size === values.length;
    }),
  );
}

type Found = Pick<Difference, "path" | "before" | "after" | "list">;

function inLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: Path,
  inside?: ListOnTheWay,
): Found[] {
  const field = nameField([before, after]);
  const list = inside ?? { path, before, after };
  if (field === undefined) {
    return [{ path, before: someOf(before), after: someOf(after), list }];
  }
  const named = (all: readonly unknown[], name: string) =>
    all.find((item) => isRecord(item) && String(item[field]) === name);
  const names = [...new Set([...before, ...after].map((item) => String((item as Plain)[field])))];
  return names.flatMap((name): Found[] => {
    const [old, fresh] = [named(before, name), named(after, name)];
    const at = [...path, `[${name}]`];
    return old === undefined || fresh === undefined
      ? [{ path: at, before: old, after: fresh, list }]
      : differences(old, fresh, at, list);
  });
}

const someOf = (all: readonly unknown[]): unknown => (all.length === 0 ? undefined : all);

type Path = readonly string[];

/** What differs between two values. A mapping or list that one side lacks is compared as an empty one. */
function differences(before: unknown, after: unknown, path: Path = [], inside?: ListOnTheWay): Found[] {
  const sides = [before, after].filter((side) => side !== undefined);
  if (sides.length === 0 || canonicalJson(before ?? null) === canonicalJson(after ?? null)) {
    return [];
  }
  if (sides.every(isRecord)) {
    const [old, fresh] = [(before ?? {}) as Plain, (after ?? {}) as Plain];
    return [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
      .sort()
      .flatMap((key) => differences(old[key], fresh[key], [...path, key], inside));
  }
  if (sides.every(Array.isArray)) {
    return inLists((before ?? []) as unknown[], (after ?? []) as unknown[], path, inside);
  }
  return [{ path, before, after, ...(inside === undefined ? {} : { list: inside }) }];
}

/** References to objects, which are not compared: a stack gives its objects names of its own. */
const references = ["configRef", "infrastructureRef", "controlPlaneRef", "identityRef", "clusterName"];

function withoutNames(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutNames);
  }
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => !references.includes(key))
          .map(([key, inner]) => [key, withoutNames(inner)]),
      )
    : value;
}

/** The content of a file for the comparison: kubelet's configuration as its fields, any other file as text. */
function fieldsOf(path: string, content: string): unknown {
  try {
    const found: unknown = patchFile.test(path) ? parse(content) : content;
    return isRecord(found) ? found : content;
  } catch {
    // Invalid YAML is compared as text.
    return content;
  }
}

/** A spec whose files have their content as the node gets it: decoded, and kubelet's configuration as fields. */
function readableFiles(spec: Plain): Plain {
  const files = list(spec.files).map((file) => {
    const { encoding, content, ...rest } = file;
    if (content === undefined) {
      return file;
    }
    const readable =
      encoding === "base64" ? Buffer.from(text(content), "base64").toString("utf8") : text(content);
    return {
      ...rest,
      ...(encoding === undefined || encoding === "base64" ? {} : { encoding }),
      content: fieldsOf(text(rest.path), readable),
    };
  });
  return files.length === 0 ? spec : { ...spec, files };
}

/** The part of an object that is compared. */
interface Part {
  readonly kind: string;
  readonly content: Plain;
}

const part = (object: CapiObject, content: Plain): Part => ({
  kind: object.kind,
  content: withoutNames(content) as Plain,
});

const metadata = ({ labels, annotations }: CapiObject): Plain => ({
  metadata: unlessEmpty({ labels: unlessEmpty(labels), annotations: unlessEmpty(annotations) }),
});

const whole = (object: CapiObject): Part => part(object, { ...metadata(object), spec: object.spec });

/** The parts of a MachineDeployment in the form of a MachinePool, for a pool that is one in the stack. */
function asScaleSet(pool: PoolObjects): Record<"pool" | "machines" | "bootstrap", Part> {
  const { identity, userAssignedIdentities, additionalTags, ...template } = machineSpec(pool);
  const { rollout, ...spec } = omitted(pool.pool.spec, "selector", "deletion", "revisionHistoryLimit");
  const strategy = isRecord(rollout) ? rollout.strategy : undefined;
  return {
    pool: { ...part(pool.pool, { ...metadata(pool.pool), spec }), kind: "MachinePool" },
    machines: {
      ...part(pool.machines, {
        ...metadata(pool.machines),
        spec: { ...unlessEmpty({ identity, userAssignedIdentities, additionalTags, strategy }), template },
      }),
      kind: "AzureMachinePool",
    },
    bootstrap: {
      ...part(pool.bootstrap, { ...metadata(pool.bootstrap), spec: readableFiles(bootstrapSpec(pool)) }),
      kind: "KubeadmConfig",
    },
  };
}

function poolParts(pool: PoolObjects, as: PoolObjects["kind"]): Part[] {
  if (pool.kind !== as) {
    const made = asScaleSet(pool);
    return [made.pool, made.machines, made.bootstrap];
  }
  const spec = readableFiles(bootstrapSpec(pool));
  return [
    whole(pool.pool),
    whole(pool.machines),
    part(pool.bootstrap, {
      ...metadata(pool.bootstrap),
      spec: pool.bootstrap.kind === "KubeadmConfigTemplate" ? { template: { spec } } : spec,
    }),
    ...(pool.healthCheck === undefined || as === "MachinePool" ? [] : [whole(pool.healthCheck)]),
  ];
}

function partsOf(objects: ClusterObjects): readonly (readonly [place: string, part: Part])[] {
  const { kubeadmConfigSpec, ...spec } = objects.controlPlane.spec;
  return [
    ["", whole(objects.cluster)],
    ["", whole(objects.azureCluster)],
    [
      "controlPlane",
      part(objects.controlPlane, {
        ...metadata(objects.controlPlane),
        spec: { ...spec, kubeadmConfigSpec: readableFiles((kubeadmConfigSpec ?? {}) as Plain) },
      }),
    ],
    ["controlPlane", whole(objects.controlPlaneMachines)],
    ...(objects.controlPlaneHealthCheck === undefined
      ? []
      : [["controlPlane", whole(objects.controlPlaneHealthCheck)] as const]),
  ];
}

/** Compares the parts of one place, kind by kind. */
function sideBySide(place: string, before: readonly Part[], after: readonly Part[]): Difference[] {
  return [...new Set([...before, ...after].map(({ kind }) => kind))].flatMap((kind) => {
    const [old, fresh] = [before, after].map((parts) => parts.find((one) => one.kind === kind)?.content);
    return differences(old ?? {}, fresh ?? {}).map((found) => ({ kind, place, ...found }));
  });
}

/**
 * The differences between the objects of a source and those of a plan. Objects that only the source has, such as
 * add-ons, are not compared.
 */
export function compared(before: ClusterObjects, after: ClusterObjects): Difference[] {
  const [old, fresh] = [partsOf(before), partsOf(after)];
  const common = ["", "controlPlane"].flatMap((place) => {
    const at = (parts: typeof old) => parts.filter(([where]) => where === place).map(([, one]) => one);
    return sideBySide(place, at(old), at(fresh));
  });
  const pools = before.pools.flatMap((pool) => {
    const made = after.pools.find(({ name, os }) => name === pool.name && os === pool.os);
    const place = `${pool.os}Pools.${pool.name}`;
    return made === undefined
      ? []
      : sideBySide(place, poolParts(pool, made.kind), poolParts(made, made.kind));
  });
  return [...common, ...pools];
}

/** Number of fields that the objects of a source have and that are compared. */
export const fieldCount = (objects: ClusterObjects): number =>
  [...partsOf(objects).map(([, one]) => one), ...objects.pools.flatMap((pool) => poolParts(pool, pool.kind))]
    .map(({ content }) => differences({}, content).length)
    .reduce((sum, count) => sum + count, 0);
