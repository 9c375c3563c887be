import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { delimiter, dirname, join } from "node:path";

/** The first CLI on PATH that works: npm puts its wrapper, which has to download the real CLI, before all others. */
export const findPulumi = (): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "pulumi"))
    .find((path) => spawnSync(path, ["version"]).status === 0);

export interface Ended {
  readonly code: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

export interface Running {
  readonly ended: Promise<Ended>;
  /** Standard output and standard error so far. */
  readonly printed: () => string;
  /** Sends a signal to the CLI, its plugins and the program, like a terminal or a machine that shuts down. */
  readonly kill: (signal: NodeJS.Signals) => void;
}

export interface CliOptions {
  /** Directory of the project. */
  readonly cwd: string;
  /** Home directory of the CLI, with the state in `state`. */
  readonly home: string;
  readonly stack: string;
  readonly passphrase: string;
  /** Providers that the CLI does not start itself, for PULUMI_DEBUG_PROVIDERS. */
  readonly providers: string;
}

/** The real CLI on one stack, with a state and a home of its own. */
export class PulumiCli {
  constructor(
    private readonly path: string,
    private readonly options: CliOptions,
  ) {}

  start(
    args: readonly string[],
    { input = "", env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {},
  ): Running {
    const { cwd, home, stack, passphrase, providers } = this.options;
    const child: ChildProcess = spawn(this.path, [...args, "--non-interactive", "--stack", stack], {
      cwd,
      // A process group of its own, so that signals reach all of it.
      detached: true,
      env: {
        ...process.env,
        // Language host and plugins are in the directory of the CLI.
        PATH: `${dirname(this.path)}${delimiter}${process.env.PATH ?? ""}`,
        HOME: home,
        PULUMI_HOME: join(home, ".pulumi"),
        PULUMI_BACKEND_URL: `file://${join(home, "state")}`,
        PULUMI_CONFIG_PASSPHRASE: passphrase,
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_DEBUG_PROVIDERS: providers,
        ...env,
      },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.stdin?.end(input);
    return {
      printed: () => output,
      kill: (signal) => {
        if (child.exitCode === null && child.signalCode === null) {
          process.kill(-child.pid!, signal);
        }
      },
      ended: new Promise((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (code) => {
          resolve({ code, output });
        });
      }),
    };
  }

  /** Runs a command to its end, whether it succeeds or fails. */
  run(args: readonly string[], options?: { input?: string; env?: NodeJS.ProcessEnv }): Promise<Ended> {
    return this.start(args, options).ended;
  }

  /** Runs a command and returns its output. Throws with that output if the CLI fails. */
  async must(
    args: readonly string[],
    options?: { input?: string; env?: NodeJS.ProcessEnv },
  ): Promise<string> {
    const { code, output } = await this.run(args, options);
    if (code !== 0) {
      throw new Error(`pulumi ${args.join(" ")} ended with ${code}\n${output}`);
    }
    return output;
  }
}
