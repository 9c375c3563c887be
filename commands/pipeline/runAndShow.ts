import { spawn, type ChildProcess } from "node:child_process";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** How long a program may take to end after a signal: Pulumi cancels what it does. */
const patienceMs = 10_000;

/** Gives the signals of this process to a program. @returns the signal that came, if one did, when the program has ended */
function forwardSignals(child: ChildProcess): () => NodeJS.Signals | undefined {
  let received: NodeJS.Signals | undefined;
  const forward = (signal: NodeJS.Signals): void => {
    received = signal;
    child.kill(signal);
    setTimeout(() => child.kill("SIGKILL"), patienceMs).unref();
  };
  signals.forEach((signal) => process.on(signal, forward));
  return () => {
    signals.forEach((signal) => process.removeListener(signal, forward));
    return received;
  };
}

/**
 * Runs a program whose output is shown as it comes, and returned. It gets the signals that this process gets, and this process
 * ends by them when the program has ended.
 */
export function runAndShow(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ code: number; text: string }> {
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const stopForwarding = forwardSignals(child);
  let text = "";
  const tee = (from: NodeJS.ReadableStream, to: NodeJS.WritableStream): void => {
    from.setEncoding("utf8");
    from.on("data", (chunk: string) => {
      text += chunk;
      to.write(chunk);
    });
  };
  tee(child.stdout, process.stdout);
  tee(child.stderr, process.stderr);
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      stopForwarding();
      reject(error);
    });
    child.once("close", (code) => {
      const signal = stopForwarding();
      if (signal !== undefined) {
        process.kill(process.pid, signal);
        return;
      }
      resolve({ code: code ?? 1, text });
    });
  });
}
