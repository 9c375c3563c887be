/** What a command makes for its own time, also when it is interrupted or killed. */

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs a function once: at the end, when the process exits, or when it is interrupted. */
export function onceAtEnd(clean: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    // The listeners that end the programs in the work tree run before this one.
    setImmediate(() => {
      end();
      // The process ends as it would have without this listener.
      if (process.listenerCount(signal) === 0) {
        process.kill(process.pid, signal);
      }
    });
  };
  const end = (): void => {
    process.removeListener("exit", end);
    signals.forEach((signal) => process.removeListener(signal, onSignal));
    clean();
  };
  process.on("exit", end);
  signals.forEach((signal) => process.on(signal, onSignal));
  return end;
}

/** Whether the process that made something still needs it. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
