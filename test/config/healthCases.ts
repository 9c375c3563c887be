import type { Case } from "./ruleCases";

const win1 = (pool: object) => ({ windowsPools: { win1: pool } });
const machines = (healthCheck: object, replicas = 2) =>
  win1({ kind: "MachineDeployment", replicas, healthCheck });
const scaled = (healthCheck: object) =>
  win1({ kind: "MachineDeployment", autoscale: { min: 3, max: 9 }, healthCheck });
const deployment = (deletion: object) => win1({ kind: "MachineDeployment", deletion });

/** Health checks, and how machines are deleted. */
export const healthCases: readonly Case[] = [
  [
    "a health check of a scale set",
    win1({ healthCheck: { nodeUnknownTimeoutSeconds: 600 } }),
    "windowsPools.win1.healthCheck: Cluster API v1.14 replaces no machine of a scale set, whatever a health check says",
    machines({ nodeUnknownTimeoutSeconds: 600 }),
  ],
  [
    "a limit for first boots that Windows does not keep",
    machines({ nodeStartupTimeoutSeconds: 1499 }),
    "windowsPools.win1.healthCheck.nodeStartupTimeoutSeconds: the first boot of a Windows machine can take 25 minutes: each one would be replaced before it becomes a node, again and again",
    machines({ nodeStartupTimeoutSeconds: 1500 }),
  ],
  [
    "a limit for first boots that the control plane does not keep",
    { controlPlane: { healthCheck: { nodeStartupTimeoutSeconds: 599 } } },
    "controlPlane.healthCheck.nodeStartupTimeoutSeconds: a machine of the control plane takes up to 10 minutes to become a node, and would be replaced before",
    { controlPlane: { healthCheck: { nodeStartupTimeoutSeconds: 600 } } },
  ],
  [
    "a limit for first boots of a second, beside none",
    machines({ nodeStartupTimeoutSeconds: 1 }),
    "windowsPools.win1.healthCheck.nodeStartupTimeoutSeconds: the first boot of a Windows machine can take 25 minutes: each one would be replaced before it becomes a node, again and again",
    machines({ nodeStartupTimeoutSeconds: 0 }),
  ],
  [
    "a percentage of unhealthy machines that is out of range",
    machines({ unhealthyLessThanOrEqualTo: "49%" }),
    "windowsPools.win1.healthCheck.unhealthyLessThanOrEqualTo: Cluster API rounds down: 49% of 2 machines is 0, and no machine would ever be replaced",
    machines({ unhealthyLessThanOrEqualTo: "50%" }),
  ],
  [
    "a percentage that rounds down to 0 of the fewest machines that the autoscaler leaves",
    scaled({ unhealthyLessThanOrEqualTo: "33%" }),
    "windowsPools.win1.healthCheck.unhealthyLessThanOrEqualTo: Cluster API rounds down: 33% of 3 machines is 0, and no machine would ever be replaced",
    scaled({ unhealthyLessThanOrEqualTo: "34%" }),
  ],
  [
    "a percentage of unhealthy control plane machines that rounds down to 0",
    { controlPlane: { healthCheck: { unhealthyLessThanOrEqualTo: "33%" } } },
    "controlPlane.healthCheck.unhealthyLessThanOrEqualTo: Cluster API rounds down: 33% of 3 machines is 0, and no machine would ever be replaced",
    { controlPlane: { healthCheck: { unhealthyLessThanOrEqualTo: "34%" } } },
  ],
  [
    "a health check of a single control plane machine",
    { controlPlane: { replicas: 1, healthCheck: { enabled: true } } },
    "controlPlane.healthCheck.enabled: a control plane of one machine cannot have a health check: without the machine there is no etcd to repair from",
    { controlPlane: { replicas: 1, healthCheck: { enabled: false } } },
  ],
  [
    "a limit of a drain in a scale set",
    win1({ deletion: { nodeDrainTimeoutSeconds: 600 } }),
    "windowsPools.win1.deletion.nodeDrainTimeoutSeconds: Cluster API v1.14 passes it to no machine of a scale set: the drain would still have no limit",
    deployment({ nodeDrainTimeoutSeconds: 600 }),
  ],
  [
    "a limit of a wait for volumes in a scale set",
    win1({ deletion: { nodeVolumeDetachTimeoutSeconds: 600 } }),
    "windowsPools.win1.deletion.nodeVolumeDetachTimeoutSeconds: Cluster API v1.14 passes it to no machine of a scale set: the wait would still have no limit",
    deployment({ nodeVolumeDetachTimeoutSeconds: 600 }),
  ],
  [
    "a limit of a drain in a Linux pool",
    { linuxPools: { lin1: { deletion: { nodeDrainTimeoutSeconds: 600 } } } },
    "linuxPools.lin1.deletion.nodeDrainTimeoutSeconds: Cluster API v1.14 passes no drain limit to machines of a scale set, and Linux pools are scale sets",
    { linuxPools: { lin1: { deletion: { waitForVolumeDetach: false, nodeDeletionTimeoutSeconds: 0 } } } },
  ],
  [
    "a limit of a drain that there is not",
    deployment({ drain: false, nodeDrainTimeoutSeconds: 600 }),
    "windowsPools.win1.deletion.nodeDrainTimeoutSeconds: with drain: false, pods are not evicted at all, and there is nothing to limit",
    deployment({ drain: false, nodeVolumeDetachTimeoutSeconds: 600 }),
  ],
  [
    "a limit of a wait for volumes that there is not",
    deployment({ waitForVolumeDetach: false, nodeVolumeDetachTimeoutSeconds: 600 }),
    "windowsPools.win1.deletion.nodeVolumeDetachTimeoutSeconds: with waitForVolumeDetach: false, nothing waits for volumes, and there is nothing to limit",
    deployment({ waitForVolumeDetach: false, nodeDrainTimeoutSeconds: 600 }),
  ],
];
