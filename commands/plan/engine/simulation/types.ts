import type { Mode } from "../recording";
import type { Values } from "../values";

/** Values with secrets unwrapped; unknowns stay as they are. */
export type Plain = Readonly<Record<string, unknown>>;

/** Where a simulated call takes place. */
export interface Place {
  readonly mode: Mode;
  readonly project: string;
  readonly stack: string;
  /** Inputs of the explicit provider, for instance the subscription. */
  readonly provider: Plain;
}

export interface SimulatedResource extends Place {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
}

/**
 * What the clouds of a run answer, by type or function token. These entries take precedence over what the engine knows
 * itself.
 */
export interface Simulation {
  /** The ID of a resource; `undefined` leaves it to the engine. Not called in a preview. */
  readonly ids?: (
    type: string,
    name: string,
    inputs: Plain,
    resource: SimulatedResource,
  ) => string | undefined;
  /**
   * Fields that a provider computes, by type; those that the program sets are kept. In a preview only their paths are
   * used, and each value is unknown. So the set of paths must not depend on inputs that may be unknown then.
   */
  readonly outputs?: Readonly<Record<string, (inputs: Plain, resource: SimulatedResource) => Values>>;
  readonly invokes?: Readonly<Record<string, (args: Plain, place: Place) => Values>>;
  /** State of resources that the program reads by ID, by type; `undefined` when there is no such resource. */
  readonly reads?: Readonly<Record<string, (id: string, resource: SimulatedResource) => Values | undefined>>;
}
