/** The differences of two plans of one stack, the base and the head, without an explanation. */

/** One property of a resource that differs. */
export interface PropertyChange {
  /** Path within the resource's inputs: `spec.template.spec.version`, `data["calico.yaml"]`. */
  readonly path: string;
  /** Value in the base; missing if the property is new. Secrets are placeholders, as in plan.json. */
  readonly before?: unknown;
  /** Value in the head; missing if the property is removed. */
  readonly after?: unknown;
  /** For long strings (scripts, manifests, user data): the lines of a unified diff, without its file header. */
  readonly text?: readonly string[];
}

export type ChangeKind = "create" | "update" | "replace" | "delete";

/** One resource of the stack that differs. */
export interface ResourceChange {
  readonly kind: ChangeKind;
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** The URN in the base, where an alias says that it is the same resource. */
  readonly formerUrn?: string;
  /**
   * Inputs that differ, sorted by path; empty for a created or deleted resource, whose inputs are in its plan, and for
   * a component, whose children have them.
   */
  readonly properties: readonly PropertyChange[];
  /** Options that differ (protect, retainOnDelete …). They belong to Pulumi; no provider sees them. */
  readonly options: readonly PropertyChange[];
}

/** Two plans of one stack, resource by resource. */
export interface StackDiff {
  readonly project: string;
  readonly stack: string;
  /** Sorted by kind (delete, replace, update, create), then by URN. */
  readonly changes: readonly ResourceChange[];
  readonly unchanged: number;
  readonly outputs: readonly PropertyChange[];
  /** User data of nodes, by file. */
  readonly nodes: readonly PropertyChange[];
  /** Warnings that the base does not have. */
  readonly warnings: readonly string[];
  /** Warnings that the head no longer has. */
  readonly fixedWarnings: readonly string[];
}
