import type { KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";

/**
 * The stages of a bring-up, in order. A problem of an earlier stage may cause one of a later stage, but not the other
 * way round.
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
export type DoctorStage = (typeof stages)[number];

/** The exact text that proves a finding, and its place. */
export interface Proof {
  readonly where: string;
  readonly text: string;
  /** Who wrote the text, where others than controllers may: Events can be made by whoever may edit a namespace. */
  readonly from?: "event" | "container" | undefined;
  /** Time since which it is so. */
  readonly since?: string | undefined;
}

/** A match of a rule. */
export interface Match {
  readonly object?: KubeObject | undefined;
  /** Whether nothing of the object was read: an Event names it, and it may not exist. */
  readonly isNamedOnly?: true;
  readonly proof: Proof;
  /** Values for the names in braces in the texts of the rule. */
  readonly vars?: Readonly<Record<string, string>>;
}

export type RuleSeverity = "error" | "warning";

/**
 * A cause that the doctor recognizes. The report and `--explain` are made from its texts, in which names in
 * braces stand for values that were found, such as {pool}, {location} or a named group of a pattern.
 */
export interface Rule {
  readonly id: string;
  readonly stage: DoctorStage;
  /** What users notice. */
  readonly symptom: string;
  readonly cause: string;
  /** What to do: commands and lines of the stack file, or a sentence. */
  readonly remedy: readonly string[];
  /** Source of this knowledge, with the release. */
  readonly source: string;
  /** Default: error. A warning may resolve itself, or does no harm yet. */
  readonly severity?: RuleSeverity | undefined;
  /**
   * IDs of rules and families whose findings explain this one; "*" for every error, "linux-pool" for problems of
   * machines of Linux pools, "pods in NAMESPACE" for errors of what runs there, such as the Pod of a webhook,
   * "same object" for errors of the same object.
   */
  readonly follows?: readonly string[] | undefined;
  /** IDs of rules that match this text, too, and say less of it. */
  readonly over?: readonly string[] | undefined;
  /** Matches what no other rule of its kind knows: every rule that is neither this nor generic goes before it. */
  readonly rest?: true | undefined;
  /**
   * Says only that something takes too long or is not ready. It is a consequence of any finding of an earlier stage
   * about the same machines, and reported by itself only if there is none.
   */
  readonly generic?: true | undefined;
  /** Of a generic rule: says only that something is not right, and follows from any other finding for the same machines. */
  readonly last?: true | undefined;
  readonly find: Find;
}

/** What looks for a cause. */
export type Find = (world: World) => readonly Match[];

/** What looks for the causes of those entries of knowledge/ that a text does not show, by the ID of the entry. */
export type Detectors = Readonly<Record<string, Find>>;

/** The rules of one subject: a file of knowledge/, and a section of docs/troubleshooting.md. */
export interface KnowledgeSubject {
  readonly name: string;
  /** What `follows` and reports name: that of another subject where one was too long for a page. */
  readonly family: string;
  readonly title: string;
  readonly intro: string;
  readonly rules: readonly Rule[];
}
