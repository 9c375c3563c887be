import type { Problem } from "../../domain/problem";
import type { Path, Step } from "./steps";

/** What kind of mistake a problem of the schema is. */
export type SchemaFault = "missing" | "name" | "shifted" | "unknown" | "value";

/** A problem of the schema, with several proposals for its end, likeliest first. */
export interface SchemaProblem extends Problem {
  readonly fault: SchemaFault;
  readonly at: Path;
  readonly proposals: readonly (readonly Step[])[];
  /** What else to do, or why this. */
  readonly note?: string;
  /** The path about which the rules cannot say anything; missing if the key has nothing to do with any other. */
  readonly hides?: string | undefined;
}
