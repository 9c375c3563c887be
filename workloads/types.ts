import type { Isolation, WindowsVersion } from "../domain/workloads/windowsVersions";

/** A Kubernetes object as somebody wrote it; nobody has checked its shape. */
export interface Manifest {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly object: unknown;
  /** File and number of the document: "shop.yaml, document 2". */
  readonly source: string;
}

/** Something that makes pods. */
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
  /** What pods can have, as far as the name of the VM size tells. */
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

/** What is known of an image, and from where. */
export interface ImageFacts {
  readonly from: "registry" | "recorded" | "tag";
  /** Empty where nobody knows. */
  readonly platforms: readonly ImagePlatform[];
  /** Why the registry did not say it. */
  readonly problem?: string | undefined;
}

/** What becomes of the pods of a workload on the nodes of a pool. */
export interface Verdict {
  readonly pool: string;
  readonly result: "runs" | "notScheduled" | "fails";
  readonly reasons: readonly string[];
}

export interface WorkloadResult {
  readonly workload: string;
  readonly source: string;
  readonly verdicts: readonly Verdict[];
  /** What is true on every node: the API server refuses it, or Windows ignores it. */
  readonly errors: readonly string[];
  readonly notes: readonly string[];
}
