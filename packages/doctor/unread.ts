import type { ReadProblem, Side } from "./cluster/snapshot";
import { filledIn, filledLine, placeholder } from "./remedies";
import { subjects } from "./rules/allRules";

/** What commands other than the doctor say of a cluster that they cannot read: its cause, proof and commands. */

/** A cluster cannot be read, or does not exist; the message has the cause, the proof and what to do. */
export class UnreadError extends Error {
  override readonly name = "UnreadError";
}

export const inShort = (cause: string, proof: string, remedy: readonly string[]): string =>
  `${cause}\n  proof: ${proof}\n  do:    ${remedy.join("\n         ")}`;

/** The entries about a workload cluster; those about the management cluster say themselves what they are for. */
const ofWorkload: Partial<Record<ReadProblem["what"], string>> = {
  unreachable: "workload-unreachable-from-here",
  timeout: "workload-unreachable-from-here",
  unauthorized: "workload-unauthorized",
  login: "login-failed",
  refused: "workload-kubeconfig-refused",
};

/** @param vars - values of the names in braces; others become placeholders */
export function unread(
  side: Side,
  { what, message }: ReadProblem,
  vars: Readonly<Record<string, string>>,
): UnreadError {
  const rule = subjects
    .flatMap(({ rules }) => rules)
    .find((one) =>
      side === "workload"
        ? one.id === ofWorkload[what]
        : one.in === "reading" && one.what?.includes(what) === true,
    );
  return new UnreadError(
    inShort(
      filledIn(rule?.cause ?? `The ${side} cluster could not be read.`, vars, placeholder),
      message,
      (rule?.remedy ?? ["npm run doctor -- {stack}"]).map((line) => filledLine(line, vars)),
    ),
  );
}
