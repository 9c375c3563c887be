import { createRequire } from "node:module";
import { join } from "node:path";
import type { Exit } from "./child";
import { cleanEnvironment, runProcess } from "./child";
import { hostEnvironment, parallel } from "./hostEnvironment";
import { Monitor } from "./monitor";
import type { RunOptions } from "./options";
import { placeOf } from "./place";
import { didNotEnd, hasErrors, leftEarly, record } from "./record";
import type { Recording } from "./recording";
import { serve } from "./server";

/** The command line with which Pulumi's Node.js language host starts a program. */
function programArguments(options: RunOptions, address: string): string[] {
  // The program's own SDK, as the language host resolves it.
  const run = createRequire(join(options.projectDir, "package.json")).resolve("@pulumi/pulumi/cmd/run");
  const { pwd, entry } = placeOf(options);
  return [
    ...(options.nodeArgs ?? []),
    ...["-r", join(__dirname, "preload.js")],
    run,
    ...["--monitor", address, "--engine", address],
    ...["--organization", options.organization, "--project", options.project, "--stack", options.stack],
    ...["--root-directory", options.projectDir, "--pwd", pwd],
    ...(options.mode === "preview" ? ["--dry-run"] : []),
    ...["--parallel", parallel],
    entry,
  ];
}

/** How a program ended, where the program itself could not say so. */
function verdict(exit: Exit, monitor: Monitor, timeoutMs: number): string | undefined {
  if (exit.timedOut) {
    return didNotEnd(timeoutMs);
  }
  if (exit.signal !== undefined) {
    return `The program was ended by ${exit.signal}.`;
  }
  return exit.code === 0 && !monitor.finished && !hasErrors(monitor) ? leftEarly : undefined;
}

const isTooLong = (error: unknown): boolean => (error as { readonly code?: unknown }).code === "E2BIG";

/** What a config says that no process can be started with. */
const tooLong =
  "The operating system does not start a process with this config: it is one environment variable, which is too long (E2BIG). On this machine, `pulumi up` fails for the same reason.";

/**
 * Runs the program in its own process, by the protocol of Pulumi's Node.js language host: gRPC on the loopback
 * interface and nothing else.
 * @param inProcess - how the program failed in this process; used if it cannot be started in another one
 */
export async function runByLanguageHost(options: RunOptions, inProcess?: Recording): Promise<Recording> {
  const started = performance.now();
  const { timeoutMs } = options;
  const monitor = new Monitor(options);
  const server = await serve(monitor, options);
  try {
    const exit: Exit = await runProcess(process.execPath, programArguments(options, server.address), {
      cwd: options.projectDir,
      env: cleanEnvironment({ ...hostEnvironment(options), ...options.env }),
      timeoutMs,
    }).catch((error: unknown) => {
      if (!isTooLong(error)) {
        throw error;
      }
      return { code: 1, signal: undefined, timedOut: false, stdout: "", stderr: tooLong };
    });
    if (exit.stderr === tooLong && inProcess !== undefined) {
      return inProcess;
    }
    const { code = 1, stdout, stderr } = exit;
    return record(
      monitor,
      { host: "language-host", exitCode: code, stdout, stderr, verdict: verdict(exit, monitor, timeoutMs) },
      options,
      performance.now() - started,
    );
  } finally {
    server.stop();
  }
}
