import type { Settings } from "../../config/settings";
import type { Recording } from "../engine/recording";
import type { NodeData } from "./nodes";
import type { StackObjects } from "./stackObjects";

/** The unmodified program, run as a first preview and as an update. */
export interface Plan {
  readonly stack: string;
  readonly project: string;
  readonly settings: Settings;
  readonly preview: Recording;
  readonly update: Recording;
  readonly objects: StackObjects;
  readonly nodes: readonly NodeData[];
  readonly warnings: readonly string[];
  readonly elapsedMs: number;
}
