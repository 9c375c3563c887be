import { minor } from "semver";
import type { Problem } from "capz-windows-kit/problem";
import { ConfigError } from "capz-windows-kit/problem";
import { at, isRecord, list, textAt } from "capz-windows-kit/untyped";
import { writeLine } from "capz-windows-kit/writeLine";
import { canonicalJson } from "../contentHash";
import type { KubernetesObject } from "capz-types";
import { missingFields, objectSchema, patchFaults } from "./crdSchema";
import { allGuards, controlPlaneOptions, elementGuards, isReservedMetadata, keptLists } from "./guards";
import { leavesOf, mergePatch, type Leaf } from "capz-windows-kit/mergePatch";
import { present } from "capz-windows-kit/present";

/** Merge patches by the kind of the object. */
export type Overrides = Readonly<Record<string, unknown>>;

/** The same as texts in JSON, as the components take them: their schema for other languages has no open values. */
export const parseOverrides = (texts: Readonly<Record<string, string>> = {}): Overrides =>
  Object.fromEntries(Object.entries(texts).map(([kind, text]) => [kind, JSON.parse(text) as unknown]));

const lastOf = (path: readonly string[]): string => path.at(-1) ?? "";

/** Does a leaf change what is at a path, or remove something that it is in? */
const touches = ({ path, value }: Leaf, guarded: string): boolean => {
  const own = path.join(".");
  return (
    own === guarded || own.startsWith(`${guarded}.`) || (value === null && guarded.startsWith(`${own}.`))
  );
};

/** The mapping of labels or annotations without the keys that are not the user's. */
function metadataProblems(kind: string, patch: unknown): Problem[] {
  return ["labels", "annotations"].flatMap((key): Problem[] => {
    const given = at(patch, "metadata", key);
    const reserved = isRecord(given) ? Object.keys(given).filter(isReservedMetadata) : [];
    return present(
      reserved.length > 0 && {
        path: `overrides.${kind}.metadata.${key}`,
        value: given,
        problem: `${reserved.join(", ")}: the program writes or reads ${reserved.length === 1 ? "it" : "them"} itself`,
        allowed: "other keys",
      },
    );
  });
}

/** The minor version of an object with one; no limit for one without. */
const minorOf = (object: unknown): number => {
  const version = textAt(object, "spec", "version");
  return version === "" ? Infinity : minor(version);
};

/** Elements of lists for which the stack file has a key, unless the program has put them there. */
const elementProblems = (kind: string, leaves: readonly Leaf[], object: unknown): Problem[] =>
  elementGuards
    .filter(({ kinds, from = 0 }) => kinds.includes(kind) && from <= minorOf(object))
    .flatMap(({ path, name, why, instead }): Problem[] => {
      const value = leaves.find((leaf) => leaf.path.join(".") === path)?.value;
      const given: readonly unknown[] = Array.isArray(value) ? value : [];
      const own = list(at(object, ...path.split("."))).map(canonicalJson);
      const refused = given.filter(
        // Kubernetes reads a flag with _ as the one with -.
        (element) =>
          name.test(textAt(element, "name").replaceAll("_", "-")) && !own.includes(canonicalJson(element)),
      );
      return present(
        refused.length > 0 && {
          path: `overrides.${kind}.${path}`,
          problem: `${refused.map((element) => textAt(element, "name")).join(", ")}: an override may not set this: ${why}`,
          allowed: instead === undefined ? "other elements" : `other elements; for these, ${instead}`,
        },
      );
    });

/**
 * What is wrong with a merge patch of an object: fields that its CRD does not have, and what the program relies on. Paths
 * begin at the mapping with the key `overrides`.
 * @param object - the program's own; without it, what depends on it is not checked
 * @param pool - path of the pool that has the override, with a dot at its end
 */
