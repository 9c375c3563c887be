import { createHash } from "node:crypto";
import type { Mode } from "./recording";
import type { Value, Values } from "./values";
import { fill, reveal, unknown } from "./values";

/** What clouds would answer: invented by the caller, the same in every run, and recognizable as not real. */

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

/** Answers by type token, or by package for all of its types that have no entry: "aws:s3/bucket:Bucket", "aws:*". */
type ByType<T> = Readonly<Record<string, T>>;

/** What the provider of a package answers. */
export interface Simulation {
  /** IDs of created resources. Not called in a preview. */
  readonly ids?: ByType<(inputs: Plain, resource: SimulatedResource) => string | undefined>;
  /**
   * Fields that a provider computes; those that the program sets are kept. In a preview only their paths are used, and
   * each value is unknown. So the set of paths must not depend on inputs that may be unknown then.
   */
  readonly outputs?: ByType<(inputs: Plain, resource: SimulatedResource) => Values>;
  /** Results of functions, by token. */
  readonly invokes?: Readonly<Record<string, (args: Plain, place: Place) => Values>>;
  /** State of resources that the program reads by ID; `undefined` when there is no such resource. */
  readonly reads?: ByType<(id: string, resource: SimulatedResource) => Values | undefined>;
}

const plain = (values: Values): Plain => reveal(values) as Plain;

/** Looks up an own key; `in` would also find what every object inherits, such as `constructor`. */
const lookUp = <T>(table: ByType<T> | undefined, key: string): T | undefined =>
  table && Object.hasOwn(table, key) ? table[key] : undefined;

const ofType = <T>(table: ByType<T> | undefined, type: string): T | undefined =>
  lookUp(table, type) ?? lookUp(table, `${type.split(":")[0] ?? ""}:*`);

/** The first answer that is defined. */
function first<T, U>(list: readonly T[], answer: (each: T) => U | undefined): U | undefined {
  for (const each of list) {
    const found = answer(each);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** The hash of a text, from which simulations derive values that are the same in every run. */
export const digest = (seed: string): string => createHash("sha256").update(seed).digest("hex");

/** A GUID of version 8 (RFC 9562: custom), so that it cannot equal a real one. */
export function guid(seed: string): string {
  const hex = digest(seed);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** An address of 0.0.0.0/8, which no host can have (RFC 1122 3.2.1.3): so it is in no network of a user. */
export const address = (seed: string): string =>
  ["0", ...[0, 2, 4].map((at) => Number.parseInt(digest(seed).slice(at, at + 2), 16))].join(".");

/** Several simulations as one: the first that has an answer gives it. */
export class SimulatedCloud {
  constructor(private readonly simulations: readonly Simulation[] = []) {}

  /** Without a simulation, a GUID; providers have such IDs, too. */
  id(inputs: Values, resource: SimulatedResource): string {
    const revealed = plain(inputs);
    const answer = ({ ids }: Simulation) => ofType(ids, resource.type)?.(revealed, resource);
    return first(this.simulations, answer) ?? guid(resource.urn);
  }

  /** The outputs that the program gets: its inputs and the computed fields, which are unknown in a preview. */
  outputs(inputs: Values, resource: SimulatedResource): Values {
    const revealed = plain(inputs);
    const computed = this.simulations
      .map(({ outputs }) => ofType(outputs, resource.type)?.(revealed, resource) ?? {})
      .reduce<Value>((before, next) => fill(before, next, (value) => value), {});
    const shown = (value: Value): Value => (resource.mode === "preview" ? unknown : value);
    return fill(inputs, computed, shown) as Values;
  }

  /** `undefined` when no simulation knows the function. */
  invoke(token: string, args: Values, place: Place): Values | undefined {
    return first(this.simulations, ({ invokes }) => lookUp(invokes, token)?.(plain(args), place));
  }

  /** `undefined` when there is no such resource. */
  read(id: string, resource: SimulatedResource): Values | undefined {
    return first(this.simulations, ({ reads }) => ofType(reads, resource.type)?.(id, resource));
  }
}
