import {
  defaultUnhealthyLimit,
  deletionDefault,
  deletionAnnotations,
  healthCheckDefaults,
} from "../../../platform/machines/healthChecks";
import { at, list, numberAt, type Plain } from "../../../tools/untyped";
import type { CapiObject } from "./normal";
import { unlessEmpty } from "./machines";

/** Health checks and the deletion of machines, as keys of a stack file. */

/** A value, or `undefined` if it is the default. */
const unless = (value: unknown, byDefault: unknown): unknown => (value === byDefault ? undefined : value);

const limitOf = (value: unknown): unknown =>
  typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;

/**
 * @param check - the MachineHealthCheck; `undefined` if there is none
 * @param machines - number of machines that it watches, for the default of its limit; `undefined` for a control plane
 * @param others - whether the cluster has other health checks; if so, a missing one is taken to be left out on purpose
 */
export function healthCheckKeys(
  check: CapiObject | undefined,
  machines: number | undefined,
  others: boolean,
): Plain | undefined {
  if (check === undefined) {
    return others ? { enabled: false } : undefined;
  }
  const conditions = list(at(check.spec, "checks", "unhealthyNodeConditions"));
  const timeout = (status: string): number | undefined =>
    numberAt(
      conditions.find((one) => one.type === "Ready" && one.status === status),
      "timeoutSeconds",
    );
  const limit = limitOf(at(check.spec, "remediation", "triggerIf", "unhealthyLessThanOrEqualTo"));
  const startup = numberAt(check.spec, "checks", "nodeStartupTimeoutSeconds");
  return unlessEmpty({
    unhealthyLessThanOrEqualTo: unless(limit, machines === undefined ? 1 : defaultUnhealthyLimit(machines)),
    nodeStartupTimeoutSeconds: unless(startup, healthCheckDefaults.nodeStartupTimeoutSeconds),
    nodeUnknownTimeoutSeconds: unless(timeout("Unknown"), healthCheckDefaults.nodeUnknownTimeoutSeconds),
    nodeNotReadyTimeoutSeconds: unless(timeout("False"), healthCheckDefaults.nodeNotReadyTimeoutSeconds),
  });
}

const skips = (option: "drain" | "waitForVolumeDetach", annotations: unknown): false | undefined => {
  const [name = ""] = Object.keys(deletionAnnotations({ [option]: false }));
  return at(annotations, name) === undefined ? undefined : false;
};

/**
 * @param template - a machine's template: its limits are in `spec`, what it skips in its annotations
 * @param isScaleSet - Cluster API does not pass drain timeouts to the machines of a scale set
 */
export const deletionKeys = (template: unknown, isScaleSet = false): Plain | undefined => {
  const limits = at(template, "spec", "deletion");
  const annotations = at(template, "metadata", "annotations");
  return unlessEmpty({
    drain: skips("drain", annotations),
    waitForVolumeDetach: skips("waitForVolumeDetach", annotations),
    ...(!isScaleSet && {
      nodeDrainTimeoutSeconds: unless(numberAt(limits, "nodeDrainTimeoutSeconds"), 0),
      nodeVolumeDetachTimeoutSeconds: unless(numberAt(limits, "nodeVolumeDetachTimeoutSeconds"), 0),
    }),
    nodeDeletionTimeoutSeconds: unless(
      numberAt(limits, "nodeDeletionTimeoutSeconds"),
      deletionDefault.nodeDeletionTimeoutSeconds,
    ),
  });
};
