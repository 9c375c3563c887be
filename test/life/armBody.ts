import type { RegisteredResource } from "../../plan/engine";
import { redact } from "../../plan/engine";
import { list } from "../../domain/untyped";
import type { Body } from "./azure/resource";

/** Inputs of azure-native that are top-level in Resource Manager, too. All others are below `properties`. */
const top = new Set(["location", "tags", "sku", "zones", "identity", "kind", "plan"]);

const nameInput = /^(resourceGroupName|resourceName|\w+Name|scope)$/;

/** Path and body of a resource of the program as Resource Manager gets them. */
export function armBody({ id = "", inputs, outputs }: RegisteredResource): { path: string; body: Body } {
  const entries = Object.entries(redact(inputs) as Record<string, unknown>);
  const properties = Object.fromEntries(
    entries
      .filter(([key]) => !top.has(key) && !nameInput.test(key))
      .map(([key, value]) => [key, key === "subnets" ? list(value).map(nested) : value]),
  );
  const { clientId, principalId } = redact(outputs) as Record<string, unknown>;
  return {
    path: id,
    body: {
      ...(Object.fromEntries(entries.filter(([key]) => top.has(key))) as Body),
      properties: {
        ...properties,
        // CAPZ ignores an identity without a client ID.
        ...(clientId === undefined ? {} : { clientId }),
        ...(principalId === undefined ? {} : { principalId }),
      },
    },
  };
}

/** A part of a resource, whose inputs are below `properties` of its own. */
function nested({ name, id, ...properties }: Record<string, unknown>): Record<string, unknown> {
  return { name, ...(id === undefined ? {} : { id }), properties };
}
