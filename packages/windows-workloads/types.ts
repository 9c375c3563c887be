import type { PoolFacts } from "capz-windows-contract";
import type { WindowsVersion } from "capz-windows-platform/workloads/windowsVersions";

/** A Kubernetes object as it was written; its shape has not been checked. */
export interface WorkloadManifest {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly object: unknown;
  /** File and number of the document: "shop.yaml, document 2". */
  readonly source: string;
}

/** Objects by their kinds and names, so that a workload finds those that concern it without a walk over all. */
export interface Manifests {
  /** Whether there are any that a cluster has. */
  readonly areOfCluster: boolean;
  readonly ofKind: (kind: string) => readonly WorkloadManifest[];
  readonly named: (kind: string, name: string) => readonly WorkloadManifest[];
}

/** The `source` of objects that were read from a cluster, whose API server has accepted them already. */
export const ofCluster = "in the cluster";

/** An object that creates pods. */
export interface Workload extends WorkloadManifest {
  /** The template of its pods; a Pod itself. */
  readonly template: unknown;
  readonly podLabels: Readonly<Record<string, string>>;
  readonly podSpec: unknown;
  /** Whether it is of a kind of Kubernetes itself. */
  readonly isKnown: boolean;
}

/** A workload, and what its pods find in the cluster. */
export interface PodMaker extends Workload {
  /** Whether an API server has taken it already. */
  readonly isAccepted: boolean;
  /** Whether the names of the nodes are known. */
  readonly knowsNodes: boolean;
  /** Whether a webhook puts credential specs into pods; `undefined` if nobody knows. */
  readonly hasGmsa: boolean | undefined;
  /** Whether an object that its pods may name is among the manifests. */
  readonly has: (kind: string, name: string) => boolean;
  /** The keys of a ConfigMap or Secret among the manifests; `undefined` where only its name is known. */
  readonly keysOf: (kind: string, name: string) => readonly string[] | undefined;
}

/** Nodes that the scheduler and containers cannot distinguish. */
export interface NodePool extends Pick<PoolFacts, "name" | "os" | "vmSize" | "taints"> {
  /** Version of Windows; `undefined` for Linux nodes. */
  readonly version?: WindowsVersion | undefined;
  readonly windowsServer?: string | undefined;
  readonly architecture: string;
  /** CPUs that pods can use; `undefined` if they are unknown, as of a VM size whose name does not tell. */
  readonly cpus?: number | undefined;
  /** Memory that pods can use, in bytes; `undefined` if it is unknown. */
  readonly memoryBytes?: number | undefined;
  /** Labels with all values that they have on the nodes, such as several zones. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** Whether nobody has described the nodes: they may have other labels and any taints. */
  readonly isAssumed?: true;
}

export interface StorageClass {
  readonly name: string;
  readonly provisioner: string;
  readonly isDefault: boolean;
  /** Empty if the driver chooses. */
  readonly fsType: string;
  readonly protocol: string;
  /** Whether the cluster has it, so that its driver runs. */
  readonly isThere: boolean;
}

/** An operating system and architecture on which an image can run. */
export interface ImagePlatform {
  readonly os: string;
  readonly architecture: string;
  /** Only of Windows images; those for HostProcess containers have none. */
  readonly osVersion?: string | undefined;
}

/** What is known about an image, and its source. */
export interface ImageFacts {
  readonly from: "registry" | "tag";
  /** Empty if they are not known. */
  readonly platforms: readonly ImagePlatform[];
  /** Why the registry did not answer. */
  readonly problem?: string | undefined;
}

/** Three answers: it runs, it does not, or not all of it was looked at. Unknown is never good news. */
export type CheckVerdict = "yes" | "no" | "notChecked";

/** What happens to the pods of a workload on the nodes of a pool. */
export interface PoolVerdict {
  readonly pool: string;
  /** `notChecked`: not all was looked at; with reasons, it fails if the node that it names is in this pool. */
  readonly result: "runs" | "notScheduled" | "fails" | "notChecked";
  readonly reasons: readonly string[];
  /** Of `notChecked` with reasons: under which condition it fails. */
  readonly onlyIf?: string;
  /** What was not looked at for this pool. */
  readonly notChecked?: readonly string[];
}

export interface WorkloadResult {
  readonly workload: string;
  readonly source: string;
  readonly verdicts: readonly PoolVerdict[];
  /** Problems that do not depend on a pool, such as an object that the API server refuses or a claim that stays pending. */
  readonly errors: readonly string[];
  /** What was not looked at, whatever the pool. */
  readonly notChecked: readonly string[];
  readonly notes: readonly string[];
}
