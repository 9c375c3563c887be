import type { KubernetesObject } from "capz-types";
import { isWithin } from "./components";
import { applyOrder, byName } from "./order";
import type { PlanResource } from "capz-windows-contract";
import type { PlannedResource } from "./planDocument";
import { isAzure, isKubernetesObject, isRelease } from "./resourceTypes";
import { streamsOfSet, type WorkloadStream } from "./workloadStreams";

/** A Kubernetes object as the program registered it; secrets are replaced by a placeholder. */
export interface RegisteredObject {
  readonly urn: string;
  readonly object: KubernetesObject;
}

/** Everything that a stack makes, sorted by where it goes. */
export interface StackObjects {
  /** In apply order. */
  readonly management: readonly RegisteredObject[];
  readonly releases: readonly Pick<PlanResource, "name" | "inputs">[];
  readonly azure: readonly Required<Pick<PlannedResource, "name" | "type" | "id" | "inputs">>[];
  /** In the order in which Cluster API applies them within each set. */
  readonly workload: readonly WorkloadStream[];
  /** What Pulumi itself puts into the workload cluster, in apply order. */
  readonly sample: readonly RegisteredObject[];
}

/** Only the sample workload has its own provider, which talks to the workload cluster. */
const isInWorkloadCluster = ({ provider = "" }: PlanResource): boolean =>
  isWithin(provider, "SampleWorkload");

const registeredObject = ({ urn, inputs }: PlanResource): RegisteredObject => ({
  urn,
  object: inputs as unknown as KubernetesObject,
});

/** @throws Error when what a ClusterResourceSet delivers is not YAML: Cluster API would deliver none of it */
function workloadStreams(management: readonly PlanResource[]): WorkloadStream[] {
  const streams = management
    .filter(({ inputs }) => inputs.kind === "ClusterResourceSet")
    .flatMap((set) => streamsOfSet(set, management));
  for (const { configMap, key, errors } of streams.filter((stream) => stream.errors.length > 0)) {
    throw new Error(`${configMap}, key ${key}: ${errors[0] ?? ""}`);
  }
  return streams;
}

/**
 * @param resources of an update, in which every id is known
 * @throws Error when what a ClusterResourceSet delivers is not YAML
 */
export function stackObjects(resources: readonly PlannedResource[]): StackObjects {
  const ordered = applyOrder(resources).filter(isKubernetesObject);
  const management = ordered.filter((resource) => !isInWorkloadCluster(resource));
  return {
    management: management.map(registeredObject),
    releases: resources
      .filter(isRelease)
      .map(({ name, inputs }) => ({ name, inputs }))
      .sort(byName),
    azure: resources
      .filter(({ type, custom }) => custom && isAzure(type))
      .map(({ name, type, id = "", inputs }) => ({ name, type, id, inputs }))
      .sort(byName),
    workload: workloadStreams(management),
    sample: ordered.filter(isInWorkloadCluster).map(registeredObject),
  };
}
