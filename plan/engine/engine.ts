import { createRequire } from "node:module";
import { join } from "node:path";
import type { Exit } from "./child";
import { cleanEnvironment, runNode } from "./child";
import type * as monitorModule from "./monitor";
import type { Monitor } from "./monitor";
import type { Diagnostic, Mode, Recording } from "./recording";
import { scrubber } from "./scrub";
import type * as serverModule from "./server";
import type { Simulation } from "./simulation/types";
import type { Value } from "./values";

export type { Recording, RegisteredResource } from "./recording";

/** One more resource is registered. */
export interface ProgressEvent {
  readonly kind: "resource";
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** How many there are by now. */
  readonly count: number;
}

export interface RunOptions {
  /** Folder of Pulumi.yaml. */
  readonly projectDir: string;
  readonly project: string;
  readonly organization?: string;
  readonly stack: string;
  /** Full key ("ns:key") → text, structured values as JSON. */
  readonly config: Readonly<Record<string, string>>;
  /** Full keys of secret values. */
  readonly secretKeys: readonly string[];
  readonly mode: Mode;
  /** `runtime.options.tsconfig` of Pulumi.yaml. */
  readonly tsconfig?: string;
  /** `runtime.options.nodeargs` of Pulumi.yaml, split. */
  readonly nodeArgs?: readonly string[];
  /** Added to the environment of the program, which is else nearly empty. */
  readonly env?: Readonly<Record<string, string>>;
  readonly onProgress?: (event: ProgressEvent) => void;
  /** What the clouds answer beyond what the engine knows itself. */
  readonly simulate?: Simulation;
  /** After this time the program is killed; default two minutes. */
  readonly timeoutMs?: number;
}

/** What Pulumi's Node.js language host sets. */
const hostEnvironment = ({ tsconfig, config, secretKeys }: RunOptions): Record<string, string> => ({
  PULUMI_NODEJS_TYPESCRIPT: "true",
  ...(tsconfig === undefined ? {} : { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig }),
  PULUMI_CONFIG: JSON.stringify(config),
  PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(secretKeys),
});

/** The command line with which Pulumi's Node.js language host starts a program. */
function programArguments(options: RunOptions, organization: string, address: string): string[] {
  // The program's own SDK, as the language host resolves it.
  const run = createRequire(join(options.projectDir, "package.json")).resolve("@pulumi/pulumi/cmd/run");
  return [
    ...(options.nodeArgs ?? []),
    ...["-r", join(__dirname, "preload.js")],
    run,
    ...["--monitor", address, "--engine", address],
    ...["--organization", organization, "--project", options.project, "--stack", options.stack],
    ...["--root-directory", options.projectDir, "--pwd", options.projectDir],
    ...(options.mode === "preview" ? ["--dry-run"] : []),
    ...["--parallel", "16"],
    ".",
  ];
}

/** gRPC takes longer to load than a wrong stack file takes to be found, so it is loaded with the first program. */
function loadServer(): { readonly server: typeof serverModule; readonly monitor: typeof monitorModule } {
  const load = createRequire(__filename);
  return {
    server: load("./server") as typeof serverModule,
    monitor: load("./monitor") as typeof monitorModule,
  };
}

/** How a program ended, where the program itself could not say so. */
function verdict(exit: Exit, monitor: Monitor, timeoutMs: number): Diagnostic[] {
  const said = exit.stderr.trim() === "" ? "" : `\n${exit.stderr.trim().slice(-2000)}`;
  const error = (message: string): Diagnostic[] => [{ severity: "error", message: message + said }];
  if (exit.timedOut) {
    return error(`The program did not come to its end in ${timeoutMs / 1000} s and was stopped.`);
  }
  if (exit.signal !== undefined) {
    return error(`The program was ended by ${exit.signal}.`);
  }
  const failed = monitor.diagnostics.some(({ severity }) => severity === "error");
  if (exit.code === 0 && !monitor.finished && !failed) {
    // The real engine would take what is missing for deleted.
    return error("The program left before it had registered everything; does it call process.exit?");
  }
  return [];
}

/**
 * Runs the unmodified program of a project folder against an engine of our own, by the protocol of Pulumi's language
 * host: no CLI, no plugins, no state, no network. Errors of the program are in the recording.
 */
export async function runProgram(options: RunOptions): Promise<Recording> {
  const started = performance.now();
  const { mode, project, stack, projectDir, onProgress, timeoutMs = 120_000 } = options;
  const organization = options.organization ?? "organization";
  const modules = loadServer();
  const run = {
    mode,
    project,
    stack,
    projectDir,
    simulate: options.simulate,
    onResource:
      onProgress &&
      (({ urn, type, name, order }: { urn: string; type: string; name: string; order: number }) => {
        onProgress({ kind: "resource", urn, type, name, count: order });
      }),
  };
  const monitor = new modules.monitor.Monitor(run);
  const server = await modules.server.serve(monitor, run, organization);
  try {
    const exit = await runNode(programArguments(options, organization, server.address), {
      cwd: projectDir,
      env: cleanEnvironment({ ...hostEnvironment(options), ...options.env }),
      timeoutMs,
    });
    return record(monitor, exit, { ...options, timeoutMs }, performance.now() - started);
  } finally {
    server.stop();
  }
}

function record(
  monitor: Monitor,
  exit: Exit,
  { mode, config, secretKeys, timeoutMs }: RunOptions & { readonly timeoutMs: number },
  elapsedMs: number,
): Recording {
  const resources = [...monitor.resources.values()];
  const reads = [...monitor.reads.values()];
  const secretConfig = secretKeys.map((key) => config[key] ?? "");
  const scrub = scrubber(secretConfig, [
    ...resources.flatMap(({ inputs, outputs, registeredOutputs = {} }): Value[] => [
      inputs,
      outputs,
      registeredOutputs,
    ]),
    ...reads.map(({ outputs }) => outputs),
    monitor.outputs,
  ]);
  // Before anything is cut: half a secret would not be found.
  const said = { ...exit, stdout: scrub(exit.stdout), stderr: scrub(exit.stderr) };
  const diagnostics = [
    ...monitor.diagnostics.map((diagnostic) => ({ ...diagnostic, message: scrub(diagnostic.message) })),
    ...verdict(said, monitor, timeoutMs),
  ];
  const { code = 1, stdout, stderr } = said;
  const failed = diagnostics.some(({ severity }) => severity === "error");
  return {
    mode,
    resources,
    reads,
    invokes: monitor.invokes,
    outputs: monitor.outputs,
    diagnostics,
    // An error that the program logged and went on from is an error for the CLI too.
    exitCode: code === 0 && failed ? 1 : code,
    stdout,
    stderr,
    elapsedMs,
  };
}
