import { z } from "zod";
import { outputsSchema, problemsIn } from "./outputs";

/** The version of plan.json that this program writes. It rises when a field goes or means something else. */
export const planVersion = 2;

/** 1 had no `nodes`. */
const readable = [1, planVersion] as const;

const text = z.string();
const texts = z.record(text, text).readonly();
const values = z.record(text, z.unknown()).readonly();

const resource = z
  .object({
    urn: text,
    type: text,
    name: text,
    parent: text.exactOptional(),
    /** Made by a provider; components are not. */
    custom: z.boolean(),
    /** URN of its provider. */
    provider: text.exactOptional(),
    inputs: values,
    options: values,
    dependencies: z.array(text).readonly().default([]),
  })
  .readonly();

/** What files of other stacks say. */
const others = z
  .object({
    /** Names of the stacks that use the management cluster of this one. */
    clients: z.array(text).readonly().exactOptional(),
    /** Of the CAPZ of the stack whose management cluster this one uses. */
    syncPeriodMinutes: z.number().exactOptional(),
    /** Of the bootstrap provider of that stack, where its outputs say it. */
    bootstrapTtlMinutes: z.number().exactOptional(),
  })
  .readonly();

/** Where Pulumi keeps the state, as far as files say (a login may name another backend), and how it runs the program. */
const state = z
  .object({
    /** `backend.url` of Pulumi.yaml. */
    backend: text.exactOptional(),
    /** `secretsprovider` of the stack file; "passphrase" where the file has the salt of one. */
    secretsProvider: text.exactOptional(),
    /** Digits of a hash of `encryptedkey` and `encryptionsalt` of the stack file. Plans of older releases have none. */
    secretsKey: text.exactOptional(),
    /** Names of the environments of Pulumi ESC, of which a plan knows nothing else. */
    environments: z.array(text).readonly().exactOptional(),
    /** The other keys of Pulumi.yaml, but its name, description and config. Plans of older releases have none. */
    projectFile: values.exactOptional(),
  })
  .readonly();

/** plan.json; secrets are placeholders. */
export const planSchema = z
  .object({
    version: z.literal(readable),
    project: text.default(""),
    stack: text,
    resources: z.array(resource).readonly(),
    /** User data of each kind of node: path below `nodes/` → text. */
    nodes: texts.exactOptional(),
    /** The stack's config as Pulumi passes it to the program. Plans of older releases have none. */
    config: texts.exactOptional(),
    /** Those that tools read, and others. */
    outputs: outputsSchema.loose().readonly().default({}),
    /** Missing where there are no such files. */
    others: others.exactOptional(),
    /** Missing where no file says anything about it. */
    state: state.exactOptional(),
    warnings: z.array(text).readonly().default([]),
  })
  .readonly();

export type PlanDocument = z.infer<typeof planSchema>;
export type PlanResource = z.infer<typeof resource>;
export type OtherStacks = z.infer<typeof others>;
export type StatePlace = z.infer<typeof state>;

/** A plan, or what is wrong with the text: words after its name. */
export type ReadPlan = { readonly plan: PlanDocument } | { readonly problem: string };

/** An object of Kubernetes has fewer levels, and a comparison calls itself for each. */
const mostLevels = 200;

/** A ConfigMap or user data has fewer characters. The patterns of credentials fail for 8 million. */
const longestText = 4_000_000;

/** Where a value has too many levels or too long a text. */
function excessIn(value: unknown, levels = 0): string | undefined {
  if (typeof value === "string") {
    return value.length > longestText
      ? `a text has more than ${longestText.toLocaleString("en-US")} characters`
      : undefined;
  }
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  if (levels > mostLevels) {
    return `more than ${mostLevels} mappings or lists are inside one another`;
  }
  for (const child of Object.values(value)) {
    const excess = excessIn(child, levels + 1);
    if (excess !== undefined) {
      return excess;
    }
  }
  return undefined;
}

/** Reads a plan.json, which may come from a stranger: fields that the schema does not name are left out. */
export function parsePlan(json: string): ReadPlan {
  let content: unknown;
  try {
    content = JSON.parse(json);
  } catch {
    return { problem: "is not valid JSON. Name a plan.json that `npm run plan` wrote, or a git ref." };
  }
  const { version, resources } = (content ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(resources)) {
    return { problem: "is not a plan. Name a plan.json that `npm run plan` wrote, or a git ref." };
  }
  if (!readable.some((known) => known === version)) {
    return {
      problem: `has version ${JSON.stringify(version)}; this program reads ${readable.join(" and ")}. Plan both sides with the same release.`,
    };
  }
  const excess = excessIn(content);
  if (excess !== undefined) {
    return { problem: `is damaged: ${excess}. Plan it again.` };
  }
  const { data, error } = planSchema.safeParse(content);
  if (data === undefined) {
    return { problem: `is damaged: ${problemsIn(error)}. Plan it again.` };
  }
  return { plan: data };
}
