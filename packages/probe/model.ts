import type { StackFacts } from "capz-windows-contract";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import type { NodeOs } from "capz-windows-platform/machines/naming";

/** What the parts of the probe exchange. */

/** A node of the stack. The pool of a control plane machine is "control-plane". */
export interface ProbeNode {
  readonly name: string;
  readonly os: NodeOs;
  readonly pool: string;
  readonly zone: string;
  readonly ip: string;
  /** Whether it is Ready and takes pods. */
  readonly ready: boolean;
  readonly object: KubeObject;
}

export const controlPlanePool = "control-plane";

/** Where a pod runs its steps: in the network of its node, or in a pod network. */
export type ProbePlace = "host" | "pod";

/** One measurement, compared with the plan. */
export interface ProbeRow {
  /** The check, such as `mtu`. */
  readonly check: string;
  /** The node, pod, pool or pair that was measured. */
  readonly where: string;
  readonly expected: string;
  /** What was measured; for "not measured", why it was not. */
  readonly measured: string;
  readonly verdict: "as planned" | "finding" | "not measured";
  readonly remedy?: string;
  /** Set for what was measured again after a node had restarted. */
  readonly afterRestartOf?: string;
}

/** A measurement that is as planned, or a finding with what to do. */
export const judged = (
  row: Omit<ProbeRow, "verdict" | "remedy">,
  isRight: boolean,
  remedy: string,
): ProbeRow => (isRight ? { ...row, verdict: "as planned" } : { ...row, verdict: "finding", remedy });

/** A line that a step has written. */
export type StepResult = Readonly<Record<string, unknown>> & {
  readonly step: string;
  readonly argument: string;
};

/** What became of a pod. */
export interface PodOutcome {
  readonly results: readonly StepResult[];
  /** Why results may be missing; "" for a pod that has done everything. */
  readonly problem: string;
  readonly image: string;
  /** From the decision of the scheduler to the start of the container. */
  readonly startSeconds?: number | undefined;
  readonly ip?: string | undefined;
}

/** What the checks need to know of the cluster while it is measured. */
export interface ProbeWorld {
  readonly facts: StackFacts;
  /** Those that were chosen to be measured. */
  readonly nodes: readonly ProbeNode[];
  /** Addresses of the pods that answer, by the name of their node. */
  readonly servers: ReadonlyMap<string, string>;
  /** The Service in front of the pods on Windows, if it has been created. */
  readonly service?: { readonly clusterIp: string; readonly nodePort: number } | undefined;
}

/** What one run has found. */
export interface ProbeReport {
  readonly version: 1;
  readonly stack: string;
  readonly cluster: string;
  readonly kubernetesVersion: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly nodes: readonly Omit<ProbeNode, "object">[];
  readonly rows: readonly ProbeRow[];
  /** Why the run ended early; "" for a complete run. */
  readonly ended: string;
}
