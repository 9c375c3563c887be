import { autoscalerAnnotation } from "capz-windows-platform/machines/autoscalerAnnotation";
import { at, list, numberAt, textAt, type Plain } from "capz-windows-kit/untyped";

/** What an update of a pool's objects does to the number of its nodes. */

/** A field that Pulumi's provider applies, and that nobody else does, goes when the program leaves it out. */
function isReplicasOfProvider(live: unknown): boolean {
  const owners = list(at(live, "metadata", "managedFields")).filter(
    (entry) => at(entry, "fieldsV1", "f:spec", "f:replicas") !== undefined,
  );
  return (
    owners.length > 0 && owners.every((entry) => textAt(entry, "manager").startsWith("pulumi-kubernetes"))
  );
}

/**
 * Number of nodes after an update of a MachinePool; undefined if it stays as it is. Where an autoscaler takes over, the
 * webhook brings the number into its range (CAPI v1.14.2 core/webhooks/admission/machinepool.go,
 * calculateMachinePoolReplicas).
 * @param live - the MachinePool as it is in the cluster
 */
export function nodesAfter(wanted: unknown, live: unknown): number | undefined {
  const replicas = numberAt(wanted, "spec", "replicas");
  if (replicas !== undefined) {
    return replicas;
  }
  const now = numberAt(live, "spec", "replicas");
  const [min, max] = [autoscalerAnnotation.min, autoscalerAnnotation.max].map((name) =>
    Number(textAt(wanted, "metadata", "annotations", name) || Number.NaN),
  );
  return now === undefined ||
    !isReplicasOfProvider(live) ||
    min === undefined ||
    max === undefined ||
    Number.isNaN(min + max)
    ? undefined
    : Math.min(Math.max(now, min), max);
}

const modelOf = (azureMachinePool: unknown): string => {
  const { template, identity, userAssignedIdentities } = (at(azureMachinePool, "spec") ?? {}) as Plain;
  return JSON.stringify([at(template, "image"), at(template, "vmSize"), identity, userAssignedIdentities]);
};

/** Whether CAPZ sends a new model to Azure after an update of an AzureMachinePool (v1.27.0 azure/types.go, HasModelChanges). */
export const changesModel = (before: unknown, after: unknown): boolean => modelOf(before) !== modelOf(after);

/** The same for its MachinePool, whose zones are part of the model. */
export const changesZones = (before: unknown, after: unknown): boolean =>
  JSON.stringify(at(before, "spec", "failureDomains") ?? []) !==
  JSON.stringify(at(after, "spec", "failureDomains") ?? []);

/** Whether an update of a MachinePool may lower the number of its nodes. */
export function mayLower(before: unknown, after: unknown): boolean {
  const [from, to] = [before, after].map((object) => numberAt(object, "spec", "replicas"));
  // With an autoscaler the stack leaves the number out, before or after.
  return from === undefined || to === undefined ? from !== to : to < from;
}

/** What a preview says of an update of a MachinePool; undefined if no node goes. */
export function fewerNodes(before: unknown, after: unknown): string | undefined {
  const [from, to] = [before, after].map((object) => numberAt(object, "spec", "replicas"));
  return from === undefined || to === undefined || to >= from
    ? undefined
    : `${textAt(after, "metadata", "name")}: from ${from} to ${pluralize(to, "node")}: ${from - to} drained and deleted, marked ones first, and no others`;
}

const pluralize = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
