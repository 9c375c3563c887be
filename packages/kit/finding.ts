/** What a reviewer should know of a stack file, for people and for programs such as code scanning. */

/** As SARIF has them, worst first. */
export const levels = ["error", "warning", "note"] as const;
export type Level = (typeof levels)[number];

export interface Exception {
  /** The last day, such as 2026-11-25. */
  readonly until: string;
  readonly reason: string;
}

export interface Finding {
  /** ID of a rule of docs/policies.md. */
  readonly id: string;
  /** What the rule says of every stack. */
  readonly title: string;
  /** What this finding says in a few words, where the title says only its kind. */
  readonly summary?: string;
  readonly level: Level;
  /** Key of the stack file; missing where the finding is about a whole file. */
  readonly path: string;
  readonly message: string;
  /** The line to write, where there is one. */
  readonly write?: string;
  /** Where the reason of a rule of docs/policies.md can be read. */
  readonly source?: string;
  /** The exception of the stack file that accepts it. */
  readonly accepted?: Exception;
  /** The last exception that accepted it and does so no longer. */
  readonly ended?: Exception;
  /** The exception that is too long to count, with the last day that it may name. */
  readonly refused?: Exception & { readonly latest: string };
  /** Path from the root of the repository, with `/`. */
  readonly file: string;
  readonly line: number;
}

/** A finding without its place in a file. */
export type FoundInConfig = Omit<Finding, "file" | "line">;

const inOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** What the stack file says of it. */
export const exceptionText = ({
  accepted,
  ended,
  refused,
}: Pick<Finding, "accepted" | "ended" | "refused">): string | undefined => {
  if (accepted !== undefined) {
    return `Accepted until ${accepted.until}: ${inOneLine(accepted.reason)}`;
  }
  if (refused !== undefined) {
    return `The exception until ${refused.until} does not count, because it is for more than a year: ${inOneLine(refused.reason)}. Write until: "${refused.latest}", or an earlier day`;
  }
  return ended && `The exception ended on ${ended.until}: ${inOneLine(ended.reason)}`;
};
