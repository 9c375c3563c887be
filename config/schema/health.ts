import { z } from "zod";
import { deletionDefault, healthCheckDefaults } from "capz-windows-platform/machines/healthChecks";
import { keyWithDefault, optionalFlag, optionalKey, optionalMapping } from "./scalars";

/** Health checks of machines, and how machines are deleted. The names and units are those of Cluster API's v1beta2. */

const seconds = (description: string, minimum: number, maximum: number, example: number) =>
  optionalKey(z.int().min(minimum).max(maximum), { description, examples: [example] });

const limit = "a number of machines, at least 1, or a percentage such as 40%";

const healthCheck = (description: string, enabled: string, unhealthy: string, startup: string) =>
  optionalMapping(
    description,
    {
      enabled: optionalFlag(`Make a MachineHealthCheck. Default: ${enabled}`),
      unhealthyLessThanOrEqualTo: optionalKey(
        z.union([z.int().min(1).max(1000), z.string().regex(/^(100|[1-9][0-9]?)%$/)]),
        {
          description: `Largest number of unhealthy machines at which they are still replaced; with more of them the cause lies elsewhere. Cluster API rounds a percentage down; one that leaves 0 machines, such as 40% of 2, is refused. Default: ${unhealthy}`,
          allowed: limit,
          examples: [1],
        },
      ),
      nodeStartupTimeoutSeconds: seconds(
        `Seconds in which a new machine must become a node; 0 is no limit. Default: ${healthCheckDefaults.nodeStartupTimeoutSeconds}. ${startup}`,
        0,
        86_400,
        3600,
      ),
      nodeUnknownTimeoutSeconds: seconds(
        `Seconds without a word of kubelet after which a machine is replaced. Default: ${healthCheckDefaults.nodeUnknownTimeoutSeconds}`,
        60,
        86_400,
        600,
      ),
      nodeNotReadyTimeoutSeconds: seconds(
        `Seconds for which a node may say that it is not ready, as each one does until it has a network. Default: ${healthCheckDefaults.nodeNotReadyTimeoutSeconds}, and 86400 with addons.cni: none, because nothing of the stack says when your network comes`,
        60,
        86_400,
        1800,
      ),
    },
    { nodeStartupTimeoutSeconds: 3600 },
  );

export const controlPlaneHealthCheck = healthCheck(
  "When machines of the control plane are replaced without being asked to",
  "true from 3 machines on; with one there is nothing to repair etcd from",
  "1",
  "At least 600",
);

export const poolHealthCheck = healthCheck(
  "When machines of the pool are replaced without being asked to; for kind MachineDeployment. Cluster API replaces no machine of a scale set: delete its Machine instead",
  "true",
  "40% of the machines, and at least one",
  "At least 1500, for first boots of Windows",
);

const timeouts = {
  nodeDrainTimeoutSeconds: seconds(
    "Seconds after which a drain is given up and the machine is deleted with the pods that are left. Default: no limit; a PodDisruptionBudget can hold a drain for ever",
    1,
    604_800,
    1800,
  ),
  nodeVolumeDetachTimeoutSeconds: seconds(
    "Seconds after which the machine is deleted with volumes that are still attached. Default: no limit",
    1,
    604_800,
    600,
  ),
};

const nodeDeletionTimeoutSeconds = seconds(
  `Seconds for which the Node is tried to be deleted after the machine; 0 is no limit. Default: ${deletionDefault.nodeDeletionTimeoutSeconds}`,
  0,
  604_800,
  60,
);

const examples = [{ nodeDeletionTimeoutSeconds: 60 }];

export const controlPlaneDeletion = z
  .strictObject({ ...timeouts, nodeDeletionTimeoutSeconds })
  .optional()
  .meta({ description: "Limits for the deletion of a machine; they reach machines that run", examples });

const onlyMachines = (key: keyof typeof timeouts) => {
  const { description = "", ...meta } = timeouts[key].meta() ?? {};
  return timeouts[key].meta({
    ...meta,
    description: `${description}. For kind MachineDeployment`,
  });
};

const before = {
  drain: keyWithDefault(z.boolean(), true, {
    description: "Whether pods are evicted before a machine is deleted; false deletes them with it",
    examples: [true],
  }),
  drainBeforeRemoval: keyWithDefault(z.boolean(), true, {
    description:
      "Whether `pulumi up` drains all nodes of a scale set that is removed from the stack file before it deletes the pool, for up to an hour; false, or `drain: false`, stops all of them at once. What the file said at the last `up` counts. Not for `pulumi destroy`",
    examples: [true],
  }),
  waitForVolumeDetach: keyWithDefault(z.boolean(), true, {
    description: "Whether a machine is deleted only after its volumes are detached",
    examples: [true],
  }),
};

const afterwards = {
  nodeDeletionTimeoutSeconds: nodeDeletionTimeoutSeconds.meta({
    ...nodeDeletionTimeoutSeconds.meta(),
    description: `${nodeDeletionTimeoutSeconds.meta()?.description ?? ""}. Of a scale set, only when the whole pool is deleted`,
  }),
};

const description =
  "What happens before a machine is deleted, in a rollout too; it reaches machines that run. A drain of a machine of a scale set has no limit: Cluster API passes it none";

export const poolDeletion = z
  .strictObject({ ...before, ...afterwards })
  .optional()
  .meta({ description, examples });

/** Windows pools may be single machines, which keep limits of a drain. */
export const windowsPoolDeletion = z
  .strictObject({
    ...before,
    nodeDrainTimeoutSeconds: onlyMachines("nodeDrainTimeoutSeconds"),
    nodeVolumeDetachTimeoutSeconds: onlyMachines("nodeVolumeDetachTimeoutSeconds"),
    ...afterwards,
  })
  .optional()
  .meta({ description, examples });
