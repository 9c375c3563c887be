import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** The first CLI on PATH that works: npm puts its wrapper, which has to download the real CLI, before all others. */
const findPulumi = ({ PATH = "" }: NodeJS.ProcessEnv): string | undefined =>
  PATH.split(delimiter)
    .map((folder) => join(folder, "pulumi"))
    .find((path) => spawnSync(path, ["version"]).status === 0);

/** What the tests of the real engine need, or the reason why they are skipped, which names what is missing. */
export function missing(
  env = process.env,
):
  | { readonly pulumi: string; readonly kubeconfig: string; readonly reason?: undefined }
  | { readonly pulumi?: undefined; readonly kubeconfig?: undefined; readonly reason: string } {
  const kubeconfig = env.CAPZ_WINDOWS_KUBECONFIG;
  if (kubeconfig === undefined || kubeconfig === "") {
    return { reason: "skipped: CAPZ_WINDOWS_KUBECONFIG names no kubeconfig of a test API server" };
  }
  const pulumi = findPulumi(env);
  if (pulumi === undefined) {
    return { reason: "skipped: no pulumi on PATH works" };
  }
  const parts = ["pulumi-resource-kubernetes", "pulumi-language-nodejs"];
  const absent = parts.filter((part) => !existsSync(join(dirname(pulumi), part)));
  return absent.length > 0
    ? { reason: `skipped: ${absent.join(" and ")} not beside the pulumi on PATH` }
    : { pulumi, kubeconfig };
}

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

/** Processes with this home of the CLI in their environment. Only Linux says which they are. */
export function leftovers(home: string): number[] {
  const pids = existsSync("/proc") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  return pids.map(Number).filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      return pid !== process.pid && environment.includes(`PULUMI_HOME=${homeOf(home)}`);
    } catch {
      // It has ended, or belongs to someone else.
      return false;
    }
  });
}

const homeOf = (home: string): string => join(home, ".pulumi");

/** Sends a signal to a process, or to a group of them by its negative number, if it still runs. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") {
      throw error;
    }
  }
}

/** How a command is run. */
export interface RunOptions {
  /** The standard input. */
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** File to which the engine's events are added, those of the preview too. */
  readonly events?: string;
}

/**
 * The flag --event-log makes the file anew for the update, and the events of the preview would be lost; a pipe keeps them. The
 * shell replaces itself by the CLI.
 */
const withEvents = 'exec 3> >(exec cat >>"$0"); exec "$@" --event-log /dev/fd/3';

/** The real CLI on one stack, with a state and a home of its own. */
export class PulumiCli {
  constructor(
    private readonly path: string,
    private readonly options: CliOptions,
  ) {}

  start(args: readonly string[], { input = "", env = {}, events }: RunOptions = {}): Running {
    const { cwd, home, stack, passphrase, providers } = this.options;
    const command = [this.path, ...args, "--non-interactive", "--stack", stack];
    const [program = "", ...rest] =
      events === undefined ? command : ["bash", "-c", withEvents, events, ...command];
    const child: ChildProcess = spawn(program, rest, {
      cwd,
      // A process group of its own, so that signals reach all of it.
      detached: true,
      env: {
        ...process.env,
        // Language host and plugins are in the directory of the CLI.
        PATH: `${dirname(this.path)}${delimiter}${process.env.PATH ?? ""}`,
        HOME: home,
        PULUMI_HOME: homeOf(home),
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
    // A command may end before it has read its input (EPIPE); what counts is how it ends.
    child.stdin?.on("error", () => undefined).end(input);
    return {
      printed: () => output,
      kill: (signal) => {
        if (child.exitCode === null && child.signalCode === null) {
          kill(-child.pid!, signal);
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

  /**
   * Ends everything that a killed CLI has left behind, like a machine that is switched off: its providers and its language
   * host are in process groups of their own, and the providers would stay for ever.
   */
  endLeftovers(): void {
    leftovers(this.options.home).forEach((pid) => {
      kill(pid, "SIGKILL");
    });
  }

  /** Runs a command to its end, whether it succeeds or fails. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended> {
    return this.start(args, options).ended;
  }

  /** Runs a command and returns its output. Throws with that output if the CLI fails. */
  async must(args: readonly string[], options?: RunOptions): Promise<string> {
    const { code, output } = await this.run(args, options);
    if (code !== 0) {
      throw new Error(`pulumi ${args.join(" ")} ended with ${code}\n${output}`);
    }
    return output;
  }
}
