import { spawn } from "node:child_process";

/** What a program may see of the machine. */
const passed = [
  ...["PATH", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"],
  // Windows starts little without these.
  ...["SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA"],
  "NODE_COMPILE_CACHE",
];

/** The same clock and language everywhere, because both reach what programs format and sort. */
const settled = { TZ: "UTC", LC_ALL: "C.UTF-8" };

/**
 * An environment without credentials and settings of clouds, clusters or Pulumi: a plan is the same everywhere, and
 * nothing in it can reach a cloud by accident.
 */
export function cleanEnvironment(added: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([key]) => passed.includes(key.toUpperCase()));
  return { ...Object.fromEntries(own), ...settled, ...added };
}

export interface Exit {
  /** `undefined` when a signal ended it. */
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Functions that end each running child. */
const running = new Set<() => void>();

/** Whether a child is running. */
export const hasChildren = (): boolean => running.size > 0;

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function endAll(): void {
  for (const end of running) {
    end();
  }
}

/** An interrupted plan leaves no program behind, and ends as it would have ended without us. */
function onSignal(signal: NodeJS.Signals): void {
  endAll();
  unwatch();
  if (process.listenerCount(signal) === 0) {
    process.kill(process.pid, signal);
  }
}

function watch(): void {
  // Before listeners that delete what the children use.
  process.prependListener("exit", endAll);
  for (const signal of signals) {
    process.on(signal, onSignal);
  }
}

function unwatch(): void {
  process.removeListener("exit", endAll);
  for (const signal of signals) {
    process.removeListener(signal, onSignal);
  }
}

/** Characters of output that are kept, so that a program that writes without end does not fill our memory. */
const maxOutput = 4 * 1024 * 1024;

/** What a program has written so far, with another piece appended if there is room. */
export const withOutput = (text: string, piece: string): string =>
  text.length < maxOutput ? text + piece : text;

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    text = withOutput(text, chunk);
  });
  return () => text;
}

/** Milliseconds after the end of the child in which its pipes are read; grandchildren may hold them open longer. */
const lastWordsMs = 500;

/**
 * Runs a command until it ends. If it exceeds the time limit, or if this process is interrupted, it is killed with all
 * processes that it started.
 */
export async function runProcess(
  command: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    /** Default: no limit. */
    readonly timeoutMs?: number;
    /** Whether the command is a script, which Windows starts only by its shell. */
    readonly isScript?: boolean;
  },
): Promise<Exit> {
  const { cwd, env, timeoutMs, isScript = false } = options;
  // A separate group can be killed as a whole. Windows has no such groups.
  const detached = process.platform !== "win32";
  const child = spawn(command, [...args], {
    cwd,
    env,
    detached,
    shell: isScript && !detached,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const end = (): void => {
    try {
      if (detached && child.pid !== undefined) {
        process.kill(-child.pid, "SIGKILL");
      } else {
        child.kill("SIGKILL");
      }
    } catch {
      // It has ended.
    }
  };
  if (running.size === 0) {
    watch();
  }
  running.add(end);
  return new Promise<Exit>((resolve, reject) => {
    let timedOut = false;
    let lastWords: NodeJS.Timeout | undefined;
    const onTime = (): void => {
      timedOut = true;
      end();
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(onTime, timeoutMs).unref();
    child.once("error", reject);
    child.once("exit", () => {
      lastWords = setTimeout(() => {
        // On a machine that stood still, the time is over before what lies in the pipes has been read.
        setImmediate(() => {
          child.stdout.destroy();
          child.stderr.destroy();
        });
      }, lastWordsMs).unref();
    });
    child.once("close", (code, signal) => {
      clearTimeout(lastWords);
      clearTimeout(timer);
      resolve({
        code: code ?? undefined,
        signal: signal ?? undefined,
        timedOut,
        stdout: stdout(),
        stderr: stderr(),
      });
    });
  }).finally(() => {
    // Anything that the program started and left behind ends with it.
    end();
    running.delete(end);
    if (running.size === 0) {
      unwatch();
    }
  });
}
