/** The program failed, broke a rule that the plan checks, or was called wrongly. The message is for people. */
export class PlanError extends Error {
  override readonly name = "PlanError";
}
