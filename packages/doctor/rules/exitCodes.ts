import { exitText, podWith } from "./podFinders";

/** An exit code as an unsigned number, as Windows prints it, and as a signed one, as kubelet reports it. */
const both = (code: number): number[] => [code, code | 0];

/** Pods with a container that ended with one of these exit codes, which identify the cause. */
export const exitCodes = (codes: readonly number[], says: string) => {
  const all = codes.flatMap(both);
  return podWith({
    side: "workload",
    container: ({ ready, exitCode }) =>
      !ready && exitCode !== undefined && all.includes(exitCode)
        ? `${exitText(exitCode)}: ${says}`
        : undefined,
  });
};
