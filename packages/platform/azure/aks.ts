/** Names and address ranges of the AKS management cluster. */

/**
 * Address ranges inside AKS. Its defaults (10.0.0.0/16 and 10.244.0.0/16) are set explicitly or replaced, so that the
 * ranges overlap neither the VNET that AKS creates (10.224.0.0/12) nor the VNET of the workload cluster.
 */
export const aksNetwork = {
  podCidr: "10.244.0.0/16",
  serviceCidr: "10.245.0.0/16",
  dnsServiceIP: "10.245.0.10",
} as const;

/** Nodes beyond the wanted number while AKS replaces them. */
export const aksSurge = "33%";

/** Defaults of the management cluster: the four providers fit on three nodes of this size. */
export const defaultAks = {
  kubernetesVersion: "1.35",
  nodeSize: "Standard_D4s_v5",
  nodeCount: 3,
  maxNodeCount: 5,
} as const;

export const managementNames = (clusterName: string) => ({
  cluster: `${clusterName}-management`,
  resourceGroup: `${clusterName}-management`,
  nodeResourceGroup: `${clusterName}-management-nodes`,
  identity: `${clusterName}-management-aks`,
  // AKS allows names of 54 characters, and a cluster name may have 44.
  dnsPrefix: `${clusterName}-mgmt`,
  egressIp: `pip-${clusterName}-management-egress`,
  vnet: `${clusterName}-management-vnet`,
  natGateway: `${clusterName}-management-natgw`,
  natPublicIp: `pip-${clusterName}-management-natgw`,
});

/**
 * What AKS upgrades automatically: the patch version, if the stack file leaves it to AKS. If both chose a patch, the next
 * update would ask AKS for an older one, which AKS refuses.
 */
export const autoUpgradeChannel = (kubernetesVersion: string): "patch" | "none" =>
  kubernetesVersion.split(".").length > 2 ? "none" : "patch";

export const weekDays = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");

/** A weekly window in which AKS may upgrade. */
export interface MaintenanceWindow {
  /** Monday to Sunday. */
  dayOfWeek: string;
  /** HH:MM. */
  startTime: string;
  /** 4 to 24 hours. */
  durationHours: number;
  /** Offset of startTime from UTC: +HH:MM or -HH:MM. */
  utcOffset: string;
}

/**
 * The automatic upgrades of AKS (patches and node images): how they are called in resource names, and in AKS's schedules (https://learn.microsoft.com/azure/aks/planned-maintenance).
 */
export const aksSchedules = [
  ["upgrade-schedule", "aksManagedAutoUpgradeSchedule"],
  ["node-image-schedule", "aksManagedNodeOSUpgradeSchedule"],
] as const;

/** A maintenance window in the format of Azure's API. */
export const weekly = ({ dayOfWeek, startTime, durationHours, utcOffset }: MaintenanceWindow) => ({
  schedule: { weekly: { dayOfWeek, intervalWeeks: 1 } },
  ...{ startTime, durationHours, utcOffset },
});

/** ARM ID of the AKS cluster. As `clusterIdentifier`, it changes exactly when the cluster is replaced by another. */
export const aksId = (subscriptionId: string, resourceGroup: string, name: string): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.ContainerService/managedClusters/${name}`;
