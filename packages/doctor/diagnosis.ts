import type { Proof, Rule, RuleSeverity } from "./rules/rule";
import type { Scope } from "./cluster/scope";

/** A cause, with its texts filled in. */
export interface DoctorFinding extends Pick<
  Rule,
  "cause" | "id" | "remedy" | "source" | "stage" | "symptom"
> {
  readonly family: string;
  /** Where the documents have more of it. */
  readonly page: string;
  readonly severity: RuleSeverity;
  readonly scope: Scope;
  /** One for each object with this cause. */
  readonly proofs: readonly Proof[];
  /** Findings that this one explains. */
  readonly consequences: readonly Consequence[];
}

export interface Consequence {
  readonly id: string;
  readonly cause: string;
  readonly proof: Proof;
}

/** One step from nothing to a running cluster. */
export interface BringUpStep {
  readonly name: string;
  readonly state: "done" | "running" | "waiting";
  /** Time at which it was done or, while it is running, began. */
  readonly since?: string | undefined;
  /** What it waits for, or its result. */
  readonly detail: string;
}

export interface Diagnosis {
  readonly takenAt: string;
  readonly cluster: { readonly name: string; readonly namespace: string };
  readonly stack?: string | undefined;
  readonly findings: readonly DoctorFinding[];
  /** What was asked and gave no answer, with the reason: of none of it is known that it is well. */
  readonly unread: readonly string[];
  readonly steps: readonly BringUpStep[];
  /** Pods that are to run and of which a container does not, with the reason. Those that only start are a step. */
  readonly notRunning: readonly string[];
  /** Whether all steps are done. */
  readonly complete: boolean;
  readonly deleting: boolean;
}
