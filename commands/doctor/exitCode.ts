import type { Diagnosis } from "./diagnosis";

/** 0: everything runs; 2: not finished, or there are warnings; 3: something is wrong. */
export function exitCode({ findings, complete, notRunning }: Diagnosis): 0 | 2 | 3 {
  if (findings.some(({ severity }) => severity === "error")) {
    return 3;
  }
  return complete && notRunning.length === 0 && findings.length === 0 ? 0 : 2;
}
