import type { Diagnosis } from "./diagnosis";

/** Whether everything that was read is there and runs. */
export const isWell = ({ findings, complete, notRunning }: Diagnosis): boolean =>
  complete && notRunning.length === 0 && findings.length === 0;

/** 0: everything was read and runs; 2: not finished, not all read, or there are warnings; 3: something is wrong. */
export function exitCode(diagnosis: Diagnosis): 0 | 2 | 3 {
  if (diagnosis.findings.some(({ severity }) => severity === "error")) {
    return 3;
  }
  return isWell(diagnosis) && diagnosis.unread.length === 0 ? 0 : 2;
}
