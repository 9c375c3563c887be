import type { StatePlace } from "../../../platform/azure/statePlace";
import { FileTooLargeError, mostBytes, readBoundedText } from "../../../tools/readBounded";
import { isRecord } from "../../../tools/untyped";
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

const isResource = (value: unknown): boolean =>
  isRecord(value) &&
  [value.urn, value.type, value.name].every((field) => typeof field === "string") &&
  isRecord(value.inputs) &&
  isRecord(value.options);

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
  if (!content.resources.every(isResource) || typeof content.stack !== "string") {
    throw new PlanError(`${source} is damaged: a resource lacks its URN, type or inputs. Plan it again.`);
  }
  return {
    ...(content as unknown as PlanDocument),
    outputs: isRecord(content.outputs) ? content.outputs : {},
    warnings: Array.isArray(content.warnings) ? (content.warnings as string[]) : [],
  };
}

/** @throws PlanError as parsePlanDocument does, and when there is no such file */
export function readPlanDocument(path: string): PlanDocument {
  let text: string;
  try {
    text = readBoundedText(path, mostBytes.plan);
  } catch (error) {
    throw new PlanError(
      error instanceof FileTooLargeError
        ? `${path} cannot be read: ${error.message}.`
        : `${path}: there is no such file that can be read.`,
    );
  }
  return parsePlanDocument(text, path);
}
