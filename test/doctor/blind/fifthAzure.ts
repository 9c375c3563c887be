import type { Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/** Azure refuses: the texts as azcore formats an answer and as CAPZ and Azure Service Operator pass it on. */

const line = "-".repeat(80);

/** How azcore prints an answer; the address of an operation for answers that came later. */
function answer(url: string, status: string, code: string, message: string, target?: string): string {
  const error = { code, message, ...(target === undefined ? {} : { target }) };
  const body = JSON.stringify({ error }, undefined, 2);
  return [url, line, `RESPONSE ${status}`, `ERROR CODE: ${code}`, line, body, line, ""].join("\n");
}

const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
const arm = `https://management.azure.com${subscription}`;
const scaleSet = `${arm}/resourceGroups/sick/providers/Microsoft.Compute/virtualMachineScaleSets/win1`;

/** What CAPZ writes at the pool when the scale set is refused. */
export function poolRefused(patient: Patient, text: string): Patient {
  const message = `scalesets failed to create or update. err: failed to create or update resource sick/win1 (service: scalesets): ${text}`;
  return patient.refused(patient.get("AzureMachinePool", "win1"), "BootstrapSucceeded", message);
}

const pool = (status: string, code: string, message: string, target?: string) => (p: Patient) =>
  poolRefused(p, answer(`PUT ${scaleSet}`, status, code, message, target));

/** An object of Azure Service Operator that Azure refused, and the condition of the AzureCluster that follows. */
function asoRefused(
  p: Patient,
  kind: string,
  condition: string,
  service: string,
  reason: string,
  text: string,
) {
  const object = p.get(kind);
  p.condition(object, "Ready", { reason, message: text, severity: "Error" });
  const err = `${service} failed to create or update. err: resource is not Ready: ${text}`;
  p.refused(p.get("AzureCluster"), condition, err);
}

export const fifthAzure: readonly BlindFault[] = [
  {
    name: "a lock keeps the resource group of a cluster that is being deleted",
    source: "kubernetes-sigs/cluster-api-provider-azure#3354",
    make: (p) => {
      const group = p.get("ResourceGroup");
      for (const object of [p.get("Cluster"), p.get("AzureCluster"), group]) {
        (object.metadata as Record<string, unknown>).deletionTimestamp = p.ago(40);
      }
      const text = `The scope '${subscription}/resourcegroups/sick' cannot perform delete operation because following scope(s) are locked: '${subscription}/resourceGroups/sick'. Please remove the lock and try again.: ${answer(`DELETE ${arm}/resourceGroups/sick`, "409: 409 Conflict", "ScopeLocked", "The scope cannot perform delete operation because following scope(s) are locked.")}`;
      p.condition(group, "Ready", { reason: "ScopeLocked", message: text, severity: "Error" });
      const err = `resourcegroup failed to delete. err: resource is not Ready: ${text}`;
      p.condition(p.get("AzureCluster"), "ResourceGroupReady", {
        reason: "DeletionFailed",
        message: err,
        severity: "Error",
      });
    },
    cause: /lock/i,
    remedy: /az lock/i,
  },
  {
    name: "the subscription is disabled",
    source: "learn.microsoft.com, ReadOnlyDisabledSubscription",
    make: (p) => {
      const message =
        "The subscription '11111111-2222-4333-8444-555555555555' is disabled and therefore marked as read only. You cannot perform any write actions on this subscription until it is re-enabled.";
      asoRefused(p, "NatGateway", "NATGatewaysReady", "natgateways", "ReadOnlyDisabledSubscription", message);
      pool("409: 409 Conflict", "ReadOnlyDisabledSubscription", message)(p);
    },
    cause: /subscription.*(disabled|read.only)/i,
    remedy: /enable|reactivat|billing|pay/i,
  },
];
