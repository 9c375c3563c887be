import { podWith } from "./podFinders";

/** Windows writes its codes as numbers without a sign, kubelet with one. */
const both = (code: number): number[] => [code, code | 0];

/** Containers that ended with a code that says by itself what is wrong. */
export const exitCodes = (codes: readonly number[], says: string) => {
  const all = codes.flatMap(both);
  return podWith({
    side: "workload",
    container: ({ ready, exitCode }) =>
      !ready && exitCode !== undefined && all.includes(exitCode)
        ? `exit code ${exitCode} (0x${(exitCode >>> 0).toString(16).toUpperCase()}): ${says}`
        : undefined,
  });
};
