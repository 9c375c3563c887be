import type { ForeignKey } from "./foreignKey";
import { moved } from "./foreignKey";
import { enabledOf, secondsOf } from "./values";

const places = ["pool", "controlPlane", "cluster"];
const here = (key: string): string[] => places.slice(0, 2).map((place) => `${place}.${key}`);

/** Cluster API's MachineHealthCheck and deletion settings, and what other tools call them. */
export const healthKeys: readonly ForeignKey[] = [
  moved("healthChecks machineHealthCheck machineHealthChecks", "the health check", here("healthCheck"), {
    as: "translated",
    within: places,
  }),
  moved("autoRepair enableAutoRepair enableNodeAutoRepair", "the health check", here("healthCheck"), {
    as: enabledOf,
    within: places,
  }),
  moved(
    "maxUnhealthy",
    "the largest number of unhealthy machines",
    here("healthCheck.unhealthyLessThanOrEqualTo"),
    { within: places },
  ),
  moved(
    "nodeStartupTimeout nodeStartupTimeoutSeconds",
    "the seconds in which a machine must become a node",
    here("healthCheck.nodeStartupTimeoutSeconds"),
    { as: secondsOf, within: places },
  ),
  moved("unhealthyConditions unhealthyNodeConditions", "the health check", here("healthCheck"), {
    as: "translated",
    within: places,
  }),
  moved(
    "nodeDrainTimeout drainTimeout nodeDrainTimeoutSeconds",
    "the limit of a drain",
    here("deletion.nodeDrainTimeoutSeconds"),
    { as: secondsOf, within: places },
  ),
  moved(
    "nodeVolumeDetachTimeout nodeVolumeDetachTimeoutSeconds",
    "the limit of a wait for volumes",
    here("deletion.nodeVolumeDetachTimeoutSeconds"),
    { as: secondsOf, within: places },
  ),
  moved(
    "nodeDeletionTimeout nodeDeletionTimeoutSeconds",
    "the limit for the deletion of a Node",
    here("deletion.nodeDeletionTimeoutSeconds"),
    { as: secondsOf, within: places },
  ),
];
