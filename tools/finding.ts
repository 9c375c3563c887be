/** What a reviewer should know of a stack file, for people and for programs such as code scanning. */

/** As SARIF has them, worst first. */
export const levels = ["error", "warning", "note"] as const;
export type Level = (typeof levels)[number];

export interface Finding {
  /** ID of a rule of docs/policies.md. */
  readonly id: string;
  /** What the rule says of every stack. */
  readonly title: string;
  readonly level: Level;
  /** Key of the stack file; missing where the finding is about a whole file. */
  readonly path: string;
  readonly message: string;
  /** The line to write, where there is one. */
  readonly write?: string;
  /** The exception of the stack file that accepts it, with its last day. */
  readonly accepted?: { readonly until: string; readonly reason: string };
  /** Path from the root of the repository, with `/`. */
  readonly file: string;
  readonly line: number;
}

/** A finding without its place in a file. */
export type FoundInConfig = Omit<Finding, "file" | "line">;
