import { YamlError, yamlParts, type YamlOptions } from "capz-windows-kit/boundedYaml";
import { at, isRecord, list, ownValue, textAt, texts } from "capz-windows-kit/untyped";
import { isolationOf } from "capz-windows-platform/workloads/runtimeClasses";
import { ofCluster, type Manifests, type WorkloadManifest, type Workload } from "./types";

/** The objects that create pods, from YAML streams as Helm, kustomize and `kubectl get -o yaml` write them. */

/** Manifests that cannot be read; the message is written for the user. */
export class ManifestsError extends Error {
  override readonly name = "ManifestsError";
}

export interface ManifestText {
  readonly name: string;
  readonly text: string;
}

/** The objects of a `List`, also of lists inside it; any other value itself. */
const unfold = (value: unknown): unknown[] =>
  textAt(value, "kind").endsWith("List") && Array.isArray(at(value, "items"))
    ? list(at(value, "items")).flatMap(unfold)
    : [value];

/** What `kubectl get` prints of a large cluster has less. */
const limits = { bytes: 100_000_000, values: 10_000_000 };

/** As kubectl reads it: go.yaml.in/yaml/v2 knows neither dates nor numbers like 12:30, and e404 is a text. */
const yaml: YamlOptions = {
  version: "1.1",
  merge: true,
  logLevel: "error",
  customTags: (tags) =>
    tags.filter(
      (tag) =>
        typeof tag === "string" ||
        !(tag.tag.endsWith(":timestamp") || ("format" in tag && ["TIME", "EXP"].includes(tag.format ?? ""))),
    ),
};

