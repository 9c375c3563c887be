import type { Proof, Severity, Stage } from "../rules/rule";
import type { Scope } from "../rules/scope";

/** One thing that is wrong, ready to be printed. */
export interface Finding {
  readonly id: string;
  readonly family: string;
  readonly severity: Severity;
  readonly stage: Stage;
  readonly scope: Scope;
  readonly symptom: string;
  readonly cause: string;
  /** The same for several objects is one finding. */
  readonly proofs: readonly Proof[];
  readonly remedy: readonly string[];
  readonly source: string;
  /** What is wrong only because of this. */
  readonly consequences: readonly Consequence[];
}

export interface Consequence {
  readonly id: string;
  readonly cause: string;
  readonly proof: Proof;
}

/** One step from nothing to a running cluster. */
export interface Step {
  readonly name: string;
  readonly state: "done" | "running" | "waiting";
  /** When it was done or began. */
  readonly since?: string | undefined;
  /** What it waits for, or how far it is. */
  readonly detail: string;
}

export interface Diagnosis {
  readonly takenAt: string;
  readonly cluster: { readonly name: string; readonly namespace: string };
  readonly stack?: string | undefined;
  readonly findings: readonly Finding[];
  readonly steps: readonly Step[];
  /** Everything that was asked for is there and Ready. */
  readonly complete: boolean;
  readonly deleting: boolean;
}
