import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { cleanEnvironment, withOutput } from "./child";
import { hostEnvironment, runEnvironment } from "./hostEnvironment";
import { Monitor } from "./monitor";
import { openResources, settle } from "./openResources";
import type { RunOptions } from "./options";
import { placeOf } from "./place";
import { programLoader, requireOf } from "./program";
import { didNotEnd, hasErrors, leftEarly, record } from "./record";
import type { Recording } from "./recording";
import { runWithSdk, textOfError } from "./sdk";
import { servicesOf } from "./server";
import { enter, environment, type Listener } from "./surroundings";
import { watchThread } from "./watchdog";

/** A run in this process. */
export interface InProcessRun {
  readonly recording: Recording;
  /**
   * Whether the recording can be used: the program succeeded or exceeded its time limit. If it failed or left something
   * open, it runs again in its own process, where the error is clearer or does not occur.
   */
  readonly final: boolean;
}

/** How long a program that has returned may take to close what it opened. */
const closingMs = 100;

/** Runs wait for each other: there is one working folder, one clock, and one set of loaded files. */
let last: Promise<unknown> = Promise.resolve();

/** Set when a program that was abandoned may still be running: no other program can then run in this process. */
let spoiled = false;

/**
 * Runs a program in this process, as Pulumi's Automation API runs an inline program.
 * @returns nothing when an earlier program may still be running here
 */
export function runInProcess(options: RunOptions): Promise<InProcessRun | undefined> {
  const run = last.then(() => (spoiled ? undefined : runNow(options)));
  last = run.catch(() => undefined);
  return run;
}

/**
 * Sets the time zone and the working directory, which the whole process shares, as a process of the program's own would
 * have them.
 * @returns restores them
 */
function settleProcess(clock: string | undefined, pwd: string): () => void {
  const before = { clock: process.env.TZ, cwd: process.cwd() };
  const set = (zone: string | undefined, cwd: string): void => {
    if (zone === undefined) {
      delete process.env.TZ;
    } else if (process.env.TZ !== zone) {
      process.env.TZ = zone;
    }
    if (process.cwd() !== cwd) {
      process.chdir(cwd);
    }
  };
  set(clock, pwd);
  return () => {
    set(before.clock, before.cwd);
  };
}

/** Makes stack traces show positions in the program's source. @returns restores `Error.prepareStackTrace` */
function translateStacks(translation: typeof Error.prepareStackTrace | undefined): () => void {
  const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  if (!translation) {
    return () => undefined;
  }
  Error.prepareStackTrace = translation;
  return () => {
    Object.defineProperty(Error, "prepareStackTrace", before ?? { configurable: true, writable: true });
  };
}

const errorEvents = ["uncaughtException", "unhandledRejection"] as const;

/** Takes away the listeners of an event. @returns puts them back */
function withoutListeners(event: (typeof errorEvents)[number]): () => void {
  const taken = process.listeners(event as "uncaughtException");
  process.removeAllListeners(event);
  return () => {
    taken.forEach((listener) => process.on(event as "uncaughtException", listener));
  };
}

/**
 * Calls a listener on what would end this process: an uncaught error, or an empty event loop. Other listeners of errors hear nothing
 * meanwhile: they would end the process because of an error of the program, and `process.exit` there only throws the next error.
 * @returns removes the listener
 */
function watch(onEnd: (verdict: string) => void): () => void {
  const onError = (error: unknown): void => {
    onEnd(textOfError(error));
  };
  const onIdle = (): void => {
    onEnd("The program waits for something that does not come.");
  };
  const putBack = errorEvents.map(withoutListeners);
  process.on("uncaughtException", onError).on("unhandledRejection", onError).on("beforeExit", onIdle);
  return () => {
    process.removeListener("uncaughtException", onError);
    process.removeListener("unhandledRejection", onError);
    process.removeListener("beforeExit", onIdle);
    putBack.forEach((put) => {
      put();
    });
  };
}

