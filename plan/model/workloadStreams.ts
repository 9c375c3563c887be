import type { KubernetesObject } from "capz-types";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { readObjects } from "capz-windows-platform/manifests/yamlStream";
import type { PlanResource } from "capz-windows-contract";

/** One data key of a ConfigMap that a ClusterResourceSet delivers to the workload cluster. */
export interface WorkloadStream {
  /** Name of the ClusterResourceSet. */
  readonly set: string;
  readonly configMap: string;
  readonly key: string;
  readonly text: string;
  readonly objects: readonly KubernetesObject[];
  /** Why the text is not YAML; such a document has no object. */
  readonly errors: readonly string[];
}

/** One data key of a ConfigMap. */
type DataStream = Omit<WorkloadStream, "set" | "configMap">;

/** Parsed streams are kept, because the manifests of an add-on are long and have several readers. */
const parsed = new WeakMap<PlanResource, readonly DataStream[]>();

/** The YAML streams of a ConfigMap, in the order in which Cluster API applies them: alphabetical by key. */
export function dataStreams(configMap: PlanResource): readonly DataStream[] {
  const known = parsed.get(configMap);
  if (known) {
    return known;
  }
  const data = (configMap.inputs.data ?? {}) as Readonly<Record<string, string>>;
  const streams = Object.keys(data)
    .sort()
    .map((key): DataStream => {
      const text = data[key] ?? "";
      return { key, text, ...readObjects(text) };
    });
  parsed.set(configMap, streams);
  return streams;
}

const nameOf = ({ inputs }: PlanResource): string =>
  `${textAt(inputs, "metadata", "namespace")}/${textAt(inputs, "metadata", "name")}`;

/**
 * What a ClusterResourceSet delivers, in the order in which Cluster API applies it.
 * @param resources in which its ConfigMaps are
 */
export function streamsOfSet(set: PlanResource, resources: readonly PlanResource[]): WorkloadStream[] {
  const configMaps = new Map(
    resources.filter(({ inputs }) => inputs.kind === "ConfigMap").map((found) => [nameOf(found), found]),
  );
  const namespace = textAt(set.inputs, "metadata", "namespace");
  return list(at(set.inputs, "spec", "resources")).flatMap((reference) => {
    const configMap = String(reference.name);
    const found = configMaps.get(`${namespace}/${configMap}`);
    const delivered = { set: textAt(set.inputs, "metadata", "name"), configMap };
    return found === undefined ? [] : dataStreams(found).map((stream) => ({ ...delivered, ...stream }));
  });
}
