import type { RegisteredResource } from "../../plan/engine";
import { redact } from "../../plan/engine";
import { list } from "../../domain/untyped";
import type { Body } from "./azure/resource";

/** Inputs of azure-native that stay where they are; the rest Resource Manager has under `properties`. */
const top = new Set(["location", "tags", "sku", "zones", "identity", "kind", "plan"]);

const nameInput = /^(resourceGroupName|resourceName|\w+Name|scope)$/;

/** A resource of the program as Resource Manager gets it: the path from its id, the body from its inputs. */
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
        // CAPZ takes an identity without a client id for none.
        ...(clientId === undefined ? {} : { clientId }),
        ...(principalId === undefined ? {} : { principalId }),
      },
    },
  };
}

/** Parts of a resource have properties of their own. */
function nested({ name, id, ...properties }: Record<string, unknown>): Record<string, unknown> {
  return { name, ...(id === undefined ? {} : { id }), properties };
}
