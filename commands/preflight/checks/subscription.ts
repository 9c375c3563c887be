import { bash } from "capz-windows-kit/shell";
import { textAt } from "capz-windows-kit/untyped";
import { type Arm, ArmError, orMissing, saysForbidden, saysMissing } from "../../azure/arm";
import type { Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";
import { quoted } from "./stackLine";

/** The subscription, its resource providers and their features. */

/** https://learn.microsoft.com/rest/api/resources/subscriptions/get */
export async function subscription(arm: Arm, { subscriptionId, tenantId }: Needs): Promise<Row[]> {
  const rows = rowsOf("subscription");
  let found: unknown;
  try {
    found = await arm.get(`/subscriptions/${subscriptionId}`, "2022-12-01");
  } catch (error) {
    if (error instanceof ArmError && (saysMissing(error) || saysForbidden(error))) {
      return [
        rows.error(
          `${subscriptionId} does not exist, or this login has no access to it: ${error.code}`,
          bash`az login --tenant ${tenantId}`,
          'az account list --query "[].{id:id, tenant:tenantId}" -o table   # then capz-windows:azure: {subscriptionId: ID}',
        ),
      ];
    }
    throw error;
  }
  const state = textAt(found, "state");
  const tenant = textAt(found, "tenantId");
  return present(
    state === "Enabled"
      ? rows.ok(`${textAt(found, "displayName")} is enabled`)
      : rows.error(
          `${textAt(found, "displayName")} is ${state}`,
          "https://learn.microsoft.com/azure/cost-management-billing/manage/subscription-disabled",
        ),
    tenant !== "" &&
      tenant !== tenantId &&
      rowsOf("tenant").error(
        `the subscription is in the tenant ${tenant}, and the stack file says ${tenantId}`,
        `capz-windows:azure: {tenantId: ${quoted(tenant)}}`,
      ),
  );
}

/** https://learn.microsoft.com/rest/api/resources/providers/list */
export async function providers(arm: Arm, { subscriptionId, providers: wanted }: Needs): Promise<Row[]> {
  const found = await arm.list(`/subscriptions/${subscriptionId}/providers`, "2021-04-01");
  const missing = wanted.filter(
    (name) =>
      !found.some(
        (provider) =>
          textAt(provider, "namespace").toLowerCase() === name.toLowerCase() &&
          textAt(provider, "registrationState") === "Registered",
      ),
  );
  const { error, ok } = rowsOf("resource providers");
  return orOk(
    missing.map((name) =>
      error(`${name} is not registered`, bash`az provider register --namespace ${name} --wait`),
    ),
    ok(`${wanted.length} are registered`),
  );
}

/** https://learn.microsoft.com/rest/api/resources/features/get */
export function features(arm: Arm, { subscriptionId, features: wanted }: Needs): Promise<Row[]> {
  const { error, ok } = rowsOf("features");
  return Promise.all(
    wanted.map(async ({ namespace, name, path }) => {
      const found = await orMissing(
        arm.get(
          `/subscriptions/${subscriptionId}/providers/Microsoft.Features/providers/${namespace}/features/${name}`,
          "2021-07-01",
        ),
      );
      const state = textAt(found, "properties", "state") || "NotRegistered";
      return state === "Registered"
        ? ok(`${namespace}/${name} is registered`)
        : error(
            `${namespace}/${name}, for ${path}, is ${state}`,
            bash`az feature register --namespace ${namespace} --name ${name}   # takes some minutes`,
            bash`az provider register --namespace ${namespace}   # once it is Registered`,
          );
    }),
  );
}
