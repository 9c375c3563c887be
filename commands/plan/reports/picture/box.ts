export type Tone =
  "management" | "group" | "network" | "subnet" | "linux" | "windows" | "gateway" | "plain" | "step";

export interface Box {
  /** Finds the same box in another picture, among the boxes beside it. */
  readonly id: string;
  readonly tone: Tone;
  readonly title: string;
  readonly badge?: string;
  /** What each line is about → the line, so that the lines of two pictures can be compared. */
  readonly lines: Readonly<Record<string, string>>;
  readonly boxes?: readonly Box[];
}
