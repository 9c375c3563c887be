import { z } from "zod";
import type { StatePlace } from "../../platform/azure/statePlace";
import { formatCount } from "../../tools/problem";
import { FileError, mostBytes, readBoundedText } from "../../tools/readBounded";
import { isRecord, type Plain } from "../../tools/untyped";
import { PlanError } from "./planError";

/** One resource of plan.json. */
export interface PlanResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly parent?: string;
  /** Made by a provider; components are not. */
  readonly custom: boolean;
  /** URN of its provider. */
  readonly provider?: string;
  /** Simulated id. Only a plan that was just made has it; plan.json leaves it out. */
  readonly id?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly dependencies: readonly string[];
}

export interface OtherStacks {
  /** Names of the stacks that use the management cluster of this one. */
  readonly clients?: readonly string[];
  /** Of the CAPZ of the stack whose management cluster this one uses. */
  readonly syncPeriodMinutes?: number;
  /** Of the bootstrap provider of that stack, where its outputs say it. */
  readonly bootstrapTtlMinutes?: number;
}

/** plan.json, as planJson.ts makes it; secrets are placeholders. */
export interface PlanDocument {
  /** 1 had no `nodes`. */
  readonly version: 1 | 2;
  readonly project: string;
  readonly stack: string;
  readonly resources: readonly PlanResource[];
  /** User data of each kind of node: path below `nodes/` → text. */
  readonly nodes?: Readonly<Record<string, string>>;
  /** The stack's config as Pulumi passes it to the program; secrets are placeholders. Plans of older releases have none. */
  readonly config?: Readonly<Record<string, string>>;
  /** Version of the program; plan.json leaves it out. */
  readonly program?: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** What files of other stacks say; missing where there are none to read. */
  readonly others?: OtherStacks;
  /** Missing where no file says anything about it. */
  readonly state?: StatePlace;
  readonly warnings: readonly string[];
}

/** A value of the config: one that is not text is JSON there. */
export function configValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The version that this program writes. */
export const planVersion = 2;

const readable = [1, 2];

/** What the comparison relies on. A kept file may come from a stranger: its fields have any type until they were read. */
const documentSchema = z.object({
  project: z.string().optional(),
  stack: z.string(),
  resources: z.array(
    z.object({
      urn: z.string(),
      type: z.string(),
      name: z.string(),
      parent: z.string().optional(),
      provider: z.string().optional(),
      inputs: z.record(z.string(), z.unknown()),
      options: z.record(z.string(), z.unknown()),
      dependencies: z.array(z.string()).optional(),
    }),
  ),
  nodes: z.record(z.string(), z.string()).optional(),
  config: z.record(z.string(), z.string()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
  warnings: z.array(z.string()).optional(),
});

/** An object of Kubernetes has fewer levels, and the comparison calls itself for each. */
const mostLevels = 200;

/** A ConfigMap or user data has fewer characters. The patterns of credentials fail for 8 million. */
const longestText = 4_000_000;

/** Where a value has too many levels or too long a text. */
function excessIn(value: unknown, levels = 0): string | undefined {
  if (typeof value === "string") {
    return value.length > longestText
      ? `a text has more than ${formatCount(longestText)} characters`
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

/** What is wrong with the content of a plan.json; `undefined` for a whole one. */
function damageOf(content: Plain): string | undefined {
  const excess = excessIn(content);
  if (excess !== undefined) {
    return excess;
  }
  const [issue] = documentSchema.safeParse(content).error?.issues ?? [];
  return issue && `${issue.path.join(".").slice(0, 200)}: ${issue.message}`;
}

/**
 * Reads the text of a plan.json.
 * @param source what to call it in an error
 * @throws PlanError when it is not a plan, or has a version that this program does not know
 */
export function parsePlanDocument(text: string, source: string): PlanDocument {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new PlanError(
      `${source} is not valid JSON. Name a plan.json that \`npm run plan\` wrote, or a git ref.`,
    );
  }
  if (!isRecord(content) || !Array.isArray(content.resources)) {
    throw new PlanError(
      `${source} is not a plan. Name a plan.json that \`npm run plan\` wrote, or a git ref.`,
    );
  }
  if (!readable.includes(content.version as number)) {
    throw new PlanError(
      `${source} has version ${JSON.stringify(content.version)}; this program reads ${readable.join(" and ")}. ` +
        "Plan both sides with the same release.",
    );
  }
  const damage = damageOf(content);
  if (damage !== undefined) {
    throw new PlanError(`${source} is damaged: ${damage}. Plan it again.`);
  }
  return { outputs: {}, warnings: [], ...content } as unknown as PlanDocument;
}

/** @throws PlanError as parsePlanDocument does, and when there is no such file */
export function readPlanDocument(path: string): PlanDocument {
  let text: string;
  try {
    text = readBoundedText(path, mostBytes.plan);
  } catch (error) {
    throw new PlanError(
      error instanceof FileError
        ? `${path} cannot be read: ${error.message}.`
        : `${path}: there is no such file that can be read.`,
    );
  }
  return parsePlanDocument(text, path);
}
