import { plainYaml, yamlDocuments } from "../../../tools/boundedYaml";
import { manifestLabel } from "../../../platform/manifests/userManifests";
import { isRecord, list, text, type Plain } from "../../../tools/untyped";
import { poolName } from "../foreign";
import { hasSecret } from "./boilerplate";
import type { CapiObject } from "./normal";
import { addonReason } from "./others";

/** ClusterResourceSets of the user's own, which a stack file has as extraManifests. */

/** A ConfigMap has at most 1 MiB. */
const mostValues = 100_000;

/** The objects of a YAML stream; none if it is not valid YAML. */
function objectsIn(yaml: string): Plain[] {
  const documents = yamlDocuments(yaml);
  const plain = documents.map((document) =>
    document.errors.length > 0 ? undefined : plainYaml(document, mostValues),
  );
  return plain.every((one) => one !== undefined && "value" in one)
    ? plain.map(({ value }) => value).filter(isRecord)
    : [];
}

/** The key of a set in extraManifests: from the stack's own label, otherwise its name without that of the cluster. */
const nameOf = ({ name, labels }: CapiObject, cluster: string): string =>
  labels[manifestLabel] ?? poolName(name.startsWith(`${cluster}-`) ? name.slice(cluster.length + 1) : name);

/**
 * The user's sets whose ConfigMaps are all in the source. A set with a Secret, or with a text that may contain a
 * secret, is left out as a whole.
 */
export function extraManifests(
  others: readonly CapiObject[],
  cluster: string,
): { readonly keys: { extraManifests?: Plain }; readonly carried: ReadonlySet<CapiObject> } {
  const carried = new Set<CapiObject>();
  const made: Record<string, Plain> = {};
  for (const set of others.filter((object) => object.kind === "ClusterResourceSet")) {
    const maps = list(set.spec.resources).map((resource) =>
      others.find(
        ({ kind, name, namespace }) =>
          kind === resource.kind &&
          kind === "ConfigMap" &&
          name === resource.name &&
          namespace === set.namespace,
      ),
    );
    const texts = maps.flatMap((map) => Object.values(isRecord(map?.data) ? map.data : {}).map(text));
    const objects = texts.flatMap(objectsIn);
    const isOwn = [set, ...maps].every((object) => object !== undefined && addonReason(object) === undefined);
    if (isOwn && objects.length > 0 && !texts.some(hasSecret)) {
      const strategy = set.spec.strategy === "Reconcile" ? {} : { strategy: "ApplyOnce" };
      made[nameOf(set, cluster)] = { objects, ...strategy };
      [set, ...maps].forEach((object) => object !== undefined && carried.add(object));
    }
  }
  return { keys: Object.keys(made).length === 0 ? {} : { extraManifests: made }, carried };
}
