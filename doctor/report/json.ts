import type { Diagnosis } from "../model/diagnosis";
import { verdict } from "./text";

/** For programs. Raised when a field changes its meaning or goes away. */
export const jsonVersion = 1;

export const formatJson = (diagnosis: Diagnosis): string =>
  `${JSON.stringify({ version: jsonVersion, ...diagnosis, verdict: verdict(diagnosis) }, null, 2)}\n`;
