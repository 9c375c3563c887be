import { z } from "zod";
import { isOwnComponent } from "../model/resourceTypes";

/** The differences of two plans of one stack, the base and the head, without an explanation. */

const text = z.string();
const texts = z.array(text).readonly();

/** One property of a resource that differs. */
export const propertyChange = z.strictObject({
  /** Path within the resource's inputs: `spec.template.spec.version`, `data["calico.yaml"]`. */
  path: text,
  /** Value in the base; missing if the property is new. Secrets are placeholders, as in plan.json. */
  before: z.unknown().optional(),
  /** Value in the head; missing if the property is removed. */
  after: z.unknown().optional(),
  /** For long strings (scripts, manifests, user data): the lines of a unified diff, without its file header. */
  text: texts.exactOptional(),
});
export type PropertyChange = z.infer<typeof propertyChange>;

const propertyChanges = z.array(propertyChange).readonly();

/** Worst first. */
export const kinds = ["delete", "replace", "update", "create"] as const;
export type ChangeKind = (typeof kinds)[number];

/** One resource of the stack that differs. */
const resourceChange = z.strictObject({
  kind: z.enum(kinds),
  urn: text,
  type: text,
  name: text,
  /** The URN in the base, where an alias says that it is the same resource. */
  formerUrn: text.exactOptional(),
  /**
   * Inputs that differ, sorted by path; empty for a created or deleted resource, whose inputs are in its plan, and for
   * a component, whose children have them.
   */
  properties: propertyChanges,
  /** Options that differ (protect, retainOnDelete …). They belong to Pulumi; no provider sees them. */
  options: propertyChanges,
});
export type ResourceChange = z.infer<typeof resourceChange>;

/**
 * Whether only options of Pulumi differ: the engine writes them to the state, and counts the resource as unchanged. A component's
 * inputs are its args, so that options of it alone do not change.
 */
export const isOptionOnly = ({ kind, type, properties, options }: ResourceChange): boolean =>
  kind === "update" && properties.length === 0 && options.length > 0 && !isOwnComponent(type);

/** Two plans of one stack, resource by resource. */
export const stackDiff = z.strictObject({
  project: text,
  stack: text,
  /** Sorted by kind (delete, replace, update, create), then by URN. */
  changes: z.array(resourceChange).readonly(),
  unchanged: z.number().int().min(0),
  outputs: propertyChanges,
  /** User data of nodes, by file. */
  nodes: propertyChanges,
  /** Warnings that the base does not have. */
  warnings: texts,
  /** Warnings that the head no longer has. */
  fixedWarnings: texts,
});
export type StackDiff = z.infer<typeof stackDiff>;

/** What the author of a change did. */
export const authored = z.strictObject({
  /** Keys of the stack file, old → new. */
  config: propertyChanges,
  /** Versions of the program, where they differ. */
  program: z.strictObject({ before: text, after: text }).exactOptional(),
});
export type Authored = z.infer<typeof authored>;

const state = z.enum(["open", "shut", "unknown"]);

/** A path of the network that a change opens or closes, or that it makes depend on others. */
export const pathChange = z.strictObject({
  ...{ from: text, to: text, port: text },
  /** "none" where a side has no such path. */
  before: state.or(z.literal("none")),
  after: state.or(z.literal("none")),
  /** What decides afterwards; where there is no such path any more, what decided before. */
  by: text,
});
export type PathChange = z.infer<typeof pathChange>;
