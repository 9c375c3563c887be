import { objectSchema, patchFaults } from "../capi/overrides/crdSchema";
import { allGuards } from "../capi/overrides/guards";
import { type Path, type Step, valueAt } from "./advice/steps";
import { keysOf, nodeAt } from "./jsonSchema";

/** Where the CRDs have the fields of what a mapping of the stack file describes. */
const homes = [
  ["spec"],
  ["spec", "template"],
  ["spec", "template", "spec"],
  ["spec", "kubeadmConfigSpec"],
] as const;

/**
 * A field of exactly one object of a pool, of the control plane or of the cluster, with a value that its CRD allows, as a
 * patch in `overrides` of the same mapping. Fields for which there is a key, and those that patches may not set, are left out.
 */
export function inOverrides(path: Path, root: unknown): Step[][] {
  const key = String(path.at(-1));
  const overrides = [...path.slice(0, -1), "overrides"];
  const value = valueAt(root, path);
  const targets = keysOf(nodeAt(overrides, root)).flatMap((kind) =>
    homes.flatMap((home): Path[] => {
      const patch = [...home, key].reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
      const field = [...home, key].join(".");
      const isGuarded = allGuards.some(
        (guard) => guard.kinds.includes(kind) && (guard.path === field || guard.path.startsWith(`${field}.`)),
      );
      return isGuarded || patchFaults(objectSchema(kind), patch).length > 0
        ? []
        : [[...overrides, kind, ...home, key]];
    }),
  );
  const [only, ...others] = targets;
  return value === null || only === undefined || others.length > 0 || valueAt(root, only) !== undefined
    ? []
    : [[{ move: path, to: only }]];
}
