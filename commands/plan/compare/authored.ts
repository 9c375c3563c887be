import type { PlanDocument } from "../model/planDocument";
import { differences } from "./properties";
import type { PropertyChange } from "./stackDiff";

/** What the author of a change did. */
export interface Authored {
  /** Keys of the stack file, old → new. */
  readonly config: readonly PropertyChange[];
  /** Versions of the program, where they differ. */
  readonly program?: { readonly before: string; readonly after: string };
}

/** A value that is not text was JSON in the config. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const valuesOf = (project: string, config: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace(`${project}:`, ""), parsed(value)]),
  );

/** @returns `undefined` if a side was planned by a release that did not write down its config */
export function authoredChanges(base: PlanDocument, head: PlanDocument): Authored | undefined {
  if (base.config === undefined || head.config === undefined) {
    return undefined;
  }
  // Plans of old releases, and those of a project without its packages, have none.
  const [before = "", after = ""] = [base.program, head.program];
  return {
    config: differences(valuesOf(base.project, base.config), valuesOf(head.project, head.config)),
    ...([before, after].includes("") || before === after ? {} : { program: { before, after } }),
  };
}
