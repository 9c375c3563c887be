/** Three answers: right, wrong, or that not all of it was looked at. Unknown is never good news. */
export type CheckVerdict = "yes" | "no" | "notChecked";

/** What is wrong with something, and what nobody has looked at. */
export interface Looked {
  readonly faults: readonly string[];
  readonly notChecked: readonly string[];
}

/** A fault counts before what was not checked, and only what was wholly checked is right. */
export function verdictOf({ faults, notChecked }: Looked): CheckVerdict {
  if (faults.length > 0) {
    return "no";
  }
  return notChecked.length > 0 ? "notChecked" : "yes";
}
