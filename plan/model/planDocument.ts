import { parsePlan, type PlanDocument, type PlanResource } from "capz-windows-contract";
import { FileError, mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { PlanError } from "./planError";

/** A resource of a plan that was just made, or of a plan.json. */
export interface PlannedResource extends PlanResource {
  /** Simulated id; plan.json leaves it out. */
  readonly id?: string;
}

/** One side of a comparison. */
export interface ComparedPlan extends PlanDocument {
  /** Version of the program; plan.json leaves it out. */
  readonly program?: string;
}

/** A value of the config: one that is not text is JSON there. */
export function configValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * Reads the text of a plan.json.
 * @param source what to call it in an error
 * @throws PlanError when it is not a plan, or has a version that this program does not know
 */
export function parsePlanDocument(text: string, source: string): PlanDocument {
  const read = parsePlan(text);
  if ("problem" in read) {
    throw new PlanError(`${source} ${read.problem}`);
  }
  return read.plan;
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
