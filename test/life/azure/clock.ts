/** Timers that end with the simulation, so that no callback uses something that is closed. */
export class Clock {
  private readonly timers = new Set<NodeJS.Timeout>();
  readonly started = performance.now();
  private stopped = false;

  /** Seconds since the start. */
  now(): number {
    return (performance.now() - this.started) / 1000;
  }

  after(ms: number, run: () => void): void {
    if (this.stopped) {
      return;
    }
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      run();
    }, ms);
    this.timers.add(timer);
  }

  /** Repeats a turn, with a pause in milliseconds after each. Errors go to `failed`. */
  loop(pauseMs: number, turn: () => Promise<void>, failed: (error: unknown) => void): void {
    const run = (): void => {
      turn()
        .catch(failed)
        .finally(() => {
          this.after(pauseMs, run);
        });
    };
    this.after(0, run);
  }

  stop(): void {
    this.stopped = true;
    this.timers.forEach(clearTimeout);
    this.timers.clear();
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
