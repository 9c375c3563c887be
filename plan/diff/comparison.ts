/** What the comparison of two plans of one stack says: made by plan/diff and plan/impact, shown by plan/reports. */

/** One property of a resource that differs. */
export interface PropertyChange {
  /** From the resource's inputs on: `spec.template.spec.version`, `data["calico.yaml"]`. */
  readonly path: string;
  /** Missing where the property is new. Secrets are the placeholder of plan.json. */
  readonly before?: unknown;
  /** Missing where the property is gone. */
  readonly after?: unknown;
  /** Of long strings (scripts, manifests, user data): the lines of a unified diff, without its file header. */
  readonly text?: readonly string[];
}

export type ChangeKind = "create" | "update" | "replace" | "delete";

/** One resource of the stack that differs. */
export interface ResourceChange {
  readonly kind: ChangeKind;
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** The URN in the older plan, where an alias says that it is the same resource. */
  readonly formerUrn?: string;
  /** Of its inputs; all of them for a new or a deleted resource are left to the plan itself. Sorted by path. */
  readonly properties: readonly PropertyChange[];
  /** Options that differ (protect, retainOnDelete …); they are Pulumi's, no provider sees them. */
  readonly options: readonly PropertyChange[];
}

/**
 * How bad, worst first. refused: Azure, CAPI or CAPZ will not do it; destroys: data, addresses or a cluster are lost;
 * replaces: a resource is deleted and made again, nothing that holds data; rolls: machines are replaced one by one;
 * changes: in place; metadata: nothing that runs notices.
 */
export const severities = ["refused", "destroys", "replaces", "rolls", "changes", "metadata"] as const;
export type Severity = (typeof severities)[number];

/** One line for the people who decide. */
export interface Impact {
  readonly severity: Severity;
  /** Key of the row in the table of knowledge that says so. */
  readonly rule: string;
  /** "Windows pool win1 rolls: 3 nodes are replaced, surge 1" */
  readonly what: string;
  /** "kubernetesVersion is part of the image and of the bootstrap data" */
  readonly why: string;
  /** Machines that are replaced or lost. */
  readonly nodes: number;
  /** A safer way to the same end, where there is one. */
  readonly instead?: string;
  /** Where the rule is from: a URL or "project" for a property of this program. */
  readonly source: string;
  /** Resources that it is about. */
  readonly urns: readonly string[];
}

/** Two plans of one stack. */
export interface StackComparison {
  readonly project: string;
  readonly stack: string;
  /** "origin/main (1a2b3c4)", or the path of a plan.json */
  readonly against: string;
  /** new: the older side has no such stack; removed: the newer side has none any more. */
  readonly status: "compared" | "new" | "removed" | "failed";
  /** Why a side could not be planned: a whole report for people. Only when failed. */
  readonly failure?: string;
  /** Sorted by kind (delete, replace, update, create), then by URN. */
  readonly changes: readonly ResourceChange[];
  readonly unchanged: number;
  readonly outputs: readonly PropertyChange[];
  /** User data of nodes, by file. */
  readonly nodes: readonly PropertyChange[];
  /** Worst first. */
  readonly impacts: readonly Impact[];
  /** Those that the older side has not. */
  readonly warnings: readonly string[];
  /** Those that the newer side has no more. */
  readonly fixedWarnings: readonly string[];
}
