import type { Settings } from "../../config/settings";
import type { Recording } from "pulumi-plan-engine";
import type { ClusterModel } from "./cluster/types";
import type { NodeData } from "./nodes";
import type { PlanDocument } from "capz-windows-contract";
import type { PlannedResource } from "./planDocument";
import type { StackObjects } from "./stackObjects";

/** The unmodified program, run as a first preview and as an update. */
export interface Plan {
  readonly stack: string;
  readonly project: string;
  readonly settings: Settings;
  /** As Pulumi passes it to the program; secrets are placeholders. */
  readonly config: Readonly<Record<string, string>>;
  readonly preview: Recording;
  readonly update: Recording;
  /** Those of the update, without secrets, in the order of registration. */
  readonly resources: readonly PlannedResource[];
  /** Of the update, without secrets. */
  readonly outputs: PlanDocument["outputs"];
  readonly others?: PlanDocument["others"];
  readonly state?: PlanDocument["state"];
  readonly objects: StackObjects;
  readonly cluster: ClusterModel;
  readonly nodes: readonly NodeData[];
  readonly warnings: readonly string[];
  /** Milliseconds. */
  readonly elapsedMs: number;
}
