import type { Isolation, WindowsVersion } from "../domain/workloads/windowsVersions";

/** A Kubernetes object as it was written; its shape has not been checked. */
export interface Manifest {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly object: unknown;
  /** File and number of the document: "shop.yaml, document 2". */
  readonly source: string;
}

/** `source` of what lives in a cluster: its API server has taken it already. */
export const ofCluster = "in the cluster";

/** An object that creates pods. */
export interface Workload extends Manifest {
  readonly podLabels: Readonly<Record<string, string>>;
  readonly podSpec: unknown;
}

/** Nodes that are alike. */
export interface NodePool {
  readonly name: string;
  readonly os: "linux" | "windows";
  /** Of Windows nodes. */
  readonly version?: WindowsVersion | undefined;
  readonly windowsServer?: string | undefined;
  readonly architecture: string;
  readonly vmSize: string;
  /** The resources that pods can use, as far as they are known from the name of the VM size. */
  readonly cpus?: number | undefined;
  readonly memoryBytes?: number | undefined;
  /** A label has several values where the nodes of a pool differ, as in their zone. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  readonly taints: readonly Taint[];
}

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

export interface RuntimeClass {
  readonly name: string;
  readonly handler: string;
  readonly isolation: Isolation | undefined;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly unknown[];
  readonly overhead: Readonly<Record<string, string>>;
}

export interface StorageClass {
  readonly name: string;
  readonly provisioner: string;
  readonly isDefault: boolean;
  /** Empty where the driver chooses. */
  readonly fsType: string;
  readonly protocol: string;
}

/** One thing that an image can run on. */
export interface ImagePlatform {
  readonly os: string;
  readonly architecture: string;
  /** Of Windows images, except those that are for HostProcess containers. */
  readonly osVersion?: string | undefined;
}

/** What is known about an image, and its source. */
export interface ImageFacts {
  readonly from: "registry" | "recorded" | "tag";
  /** Empty if they are not known. */
  readonly platforms: readonly ImagePlatform[];
  /** Why the registry did not answer. */
  readonly problem?: string | undefined;
}

/** What happens to the pods of a workload on the nodes of a pool. */
export interface Verdict {
  readonly pool: string;
  readonly result: "runs" | "notScheduled" | "fails";
  readonly reasons: readonly string[];
}

export interface WorkloadResult {
  readonly workload: string;
  readonly source: string;
  readonly verdicts: readonly Verdict[];
  /** Problems on every node: the API server refuses something, or Windows ignores it. */
  readonly errors: readonly string[];
  readonly notes: readonly string[];
}
