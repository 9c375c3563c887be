import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Monitor } from "./monitor";
import type { Mode, Recording } from "./recording";
import { serve } from "./server";

export type { Recording, RegisteredResource } from "./recording";

export interface RunOptions {
  /** Folder of Pulumi.yaml. */
  readonly projectDir: string;
  readonly project: string;
  readonly stack: string;
  /** Full key ("ns:key") → text, structured values as JSON. */
  readonly config: Readonly<Record<string, string>>;
  /** Full keys of secret values. */
  readonly secretKeys: readonly string[];
  readonly mode: Mode;
  /** `runtime.options.tsconfig` of Pulumi.yaml. */
  readonly tsconfig?: string;
  /** Added to the environment of the program, which is else nearly empty. */
  readonly env?: Readonly<Record<string, string>>;
  readonly onProgress?: (progress: { readonly count: number; readonly type: string }) => void;
  /** After this time the program is killed; default two minutes. */
  readonly timeoutMs?: number;
}

/**
 * What a program may see of the machine. No credentials and no settings of clouds, clusters or Pulumi: a plan is the
 * same everywhere, and nothing in it can reach a cloud by accident.
 */
const passed = [
  "PATH",
  "HOME",
  "TMPDIR",
  "TEMP",
  "TMP",
  "LANG",
  "SYSTEMROOT",
  "APPDATA",
  "NODE_COMPILE_CACHE",
];

function environment(options: RunOptions): NodeJS.ProcessEnv {
  const own = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => passed.includes(key.toUpperCase())),
  );
  return {
    ...own,
    PULUMI_NODEJS_TYPESCRIPT: "true",
    ...(options.tsconfig === undefined ? {} : { PULUMI_NODEJS_TSCONFIG_PATH: options.tsconfig }),
    PULUMI_CONFIG: JSON.stringify(options.config),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(options.secretKeys),
    ...options.env,
  };
}

/** The command line with which Pulumi's Node.js language host starts a program. */
function programArguments(options: RunOptions, address: string): string[] {
  // The program's own SDK, as the language host resolves it.
  const run = createRequire(join(options.projectDir, "package.json")).resolve("@pulumi/pulumi/cmd/run");
  return [
    run,
    ...["--monitor", address, "--engine", address],
    ...["--organization", "organization", "--project", options.project, "--stack", options.stack],
    ...["--root-directory", options.projectDir, "--pwd", options.projectDir],
    ...(options.mode === "preview" ? ["--dry-run"] : []),
    ...["--parallel", "16"],
    ".",
  ];
}

interface Exit {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function runProcess(args: readonly string[], options: RunOptions): Promise<Exit> {
  const { timeoutMs = 120_000 } = options;
  const child = spawn(process.execPath, [...args], {
    cwd: options.projectDir,
    env: environment(options),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kill = (): void => {
    child.kill("SIGKILL");
  };
  // An interrupted plan leaves no program behind.
  process.once("exit", kill);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stderr += `\nThe program did not come to its end in ${timeoutMs / 1000} s and was stopped.`;
      kill();
    }, timeoutMs);
    const done = (): void => {
      clearTimeout(timer);
      process.removeListener("exit", kill);
    };
    child.once("error", (error) => {
      done();
      reject(error);
    });
    child.once("close", (code) => {
      done();
      resolve({ code: code ?? 1, stdout, stderr });
    });
  });
}

/**
 * Runs the unmodified program of a project folder against an engine of our own, by the protocol of Pulumi's language
 * host: no CLI, no plugins, no state, no network. Errors of the program are in the recording.
 */
export async function runProgram(options: RunOptions): Promise<Recording> {
  const started = performance.now();
  const { mode, project, stack, projectDir, onProgress } = options;
  const monitor = new Monitor({
    mode,
    project,
    stack,
    projectDir,
    onResource:
      onProgress &&
      (({ type }, count) => {
        onProgress({ count, type });
      }),
  });
  const server = await serve(monitor);
  try {
    const { code, stdout, stderr } = await runProcess(programArguments(options, server.address), options);
    const failed = monitor.diagnostics.some(({ severity }) => severity === "error");
    return {
      mode,
      resources: [...monitor.resources.values()],
      reads: monitor.reads,
      invokes: monitor.invokes,
      outputs: monitor.outputs,
      diagnostics: monitor.diagnostics,
      exitCode: code === 0 && failed ? 1 : code,
      stdout,
      stderr,
      elapsedMs: performance.now() - started,
    };
  } finally {
    server.stop();
  }
}
