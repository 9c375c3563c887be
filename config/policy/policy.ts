import type { Level } from "capz-windows-kit/finding";
import type { Facts, Found, FactPlace } from "./facts";

export interface Policy {
  readonly level: Level;
  /** What is wrong with a stack that has a finding. */
  readonly title: string;
  /** Why, for docs/policies.md. */
  readonly why: string;
  /** Where the reason can be read. */
  readonly source: string;
  /** The line of the stack file that ends the finding. */
  readonly write: string;
  /** @param today - such as 2026-11-25 */
  readonly find: (facts: Facts, today: string) => readonly Found[];
}

export const at = ({ path, urn }: FactPlace, message: string, key = ""): Found => ({
  path: key === "" ? path : `${path}.${key}`,
  message,
  ...(urn === undefined ? {} : { urn }),
});
