import { createRequire } from "node:module";
import type * as inProcessModule from "./inProcess";
import type * as languageHostModule from "./languageHost";
import { complete, type PlanOptions } from "./options";
import { obstacleOf } from "./program";
import type { Recording } from "./recording";

/**
 * Loaded only with the first program, because the SDK's protocol takes longer to load than a wrong stack file takes to
 * be found.
 */
const load = createRequire(__filename);
const inProcess = () => load("./inProcess") as typeof inProcessModule;
const languageHost = () => load("./languageHost") as typeof languageHostModule;

/**
 * Runs the unmodified program of a project folder offline: no CLI, no plugins, no state, no network, no
 * credentials. Runs in one process wait for each other, except by the language host.
 *
 * @returns what the program registered; errors of the program are in it, not thrown
 */
export async function plan(wanted: PlanOptions): Promise<Recording> {
  const options = complete(wanted);
  if (options.program === undefined && options.host === "language-host") {
    return languageHost().runByLanguageHost(options);
  }
  let failed: Recording | undefined;
  let hostReason = options.program === undefined ? obstacleOf(options) : undefined;
  if (hostReason === undefined) {
    const run = await inProcess().runInProcess(options);
    if (run && (run.final || options.program !== undefined)) {
      return run.recording;
    }
    failed = run?.recording;
    hostReason = run ? "it failed in this process" : "an earlier program still runs in this process";
  }
  return { ...(await languageHost().runByLanguageHost(options, failed)), hostReason };
}

/** Why a program cannot run in this process; `undefined` if it can. */
export const inProcessObstacle = (options: PlanOptions): string | undefined => obstacleOf(complete(options));
