import type { RegisteredResource } from "../../packages/plan-engine";
import { redact } from "../../packages/plan-engine";
import { armContent } from "../../commands/preflight/planned/planned";
import type { Body } from "./azure/resource";

/** Path and body of a resource of the program as Resource Manager gets them, with what an identity's answer has. */
export function armBody({ id = "", inputs, outputs }: RegisteredResource): { path: string; body: Body } {
  const content = armContent(redact(inputs) as Record<string, unknown>);
  const { clientId, principalId } = redact(outputs) as Record<string, unknown>;
  return {
    path: id,
    body: {
      ...content,
      properties: {
        ...content.properties,
        // CAPZ ignores an identity without a client ID.
        ...(clientId === undefined ? {} : { clientId }),
        ...(principalId === undefined ? {} : { principalId }),
      },
    },
  };
}
