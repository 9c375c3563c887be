import type { Authored } from "../compare/authored";
import type { PathChange } from "../compare/reachChanges";
import type { StackDiff } from "../compare/stackDiff";
import type { Schedule } from "./stages";

/**
 * How severe a change is, worst first. refused: Azure, CAPI or CAPZ will not do it; destroys: data, addresses or a
 * cluster are lost; replaces: a resource without data is deleted and created again; rolls: machines are replaced one by
 * one; changes: in place; metadata: nothing that is running is affected.
 */
export const severities = ["refused", "destroys", "replaces", "rolls", "changes", "metadata"] as const;
export type Severity = (typeof severities)[number];

/** What a change does, for the people who decide about it. */
export interface Impact {
  readonly severity: Severity;
  /** Only for what is refused: it does not stop `pulumi up`, because the workload cluster refuses it afterwards. */
  readonly later?: true;
  /** Id of the rule that says so. */
  readonly rule: string;
  /** "Windows pool win1 rolls: 3 nodes are replaced, surge 1" */
  readonly what: string;
  /** "kubernetesVersion is part of the image and of the bootstrap data" */
  readonly why: string;
  /** Machines that are replaced or lost. */
  readonly nodes: number;
  /** Where an autoscaler decides, how many at most; `nodes` is then the fewest. */
  readonly nodesAtMost?: number;
  /** A safer way to achieve the same, where there is one. */
  readonly instead?: string;
  /** Commands that do what `instead` says, ready to be copied. */
  readonly commands?: readonly string[];
  /** Where the rule comes from: a URL, an upstream file, or "project" for a property of this program. */
  readonly source: string;
  /** URNs of the resources that it is about. */
  readonly urns: readonly string[];
}

/** Two plans of one stack, with what the differences mean. */
export interface StackComparison extends StackDiff {
  /** "origin/main (1a2b3c4)", or the path of a plan.json */
  readonly against: string;
  /** new: the base has no such stack; removed: the head no longer has it. */
  readonly status: "compared" | "new" | "removed" | "failed";
  /** Why a side could not be planned: a complete report. Only when failed. */
  readonly failure?: string;
  /** What the author did; missing where a side does not say. */
  readonly authored?: Authored;
  /** Paths of the network that it opens or closes; missing where it does neither. */
  readonly paths?: readonly PathChange[];
  /** How long it takes; missing where nothing is known of it. */
  readonly schedule?: Schedule;
  /** What is refused or destroyed first, then the rest in the order in which it happens. */
  readonly impacts: readonly Impact[];
}
