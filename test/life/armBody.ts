import type { RegisteredResource } from "pulumi-plan-engine";
import { redact } from "pulumi-plan-engine";
import { requestOf } from "../azure/azureNative";
import type { Body } from "./azure/resource";

interface ArmPut {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Body;
  /** Properties that Azure adds. */
  readonly added: Readonly<Record<string, unknown>>;
}

/** The request with which azure-native makes a resource of the program. */
export function armPut(resource: RegisteredResource): ArmPut {
  const { apiVersion, content } = requestOf(resource);
  // CAPZ ignores an identity without a client ID.
  const { clientId, principalId } = redact(resource.outputs) as Readonly<Record<string, unknown>>;
  const added = Object.entries({ clientId, principalId }).filter(([, value]) => value !== undefined);
  return {
    path: resource.id ?? "",
    query: new URLSearchParams({ "api-version": apiVersion }),
    body: content,
    added: Object.fromEntries(added),
  };
}
