import type { Problem } from "../../tools/problem";
import { choicesOf, nodeAt } from "../jsonSchema";
import { type Path, pathText, saysSomething, type Step, stepsText, targetsOf } from "./steps";

/** What kind of mistake a problem of the schema is. */
export type SchemaFault = "missing" | "name" | "misplaced" | "unknown" | "value";

/** A problem of the schema, with proposals for its correction, likeliest first. */
export interface SchemaProblem extends Problem {
  readonly fault: SchemaFault;
  readonly at: Path;
  readonly proposals: readonly (readonly Step[])[];
  /** Proposals without what the user wrote. They are for when no other one ends the problem. */
  readonly losing?: readonly (readonly Step[])[];
  /** What else to do, or the reason. */
  readonly note?: string;
  /** The path about which the rules cannot say anything; missing if the key is independent of all others. */
  readonly hides?: string | undefined;
}

/** A key that is not known where it is. Where nothing keeps what it says, it goes. */
export function strayProblem(
  path: Path,
  proposals: readonly (readonly Step[])[],
  texts: Pick<SchemaProblem, "allowed" | "problem">,
): SchemaProblem {
  const losing = [[{ remove: path }]];
  const [first = []] = [...proposals, ...losing];
  return {
    ...{ fault: "unknown", at: path, path: pathText(path), proposals, losing, ...texts },
    write: stepsText(first, path),
    hides: targetsOf(first).map(pathText)[0],
  };
}

/**
 * Whether advice about a value says nothing of what the user wrote, and the report has no reason against it. Values with
 * placeholders ask for it already.
 */
export const isLost = (
  { at, fault, problem, losing, value }: SchemaProblem,
  steps: readonly Step[],
  config: Readonly<Record<string, unknown>>,
): boolean =>
  fault === "value" &&
  /^(expected|invalid format$|not an allowed value$)/.test(problem) &&
  losing?.includes(steps) === true &&
  choicesOf(nodeAt(at, config) ?? {}).length !== 1 &&
  saysSomething(value) &&
  steps.length === 1 &&
  !stepsText(steps, []).includes("<");
