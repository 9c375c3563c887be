import { z } from "zod";
import { authored, pathChange, stackDiff } from "../compare/stackDiff";
import { schedule } from "./scheduleSchema";

const text = z.string();
const texts = z.array(text).readonly();
const count = z.number().int().min(0);

/**
 * How severe a change is, worst first. refused: Azure, CAPI or CAPZ will not do it; destroys: data, addresses or a
 * cluster are lost; replaces: a resource without data is deleted and created again; rolls: machines are replaced one by
 * one; changes: in place; metadata: nothing that is running is affected.
 */
export const severities = ["refused", "destroys", "replaces", "rolls", "changes", "metadata"] as const;
export type Severity = (typeof severities)[number];

/** What a change does, for the people who decide about it. */
const impact = z.strictObject({
  severity: z.enum(severities),
  /** Only for what is refused: it does not stop `pulumi up`, because the workload cluster refuses it afterwards. */
  later: z.literal(true).exactOptional(),
  /** Id of the rule that says so. */
  rule: text,
  /** "Windows pool win1 rolls: 3 nodes are replaced, surge 1" */
  what: text,
  /** "kubernetesVersion is part of the image and of the bootstrap data" */
  why: text,
  /** Machines that are replaced or lost. */
  nodes: count,
  /** Where an autoscaler decides, how many at most; `nodes` is then the fewest. */
  nodesAtMost: count.exactOptional(),
  /** A safer way to achieve the same, where there is one. */
  instead: text.exactOptional(),
  /** Commands that do what `instead` says, ready to be copied. */
  commands: texts.exactOptional(),
  /** Where the rule comes from: a URL, an upstream file, or "project" for a property of this program. */
  source: text,
  /** URNs of the resources that it is about. */
  urns: texts,
});
export type Impact = z.infer<typeof impact>;

/** Two plans of one stack, with what the differences mean. */
export const stackComparison = stackDiff.extend({
  /** "origin/main (1a2b3c4)", or the path of a plan.json */
  against: text,
  /** new: the base has no such stack; removed: the head no longer has it. */
  status: z.enum(["compared", "new", "removed", "failed"]),
  /** Why a side could not be planned: a complete report. Only when failed. */
  failure: text.exactOptional(),
  /** What the author did; missing where a side does not say. */
  authored: authored.exactOptional(),
  /** Paths of the network that it opens or closes; missing where it does neither. */
  paths: z.array(pathChange).readonly().exactOptional(),
  /** How long it takes; missing where nothing is known of it. */
  schedule: schedule.exactOptional(),
  /** What is refused or destroyed first, then the rest in the order in which it happens. */
  impacts: z.array(impact).readonly(),
});
export type StackComparison = z.infer<typeof stackComparison>;
