import type { Run } from "./monitor";
import { Monitor } from "./monitor";
import type { RunOptions } from "./options";

/** The engine's side of a run. */
export function newMonitor(options: RunOptions): {
  readonly monitor: Monitor;
  readonly run: Run;
  readonly organization: string;
} {
  const { mode, project, stack, projectDir, onProgress, organization = "organization" } = options;
  const run: Run = {
    mode,
    project,
    stack,
    projectDir,
    simulate: options.simulate,
    onResource:
      onProgress &&
      (({ urn, type, name, order }) => {
        onProgress({ kind: "resource", urn, type, name, count: order });
      }),
  };
  return { monitor: new Monitor(run), run, organization };
}
