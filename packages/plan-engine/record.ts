import type { Monitor } from "./monitor";
import type { RunOptions } from "./options";
import type { Diagnostic, Host, Recording } from "./recording";
import { scrubber } from "./scrub";
import type { Value } from "./values";

/** Where and how a program ended, and what it wrote by itself. */
export interface End {
  readonly host: Host;
  /** Exit code of its process. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The reason for the end, where the program itself could not give it; shown with the end of its stderr. */
  readonly verdict?: string | undefined;
}

/** Characters of a program's stderr that a report of its end shows. */
const lastWords = 2000;

/** The recording of a run that is over. */
export function record(
  monitor: Monitor,
  end: End,
  { mode, config, secretKeys }: RunOptions,
  elapsedMs: number,
): Recording {
  const resources = [...monitor.resources.values()];
  const reads = [...monitor.reads.values()];
  const secretConfig = secretKeys.map((key) => config[key] ?? "");
  // Most programs write nothing, and then there is no need to look for all secrets.
  let scrubs: ReturnType<typeof scrubber> | undefined;
  const scrub = (text: string): string => {
    if (text === "") {
      return text;
    }
    scrubs ??= scrubber(secretConfig, [
      ...resources.flatMap(({ inputs, outputs, registeredOutputs = {} }): Value[] => [
        inputs,
        outputs,
        registeredOutputs,
      ]),
      ...reads.map(({ outputs }) => outputs),
      monitor.outputs,
    ]);
    return scrubs(text);
  };
  // Redacted before anything is cut off, because a part of a secret would not be found.
  const [stdout, stderr] = [scrub(end.stdout), scrub(end.stderr)];
  const diagnostics: Diagnostic[] = monitor.diagnostics.map((diagnostic) => ({
    ...diagnostic,
    message: scrub(diagnostic.message),
  }));
  if (end.verdict !== undefined) {
    const said = stderr.trim() === "" ? "" : `\n${stderr.trim().slice(-lastWords)}`;
    diagnostics.push({ severity: "error", message: scrub(end.verdict) + said });
  }
  const failed = diagnostics.some(({ severity }) => severity === "error");
  return {
    mode,
    host: end.host,
    resources,
    reads,
    invokes: monitor.invokes,
    outputs: monitor.outputs,
    diagnostics,
    // An error that the program logged and went on from is an error for the CLI too.
    exitCode: end.exitCode === 0 && failed ? 1 : end.exitCode,
    stdout,
    stderr,
    elapsedMs,
  };
}

export const hasErrors = ({ diagnostics }: Pick<Recording, "diagnostics">): boolean =>
  diagnostics.some(({ severity }) => severity === "error");

export const didNotEnd = (timeoutMs: number): string =>
  `The program did not come to its end in ${timeoutMs / 1000} s and was stopped.`;

/** Such an end is an error, because the real engine would delete the resources that were not registered. */
export const leftEarly = "The program left before it had registered everything; does it call process.exit?";
