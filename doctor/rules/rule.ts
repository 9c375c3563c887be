import type { KubeObject } from "../model/objects";
import type { World } from "../model/snapshot";

/**
 * The order of causes: what is earlier in this list can be why something later does not work, not the other way round.
 */
export const stages = [
  "access",
  "deletion",
  "providers",
  "identity",
  "azure",
  "image",
  "bootstrap",
  "control-plane",
  "add-ons",
  "network",
  "machines",
  "nodes",
  "pods",
] as const;
export type Stage = (typeof stages)[number];

/** The very text that shows it, and where it stands. */
export interface Proof {
  readonly where: string;
  readonly text: string;
  /** When it became so. */
  readonly since?: string | undefined;
}

/** Something that a rule has found. */
export interface Match {
  readonly object?: KubeObject | undefined;
  readonly proof: Proof;
  /** What the texts of the rule name in braces. */
  readonly vars?: Readonly<Record<string, string>>;
}

export type Severity = "error" | "warning";

/**
 * One thing that goes wrong, as data: the report and docs/troubleshooting.md are made of it. Texts may name in braces what
 * was found, for instance {pool}, {location} or a named group of a pattern.
 */
export interface Rule {
  readonly id: string;
  readonly stage: Stage;
  /** What people see. */
  readonly symptom: string;
  readonly cause: string;
  /** Where the proof stands, for the documentation. */
  readonly proof: string;
  /** What to do: commands and lines of the stack file, or a sentence. */
  readonly remedy: readonly string[];
  /** Where this is known from, with the release. */
  readonly source: string;
  /** Default: error. A warning passes by itself or harms nothing yet. */
  readonly severity?: Severity;
  /** Rules of whose findings this can be nothing but a consequence. */
  readonly follows?: readonly string[];
  /**
   * Says only that something takes too long or is not ready: a consequence of whatever an earlier stage found for the
   * same machines, and a finding by itself where nothing else was found.
   */
  readonly generic?: true;
  readonly find: (world: World) => readonly Match[];
}

/** Rules of one subject: a file, and a chapter of the documentation. */
export interface Family {
  readonly name: string;
  readonly title: string;
  readonly intro: string;
  readonly rules: readonly Rule[];
}