export function overrideProblems(kind: string, patch: unknown, object?: unknown, pool = ""): Problem[] {
  const leaves = leavesOf(patch);
  const hits = allGuards
    .filter((guard) => guard.kinds.includes(kind))
    .flatMap(({ path, why, instead, isIfSet = false, isOfPools = false }): Problem[] => {
      const hit = leaves.find(
        (leaf) => touches(leaf, path) && (!isIfSet || at(object, ...leaf.path) !== undefined),
      );
      if (hit === undefined) {
        return [];
      }
      const shown = hit.path.length < path.split(".").length ? hit.path.join(".") : path;
      // A key with a dot is no step of a path: its mapping is named.
      const place = shown.replace(/\.(labels|annotations)\..*\/.*$/, ".$1");
      const hasNoKey = isOfPools && pool === "controlPlane." && !controlPlaneOptions.includes(instead ?? "");
      return [
        {
          path: `overrides.${kind}.${place}`,
          problem: `an override may not change ${place === shown ? "this" : shown}: ${hasNoKey ? "pools have a key for it, and the control plane has none" : why}`,
          allowed:
            instead === undefined || hasNoKey ? "other fields" : `other fields; for this one, ${instead}`,
        },
      ];
    });
  // The guard of a field says more than that of the mapping around it.
  const guarded = hits.filter(({ path }) => !hits.some((inner) => inner.path.startsWith(`${path}.`)));
  const isGuarded = (path: string): boolean =>
    guarded.some((problem) => `overrides.${kind}.${path}`.startsWith(problem.path));
  const schema = objectSchema(kind);
  const faults = patchFaults(schema, patch)
    .filter(({ path }) => !isGuarded(path.join(".")))
    .map(({ path, value, problem, allowed }): Problem => {
      const inMetadata = path.length === 3 && path[0] === "metadata";
      const shown = inMetadata ? path.slice(0, 2) : path;
      return {
        path: ["overrides", kind, ...shown].join("."),
        value,
        problem: inMetadata ? `${lastOf(path)}: ${problem}` : problem,
        allowed,
      };
    });
  return [
    ...guarded,
    ...elementProblems(kind, leaves, object),
    ...metadataProblems(kind, patch),
    ...faults,
  ].filter(
    ({ path }, index, all) =>
      all.findIndex((other) => other.path === path || path.startsWith(`${other.path}.`)) === index,
  );
}

/** Elements that the program has put into lists and that a patch leaves out. */
function droppedElements(object: unknown, patch: unknown, kind: string): Problem[] {
  return leavesOf(patch).flatMap(({ path, value }): Problem[] => {
    const before = at(object, ...path);
    const own: readonly unknown[] = Array.isArray(before) ? before : [];
    if (own.length === 0 || !keptLists.some((kept) => kept.test(path.join(".")))) {
      return [];
    }
    const given: readonly unknown[] = Array.isArray(value) ? value : [];
    const after = given.map(canonicalJson);
    const dropped = own.filter((element) => !after.includes(canonicalJson(element)));
    const names = dropped.map((element) => textAt(element, "name")).filter((name) => name !== "");
    const isChanged = (element: unknown): boolean => names.includes(textAt(element, "name"));
    const changed = given.filter(isChanged).map((element) => textAt(element, "name"));
    return present(
      dropped.length > 0 && {
        path: `overrides.${kind}.${path.join(".")}`,
        value,
        problem: `a merge patch replaces the whole list, and the program's own elements are missing in it${changed.length > 0 ? `: ${changed.join(", ")} must keep the program's value` : ""}`,
        allowed: "a list with the program's elements and yours",
        write: writeLine(lastOf(path), [...dropped, ...given.filter((element) => !isChanged(element))]),
      },
    );
  });
}

/** What the CRD or the program cannot do with in a patch of this object. */
export function patchProblems(kind: string, object: unknown, patch: unknown, pool = ""): Problem[] {
  const missing = missingFields(objectSchema(kind), mergePatch(object, patch), patch).map(
    (path): Problem => ({
      path: `overrides.${kind}.${path}`,
      problem: "the CRD requires this field beside those that the override sets",
      allowed: "a value",
      write: `${path.split(".").at(-1) ?? path}: <a value>`,
    }),
  );
  return [
    ...overrideProblems(kind, patch, object, pool),
    ...droppedElements(object, patch, kind),
    ...missing,
  ];
}

/**
 * An object with the override of its kind. What its name is made of is to be hashed afterwards.
 * @throws ConfigError if the CRD or the program cannot do with the result
 */
export function overridden<T extends KubernetesObject>(object: T, overrides: Overrides = {}): T {
  const { kind } = object;
  const patch = overrides[kind];
  if (patch === undefined) {
    return object;
  }
  const problems = patchProblems(kind, object, patch);
  if (problems.length > 0) {
    throw new ConfigError(`${kind} ${object.metadata.name}`, problems);
  }
  return mergePatch(object, patch) as T;
}

/** The metadata of an object with the override of its kind, which `overridden` checks. */
export const overriddenMetadata = <T extends KubernetesObject["metadata"]>(
  kind: string,
  metadata: T,
  overrides: Overrides = {},
): T => mergePatch(metadata, at(overrides[kind], "metadata") ?? {}) as T;

/** Where overrides reach, one text each: `AzureMachinePool spec.template.diagnostics`. */
export const overriddenPaths = (overrides: Overrides): string[] =>
  Object.entries(overrides).flatMap(([kind, patch]) =>
    leavesOf(patch).map(({ path }) => `${kind} ${path.join(".")}`),
  );
