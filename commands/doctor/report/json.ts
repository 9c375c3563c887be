import type { Diagnosis } from "../diagnosis";
import { verdict } from "./text";

/** Version of the JSON report, which is raised when a field is removed or changes its meaning. */
const jsonVersion = 1;

export const formatJson = (diagnosis: Diagnosis): string =>
  `${JSON.stringify({ version: jsonVersion, ...diagnosis, verdict: verdict(diagnosis) }, null, 2)}\n`;
