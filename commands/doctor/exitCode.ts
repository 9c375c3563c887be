import type { Diagnosis } from "./diagnosis";

/** 0: everything was read and runs; 2: not finished, not all read, or there are warnings; 3: something is wrong. */
export function exitCode({ findings, complete, notRunning, unread }: Diagnosis): 0 | 2 | 3 {
  if (findings.some(({ severity }) => severity === "error")) {
    return 3;
  }
  const isWell = complete && [notRunning, findings, unread].every(({ length }) => length === 0);
  return isWell ? 0 : 2;
}
