/** One line of the table: what was checked, its state, and how to fix it. */
export interface Row {
  /** `unknown`: it could not be checked; the reason is in `found`. */
  readonly state: "error" | "warning" | "unknown" | "ok";
  readonly check: string;
  readonly found: string;
  /** How to fix it: commands, and lines of the stack file. */
  readonly remedy: readonly string[];
}

export const row = (
  state: Row["state"],
  check: string,
  found: string,
  ...remedy: readonly string[]
): Row => ({
  state,
  check,
  found,
  remedy,
});
