import type { Clock } from "./azure/clock";

export interface Entry {
  /** Since the start of the world. */
  readonly seconds: number;
  /** Where it happened: "pulumi", "azure", "node", "capi". */
  readonly where: string;
  /** "MachinePool win1" */
  readonly object: string;
  readonly what: string;
}

/** What happened, when, to which object. */
export class Timeline {
  readonly entries: Entry[] = [];
  private readonly listeners: ((entry: Entry) => void)[] = [];

  constructor(
    private readonly clock: Clock,
    readonly title: string,
  ) {}

  now(): number {
    return this.clock.now();
  }

  add(where: string, object: string, what: string): void {
    const entry = { seconds: this.clock.now(), where, object, what };
    this.entries.push(entry);
    this.listeners.forEach((listener) => {
      listener(entry);
    });
  }

  onEntry(listener: (entry: Entry) => void): void {
    this.listeners.push(listener);
  }

  since(seconds: number): Entry[] {
    return this.entries.filter((entry) => entry.seconds >= seconds);
  }

  /** The part of a life, with times counted from its start. */
  text(title: string, from = 0): string {
    const rows = this.since(from).map(
      ({ seconds, where, object, what }) =>
        `  ${(seconds - from).toFixed(1).padStart(6)} s  ${where.padEnd(6)}  ${object}: ${what}`,
    );
    return [`${this.title}: ${title}`, ...rows, ""].join("\n");
  }
}