/** Why a document has no value. */
function faultOf({ message, isSyntax }: YamlError, text: string): string {
  if (!isSyntax) {
    return `: ${message}`;
  }
  const isTemplate = /\{\{-? *[.$a-z(]/.test(text);
  const tabs = "; kubectl takes tabs before a line of a text in quotes, and this reader does not";
  const hint = ": it looks like a template, so give this the output of helm template";
  return ` is no YAML to this reader: ${message}${/^ *\t/m.test(text) ? tabs : ""}${isTemplate ? hint : ""}`;
}

/** The objects of a stream, and a sentence for each document that was not read. */
interface ReadText {
  readonly manifests: readonly WorkloadManifest[];
  readonly unread: readonly string[];
}

function partsOf(text: string): unknown[] {
  try {
    return yamlParts(text, limits, yaml);
  } catch (error) {
    if (error instanceof YamlError) {
      return [error];
    }
    throw error;
  }
}

/**
 * Anything that is not a Kubernetes object is left out, because charts print comments and empty documents; a document that is
 * not YAML, or no mapping, was written by a program that has failed.
 */
export function readManifests({ name, text }: ManifestText): ReadText {
  const read = partsOf(text).map((value, index): ReadText => {
    const source = `${name}, document ${index + 1}`;
    if (value instanceof YamlError) {
      return { manifests: [], unread: [`${source}${faultOf(value, text)}`] };
    }
    return value === null || value === undefined || isRecord(value)
      ? { manifests: objectsIn(value, source), unread: [] }
      : { manifests: [], unread: [`${source}: this is no Kubernetes object, but a text or a list`] };
  });
  return {
    manifests: read.flatMap(({ manifests }) => manifests),
    unread: read.flatMap(({ unread }) => unread),
  };
}

const objectsIn = (value: unknown, source: string): WorkloadManifest[] =>
  unfold(value)
    .filter((value) => isRecord(value) && textAt(value, "kind") !== "" && textAt(value, "apiVersion") !== "")
    .map((object) => ({
      kind: textAt(object, "kind"),
      name: textAt(object, "metadata", "name") || `${textAt(object, "metadata", "generateName")}…`,
      namespace: textAt(object, "metadata", "namespace") || "default",
      object,
      source,
    }));

/** The path of the pod template in each kind that Kubernetes has, by version and kind; a Pod is one itself. */
const templates: Readonly<Record<string, readonly string[]>> = {
  "v1 Pod": [],
  "v1 ReplicationController": ["spec", "template"],
  "apps/v1 Deployment": ["spec", "template"],
  "apps/v1 DaemonSet": ["spec", "template"],
  "apps/v1 StatefulSet": ["spec", "template"],
  "apps/v1 ReplicaSet": ["spec", "template"],
  "batch/v1 Job": ["spec", "template"],
  "batch/v1 CronJob": ["spec", "jobTemplate", "spec", "template"],
};

/** Whether an object has an owner. Such a Pod or ReplicaSet is left out, because its owner is checked. */
const isMade = (object: unknown): boolean => list(at(object, "metadata", "ownerReferences")).length > 0;

/** The pod template below an object of another kind, such as a Rollout; patches of templates have no images. */
function templateIn(value: unknown, depth = 4): unknown {
  const containers = list(at(value, "spec", "containers"));
  if (containers.length > 0 && containers.every((container) => textAt(container, "image") !== "")) {
    return value;
  }
  return isRecord(value) && depth > 0
    ? Object.values(value)
        .map((inner) => templateIn(inner, depth - 1))
        .find((found) => found !== undefined)
    : undefined;
}

export const workloadsOf = (manifests: readonly WorkloadManifest[]): Workload[] =>
  manifests.flatMap((manifest) => {
    const { object, kind } = manifest;
    const path = ownValue(templates, `${textAt(object, "apiVersion")} ${kind}`);
    const template = path === undefined ? templateIn(at(object, "spec")) : at(object, ...path);
    if ((path === undefined && template === undefined) || isMade(object)) {
      return [];
    }
    const podLabels = texts(at(template, "metadata", "labels"));
    return [{ ...manifest, template, podSpec: at(template, "spec"), podLabels, isKnown: path !== undefined }];
  });

/** @see Manifests */
export function manifestsByName(manifests: readonly WorkloadManifest[]): Manifests {
  const found = new Map<string, WorkloadManifest[]>();
  for (const manifest of manifests) {
    for (const key of [manifest.kind, `${manifest.kind}/${manifest.name}`]) {
      const others = found.get(key);
      if (others === undefined) {
        found.set(key, [manifest]);
      } else {
        others.push(manifest);
      }
    }
  }
  return {
    areOfCluster: manifests.some(({ source }) => source === ofCluster),
    ofKind: (kind) => found.get(kind) ?? [],
    named: (kind, name) => found.get(`${kind}/${name}`) ?? [],
  };
}

/** Kinds that the checks of workloads look at; those that have owners make no pods of their own. */
const known =
  /^(?:ConfigMap|Secret|ServiceAccount|Namespace|Service|(?:Global)?NetworkPolicy|PersistentVolume(?:Claim)?|StorageClass|CSIDriver|RuntimeClass|PriorityClass|GMSACredentialSpec|MutatingWebhookConfiguration|Pod|ReplicaSet|ReplicationController|Job)$/;

/** Of objects that make no pods, those that no check looks at. */
export const othersOf = (manifests: readonly WorkloadManifest[]): WorkloadManifest[] =>
  manifests.filter(({ kind }) => !known.test(kind));

export type RuntimeClass = ReturnType<typeof runtimeClassOf>;

export const runtimeClassOf = (object: unknown) => ({
  name: textAt(object, "metadata", "name"),
  handler: textAt(object, "handler"),
  isolation: isolationOf(textAt(object, "handler")),
  nodeSelector: texts(at(object, "scheduling", "nodeSelector")),
  tolerations: list(at(object, "scheduling", "tolerations")),
  overhead: texts(at(object, "overhead", "podFixed")),
});

export const runtimeClassesOf = (manifests: readonly WorkloadManifest[]): RuntimeClass[] =>
  manifests.filter(({ kind }) => kind === "RuntimeClass").map(({ object }) => runtimeClassOf(object));
