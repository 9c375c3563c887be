export { present } from "capz-windows-kit/present";

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

/** Rows of one check, by their state. */
export function rowsOf(check: string) {
  const of =
    (state: Row["state"]) =>
    (found: string, ...remedy: readonly string[]): Row =>
      row(state, check, found, ...remedy);
  return { error: of("error"), warning: of("warning"), unknown: of("unknown"), ok: of("ok") };
}

/** The rows, or that there is none. */
export const orOk = (rows: readonly Row[], ok: Row): Row[] => (rows.length > 0 ? [...rows] : [ok]);