/**
 * A caller that supplied the program, such as a test, learns of its error from the recording, not as an unhandled one.
 */
async function quietly(program: () => unknown, onError: (text: string) => void): Promise<unknown> {
  try {
    return await program();
  } catch (error) {
    onError(textOfError(error));
    return undefined;
  }
}

async function runNow(options: RunOptions): Promise<InProcessRun> {
  const started = performance.now();
  const { projectDir, program: given, timeoutMs } = options;
  const monitor = new Monitor(options);
  const services = servicesOf(monitor, options);
  const env = environment(
    cleanEnvironment({
      ...hostEnvironment(options),
      ...options.env,
      ...runEnvironment(options),
    }),
  );
  const said = { stdout: "", stderr: "" };
  const listeners: [string | symbol, Listener][] = [];
  let giveUp: (verdict: string) => void = () => undefined;
  const givenUp = new Promise<string>((resolve) => {
    giveUp = resolve;
  });
  const surroundings = enter({
    env,
    argv: process.argv.slice(0, 2),
    write: (stream, text) => {
      said[stream] = withOutput(said[stream], text);
    },
    leave: () => {
      giveUp(leftEarly);
      throw new Error(leftEarly);
    },
    listens: (event, listener) => listeners.push([event, listener]),
  });
  const unwatchThread = given ? () => undefined : watchThread(timeoutMs, didNotEnd(timeoutMs));
  // Counted after the streams of this process are used for the first time, because that opens them. The SDK uses stdin
  // when it is loaded; where stdin is a socket, as `spawn` of Node.js makes it, it would count as left open by the program.
  process.stdin.isPaused();
  const open = openResources();

  const program = given ? undefined : programLoader(options);
  const restore = settleProcess(env.TZ, given ? process.cwd() : placeOf(options).pwd);
  const putBackStacks = translateStacks(program?.stackTrace);
  const unwatch = watch(giveUp);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    giveUp(didNotEnd(timeoutMs));
  }, timeoutMs).unref();
  const isSettled = given ? () => Promise.resolve(true) : () => settle(open, closingMs);
  const start = (): Promise<string | undefined> =>
    runWithSdk(
      requireOf(projectDir),
      given ? () => quietly(given, giveUp) : () => program?.start(),
      options,
      services,
      isSettled,
    );
  const ended = new Promise<string | undefined>((resolve) => {
    // On a separate turn of the event loop, so that the stack traces of resources begin here.
    setImmediate(() => {
      surroundings.run(start).then(resolve, (error: unknown) => {
        resolve(textOfError(error));
      });
    });
  });
  // Node.js reports an unhandled error one turn of the event loop later.
  const verdict = await Promise.race([givenUp, ended.then((reason) => nextTurn().then(() => reason))]);
  clearTimeout(timer);
  unwatchThread();
  const good =
    verdict === undefined &&
    monitor.finished &&
    !hasErrors(monitor) &&
    !listeners.some(([event]) => event === "beforeExit");
  // An error passes through several promises, each on a turn of the event loop. A program that still waits after that
  // time with nothing open waits forever.
  const over = good || (await sleep(closingMs).then(isSettled));
  restore();
  putBackStacks();
  program?.unload();
  services.close();
  // Listeners of packages for the end of the process may stay; nothing else of the program does.
  for (const [event, listener] of listeners.filter(([name]) => name !== "exit")) {
    process.removeListener(event, listener);
  }
  if (over) {
    unwatch();
    surroundings.leave();
  } else {
    spoiled = true;
  }
  // If the engine has given the reason, the program's error only repeats it.
  const end =
    verdict !== undefined && hasErrors(monitor)
      ? { ...said, stderr: `${said.stderr}${verdict}\n` }
      : { ...said, verdict };
  const exitCode = verdict === undefined ? 0 : 1;
  return {
    recording: record(
      monitor,
      { ...end, host: "in-process", exitCode },
      options,
      performance.now() - started,
    ),
    final: good || timedOut,
  };
}
