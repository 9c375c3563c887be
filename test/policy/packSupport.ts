import { packOf, type PolicyConfig } from "../../policy/pack";
import type { PolicyResource } from "../../policy/resource";
import { reveal, Unknown, type RegisteredResource } from "../../packages/plan-engine";

/** A value as @pulumi/policy hands it on: reading what is not known throws (its proxy.ts, 1.21.0). */
function throwing(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Unknown) {
    return value;
  }
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([] as unknown as Record<string, unknown>)
    : {};
  for (const [key, inner] of Object.entries(value)) {
    Object.defineProperty(copy, key, {
      enumerable: true,
      get: () => {
        if (inner instanceof Unknown) {
          throw new Error(`value at .${key} can't be known during preview`);
        }
        return throwing(inner);
      },
    });
  }
  return copy;
}

/**
 * What the engine hands on: outputs after an update, those that a component registered included, and in a preview the
 * inputs that are known.
 */
export const policyResource = (
  { urn, type, name, outputs, registeredOutputs, inputs, options }: RegisteredResource,
  from: "inputs" | "outputs" = "outputs",
): PolicyResource => ({
  ...{ urn, type, name },
  props: throwing(
    reveal(from === "inputs" ? inputs : { ...outputs, ...registeredOutputs }),
  ) as PolicyResource["props"],
  opts: { protect: options.protect },
});

export interface Violation {
  readonly id: string;
  readonly message: string;
  /** Logical name of the resource. */
  readonly name: string;
}

interface Setting {
  readonly config?: Readonly<Record<string, string>>;
  readonly today?: string;
  readonly stack?: string;
  readonly policyConfig?: PolicyConfig;
}

export function violations(
  resources: readonly PolicyResource[],
  { config = {}, today = "2026-11-25", stack = "inline", policyConfig = {} }: Setting = {},
): Violation[] {
  return packOf({ stack, config, today }).policies.flatMap(({ name: id, validateStack }) => {
    const found: Violation[] = [];
    validateStack({ resources, getConfig: () => policyConfig }, (message, urn = "") =>
      found.push({ id, message, name: urn.split("::").at(-1) ?? "" }),
    );
    return found;
  });
}
