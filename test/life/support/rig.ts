import { setTimeout } from "node:timers/promises";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Programs that a life needs and that are not part of the project. Each is set by an environment variable. */
export interface Tools {
  /** Path of the rig, which is an API server with etcd in one program. */
  readonly rig: string;
  /** Directory with the managers of Cluster API and CAPZ. */
  readonly controllers: string;
}

/** @returns the tools, or the reason why the tests are skipped */
export function tools(env: NodeJS.ProcessEnv = process.env): Tools | string {
  const { CAPZ_WINDOWS_RIG: rig, CAPZ_WINDOWS_CONTROLLERS: controllers } = env;
  if (rig === undefined || rig === "") {
    return "skipped: CAPZ_WINDOWS_RIG names no rig (a program that is an API server for tests)";
  }
  return controllers === undefined || controllers === ""
    ? "skipped: CAPZ_WINDOWS_CONTROLLERS names no folder with the managers of Cluster API and CAPZ"
    : { rig, controllers };
}

const message = (error: unknown): string =>
  [(error as { stderr?: string }).stderr, String(error)]
    .filter((text) => text !== undefined && text !== "")
    .join("\n");

/** A directory with all started rigs. They are stopped when this process ends, however it ends. */
export class Rigs {
  readonly folder = mkdtempSync(join(tmpdir(), "capz-windows-life-"));
  private readonly started = new Set<string>();
  private readonly reaper: ChildProcess;

  constructor(
    readonly tools: Tools,
    private readonly env = process.env,
  ) {
    // In a session of its own, so that Ctrl-C does not end it before it has cleaned up.
    this.reaper = spawn(process.execPath, [join(__dirname, "reaper.js"), tools.rig, this.folder], {
      stdio: ["pipe", "ignore", "inherit"],
      detached: true,
    });
    this.reaper.unref();
  }

  dir(name: string): string {
    return join(this.folder, name);
  }

  async rig(...args: readonly string[]): Promise<string> {
    try {
      return (await run(this.tools.rig, [...args], { env: this.env, maxBuffer: 1 << 26, timeout: 180_000 }))
        .stdout;
    } catch (error) {
      throw new Error(`rig ${args.join(" ")}\n${message(error)}`, { cause: error });
    }
  }

  /** @returns the path of the rig's kubeconfig */
  async start(name: string, ...flags: readonly string[]): Promise<string> {
    this.started.add(name);
    const start = () => this.rig("start", ...flags, this.dir(name));
    await start().catch(async (error: unknown) => {
      // A server that did not stop in time is killed, and its process may outlive that for a moment.
      if (!String(error).includes("already running")) {
        throw error;
      }
      await setTimeout(3000);
      await start();
    });
    return join(this.dir(name), "kubeconfig");
  }

  /** Starts managers of a rig that runs. */
  async startControllers(name: string, ...flags: readonly string[]): Promise<void> {
    const start = () => this.rig("controllers", "start", this.dir(name), ...flags);
    await start().catch(async (error: unknown) => {
      // The rig looks for free ports before the managers take them; another test beside this one may be faster.
      if (!String(error).includes("address already in use")) {
        throw error;
      }
      await start();
    });
  }

  /** Copies the logs to the directory CAPZ_WINDOWS_LIFE_LOGS, to find the cause of a failure. */
  private keepLogs(): void {
    const to = process.env.CAPZ_WINDOWS_LIFE_LOGS;
    for (const name of to === undefined ? [] : this.started) {
      const from = join(this.dir(name), "controllers");
      if (existsSync(from)) {
        cpSync(from, join(to!, basename(this.folder), name), {
          recursive: true,
          filter: (path) => path === from || path.endsWith(".log"),
        });
      }
    }
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.started].map((name) => this.rig("stop", this.dir(name))));
    this.keepLogs();
    this.started.clear();
    this.reaper.stdin?.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
