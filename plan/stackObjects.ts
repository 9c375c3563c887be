import { parseAllDocuments } from "yaml";
import type { KubernetesObject } from "../components/capi/types";
import type { Recording, RegisteredResource } from "./engine";
import { redact } from "./engine";
import { applyOrder, byName } from "./order";
import { isAzure } from "./resourceTypes";

/** A Kubernetes object as the program registered it; secrets are replaced by a placeholder. */
export interface RegisteredObject {
  readonly urn: string;
  readonly object: KubernetesObject;
}

/** One data key of a ConfigMap that a ClusterResourceSet delivers. */
export interface WorkloadStream {
  readonly set: string;
  readonly configMap: string;
  readonly key: string;
  readonly text: string;
  readonly objects: readonly KubernetesObject[];
}

export interface HelmRelease {
  readonly name: string;
  readonly inputs: Record<string, unknown>;
}

export interface AzureResource {
  readonly name: string;
  readonly type: string;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
}

/** Everything that a stack makes, sorted by where it goes. */
export interface StackObjects {
  /** In apply order. */
  readonly management: readonly RegisteredObject[];
  readonly releases: readonly HelmRelease[];
  readonly azure: readonly AzureResource[];
  /** In the order in which Cluster API applies them within each set. */
  readonly workload: readonly WorkloadStream[];
  /** What Pulumi itself puts into the workload cluster, in apply order. */
  readonly sample: readonly RegisteredObject[];
}

const helmRelease = "kubernetes:helm.sh/v3:Release";

type Plain = Record<string, unknown>;

const plainInputs = ({ inputs }: RegisteredResource): Plain => redact(inputs) as Plain;

/** Patches of objects that others made are no objects of their own. */
const isObject = ({ type, custom }: RegisteredResource): boolean =>
  custom && type.startsWith("kubernetes:") && type !== helmRelease && !type.endsWith("Patch");

/** The sample's provider is the only one that talks to the workload cluster. */
const inWorkloadCluster = ({ provider }: RegisteredResource): boolean =>
  provider?.urn.endsWith("::sample-provider") ?? false;

function streamsOf(management: readonly RegisteredObject[]): WorkloadStream[] {
  const configMaps = new Map(
    management
      .filter(({ object }) => object.kind === "ConfigMap")
      .map(({ object }) => [`${object.metadata.namespace ?? ""}/${object.metadata.name}`, object]),
  );
  return management
    .filter(({ object }) => object.kind === "ClusterResourceSet")
    .flatMap(({ object: set }) => {
      const { resources } = set.spec as { resources: { name: string }[] };
      return resources.flatMap(({ name }) => {
        const configMap = configMaps.get(`${set.metadata.namespace ?? ""}/${name}`);
        const data = (configMap?.data ?? {}) as Record<string, string>;
        // Cluster API takes the keys in alphabetical order.
        return Object.keys(data)
          .sort()
          .map((key) => stream(set.metadata.name, name, key, data[key] ?? ""));
      });
    });
}

function stream(set: string, configMap: string, key: string, text: string): WorkloadStream {
  const objects = parseAllDocuments(text).map((document): KubernetesObject | null => {
    const [error] = "errors" in document ? document.errors : [];
    if (error) {
      throw new Error(`${configMap}, key ${key}: ${error.message}`);
    }
    return ("toJS" in document ? document.toJS() : null) as KubernetesObject | null;
  });
  // An offline plan has a comment where a pinned manifest will be: a document without content.
  return { set, configMap, key, text, objects: objects.filter((object) => object !== null) };
}

export function stackObjects({ resources }: Recording): StackObjects {
  const ordered = applyOrder(resources).filter(isObject);
  const objects = (of: readonly RegisteredResource[]): RegisteredObject[] =>
    of.map((resource) => ({
      urn: resource.urn,
      object: plainInputs(resource) as unknown as KubernetesObject,
    }));
  const management = objects(ordered.filter((resource) => !inWorkloadCluster(resource)));
  return {
    management,
    releases: resources
      .filter(({ type }) => type === helmRelease)
      .map((resource) => ({ name: resource.name, inputs: plainInputs(resource) }))
      .sort(byName),
    azure: resources
      .filter(({ type, custom }) => custom && isAzure(type))
      .map((resource) => ({
        name: resource.name,
        type: resource.type,
        id: resource.id ?? "",
        inputs: plainInputs(resource),
      }))
      .sort(byName),
    workload: streamsOf(management),
    sample: objects(ordered.filter(inWorkloadCluster)),
  };
}
