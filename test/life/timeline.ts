import type { Clock } from "./azure/clock";

export interface Entry {
  /** Time since the start of the world. */
  readonly seconds: number;
  /** Source of the entry: "pulumi", "azure", "node", "capi" and others. */
  readonly where: string;
  /** For example "MachinePool win1". */
  readonly object: string;
  readonly what: string;
}

/** Events of a life: what happened when to which object. */
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

  /** Text of a part of a life, with times relative to its start. */
  text(title: string, from = 0): string {
    const rows = this.since(from).map(
      ({ seconds, where, object, what }) =>
        `  ${(seconds - from).toFixed(1).padStart(6)} s  ${where.padEnd(6)}  ${object}: ${what}`,
    );
    return [`${this.title}: ${title}`, ...rows, ""].join("\n");
  }
}
