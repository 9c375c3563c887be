import type { AuditArgs } from "../bootstrap/audit";
import type { ClusterApi } from "../components/clusterApi/clusterApi";
import type { ClusterAutoscalerArgs } from "../components/clusterAutoscaler/clusterAutoscaler";
import type { ClusterApiArgs } from "../components/clusterApi/clusterApiArgs";
import type { EncryptionArgs } from "../components/controlPlane/encryptionKeys";
import type { LinuxControlPlaneArgs } from "../components/controlPlane/linuxControlPlane";
import type { HealthCheckArgs } from "../components/healthChecks";
import type { LinuxPoolArgs, NodeFileArgs, WindowsPoolArgs } from "../components/machinePool/poolArgs";
import type {
  ManagementCluster,
  ManagementClusterArgs,
} from "../components/managementCluster/managementCluster";
import type { SharedManagementArgs } from "../components/clusterApi/sharedManagement";
import type { ScaleSetsArgs } from "../components/scaleDown/scaleSets";
import type { KeepNodesArgs } from "../components/scaleDown/keepNodes";
import type { Network } from "../components/virtualNetwork/network";
import type { WorkloadClusterArgs } from "../components/workloadCluster/workloadCluster";
import { apiServerHostOf } from "../config/apiServer";
import { diskSetsWithRole, poolsOf } from "../config/pools";
import { networkScopes } from "./networkArgs";
import {
  egressOf,
  type LinuxPoolSettings,
  type Settings,
  type WindowsPoolSettings,
} from "../config/settings";
import { userFile } from "../bootstrap/userFiles";
import { keyVaultKeyIds, pluginImage } from "capz-windows-platform/encryption/keyVault";
import { pinnedImage } from "capz-windows-platform/workloads/imageDigests";
import { autoscalerImage } from "../addons/clusterAutoscaler";
import { internalBalancer } from "./apiServerArgs";
import { authenticationArgs } from "./authenticationArgs";
import { defaultSyncPeriodMinutes } from "../capi/syncPeriod";
import { withoutEmpty, withoutUndefined } from "capz-windows-kit/without";
import { poolOptions } from "./poolOptions";
import type { Run } from "./run";
import { secretFilesOf } from "../config/secretFiles";

/** The contents of secret files that pools have, by name. A plan knows none of them. */
const secretFiles = (settings: Settings): Record<string, string> => {
  const known = secretFilesOf(settings.secretFiles) ?? {};
  const names = poolsOf(settings).flatMap(({ pool }) =>
    pool.files.flatMap(({ contentFrom }) => contentFrom?.secretFile ?? []),
  );
  return Object.fromEntries([...new Set(names)].sort().map((name) => [name, known[name] ?? ""]));
};

/**
 * Merge patches as the components take them. Without patches the arg is left out, so that nothing changes in the state
 * of such a stack.
 */
const overrideArgs = (overrides: Readonly<Record<string, unknown>>) => {
  const texts = Object.entries(overrides).flatMap(([kind, patch]) =>
    patch === undefined ? [] : [[kind, JSON.stringify(patch)] as const],
  );
  return texts.length === 0 ? {} : { overrides: Object.fromEntries(texts) };
};

/** Where in Azure the workload cluster lives. */
const azurePlace = ({ azure, clusterName }: Settings) => ({
  clusterName,
  subscriptionId: azure.subscriptionId,
  resourceGroup: azure.resourceGroup,
  location: azure.location,
});

/** The args of each component, from the settings of a stack. */
export { addonSets } from "./addonArgs";
export { apiServerEndpoints as links, apiServerZones as zones } from "./apiServerArgs";
export { auditArgs as audit } from "./auditArgs";
export { network } from "./networkArgs";
export { peerings } from "./peeringArgs";
export { bastions } from "./bastionArgs";
export { sampleWorkloads } from "./sampleArgs";
export { runningPools, upgradeOrders } from "./waitArgs";

export const azureProvider = ({ azure }: Settings) => ({
  subscriptionId: azure.subscriptionId,
  tenantId: azure.tenantId,
});

export function managementCluster(settings: Settings): ManagementClusterArgs {
  const { management, azure, clusterName, tags, protect, managementKubeconfig = "" } = settings;
  if (management.kind === "existing") {
    const { name, egressCidrs, oidcIssuerUrl } = management;
    return { existing: { name, kubeconfig: managementKubeconfig, egressCidrs, oidcIssuerUrl } };
  }
  if (management.kind === "stack") {
    return { stack: { stack: management.stack, clusterName, namespace: settings.namespace } };
  }
  const { kubernetesVersion, nodeSize, nodeCount, maxNodeCount, authorizedCidrs } = management;
  const { subscriptionId, location } = azure;
  return {
    aks: {
      ...{ clusterName, subscriptionId, location, tags, protect },
      ...{ kubernetesVersion, nodeSize, nodeCount, maxNodeCount, authorizedCidrs },
      ...{ maintenanceWindow: management.maintenanceWindow, entra: management.entra },
      ...withoutEmpty({
        zones: management.zones,
        runCommand: management.runCommand,
        network: management.network,
      }),
    },
  };
}

/** What is installed on the management cluster. */
const providersArgs = (
  { clusterApi: { installCertManager, ...clusterApi } }: Settings,
  { chartArchives }: Run,
) => ({
  installCertManager,
  versions: {
    certManager: clusterApi.certManagerVersion,
    operator: clusterApi.operatorVersion,
    core: clusterApi.coreVersion,
    azure: clusterApi.azureVersion,
  },
  ...withoutEmpty({ componentsRepository: clusterApi.componentsRepository, chartArchives }),
  ...(clusterApi.syncPeriodMinutes === defaultSyncPeriodMinutes
    ? {}
    : { syncPeriodMinutes: clusterApi.syncPeriodMinutes }),
  ...withoutUndefined({ bootstrapTtlMinutes: clusterApi.bootstrapTtlMinutes }),
});

/** Of a stack that makes only a management cluster. */
export function sharedManagement(settings: Settings, run: Run): SharedManagementArgs {
  const { versions, ...args } = providersArgs(settings, run);
  return { ...args, ...versions, install: settings.clusterApi.install, protect: settings.protect };
}

export const clusterApi = (
  settings: Settings,
  management: ManagementCluster,
  network: Network,
  run: Run,
): ClusterApiArgs => ({
  ...azurePlace(settings),
  namespace: settings.namespace,
  createNamespace: settings.createNamespace,
  tenantId: settings.azure.tenantId,
  resourceGroupName: network.resourceGroupName,
  resourceGroupId: network.resourceGroupId,
  install: settings.clusterApi.install,
  ...providersArgs(settings, run),
  oidcIssuerUrl: management.oidcIssuerUrl,
  identity: settings.clusterApi.identity,
  // Left out where there is none: a component's inputs are its args, and those of a stack without shares stay as they
  // are.
  ...(settings.addons.azureFile.enabled ? { fileShares: true } : {}),
  ...withoutEmpty({
    diskEncryptionSetIds: diskSetsWithRole(settings),
    keyVaultKeyIds: keyVaultKeyIds(settings.controlPlane.encryption?.keyVaultKeys),
    networkScopes: networkScopes(settings),
    containerRegistryIds: settings.azureContainerRegistries,
    roles: settings.azure.roles,
    secretFiles: secretFiles(settings),
  }),
  tags: settings.tags,
  protect: settings.protect,
});

/** What the control plane and every pool have in common. */
const nodeDefaults = (settings: Settings, { mtu }: Pick<Network, "mtu">) => ({
  clusterName: settings.clusterName,
  namespace: settings.namespace,
  location: settings.azure.location,
  flavor: settings.flavor,
  // Left out where it is not so: a component's inputs are its args, and those of other stacks stay as they are.
  ...(settings.platform.cni === "none" ? { ownCni: true } : {}),
  sshPublicKey: settings.access.sshPublicKey,
  ...withoutEmpty({ additionalSshPublicKeys: settings.access.additionalSshPublicKeys }),
  mtu,
  egress: egressOf(settings),
  ...(settings.kubeletCertificates === "selfSigned" ? {} : { servingCertificate: true }),
  tags: settings.tags,
});

/** With the image of the plugin only where a digest pins it: a component's inputs are its args, and those of other stacks stay as they are. */
function encryptionArgs({
  controlPlane: { encryption },
  imageDigests,
}: Settings): EncryptionArgs | undefined {
  const image = pinnedImage(pluginImage, imageDigests);
  return encryption?.keyVaultKeys === undefined || image === pluginImage
    ? encryption
    : { ...encryption, pluginImage: image };
}

/** A limit as the components take it: text, because their schema for other languages does not support union types. */
const healthCheckArgs = (settings: Settings["controlPlane"]["healthCheck"]): HealthCheckArgs | undefined =>
  settings === undefined
    ? undefined
    : withoutEmpty({
        ...settings,
        unhealthyLessThanOrEqualTo:
          settings.unhealthyLessThanOrEqualTo === undefined
            ? undefined
            : String(settings.unhealthyLessThanOrEqualTo),
      });

export const controlPlane = (
  settings: Settings,
  network: Network,
  { controlPlaneIdentityId }: ClusterApi,
  audit: AuditArgs | undefined,
): LinuxControlPlaneArgs => ({
  ...nodeDefaults(settings, network),
  kubernetesVersion: settings.kubernetesVersion,
  identityId: controlPlaneIdentityId,
  replicas: settings.controlPlane.replicas,
  ...{ vmSize: settings.controlPlane.vmSize, osDiskGB: settings.controlPlane.osDiskGB },
  etcdDiskGB: settings.controlPlane.etcdDiskGB,
  image: settings.controlPlane.image,
  certificatesExpiryDays: settings.controlPlane.certificatesExpiryDays,
  ...withoutEmpty({
    audit,
    encryption: encryptionArgs(settings),
    privateApiServerHost: settings.network.apiServer && apiServerHostOf(settings),
    authentication: authenticationArgs(settings),
    podSecurity: settings.controlPlane.podSecurity,
    healthCheck: healthCheckArgs(settings.controlPlane.healthCheck),
    deletion: settings.controlPlane.deletion,
  }),
  ...(settings.kubeletCertificates === "verified" ? { verifiesKubelets: true } : {}),
  ...overrideArgs(settings.controlPlane.overrides),
});

const poolArgs = (
  settings: Settings,
  network: Pick<Network, "mtu">,
  poolName: string,
  pool: LinuxPoolSettings | WindowsPoolSettings,
): LinuxPoolArgs => ({
  ...nodeDefaults(settings, network),
  poolName,
  clusterVersion: settings.kubernetesVersion,
  kubernetesVersion: pool.kubernetesVersion,
  replicas: pool.replicas,
  autoscale: pool.autoscale,
  vmSize: pool.vmSize,
  osDiskGB: pool.osDiskGB,
  zones: pool.zones,
  rollout: {
    maxSurge: String(pool.rollout.maxSurge),
    maxUnavailable: String(pool.rollout.maxUnavailable),
    deletePolicy: pool.rollout.deletePolicy,
  },
  image: pool.image,
  files: pool.files.map((file) => userFile(file, settings.clusterName) as NodeFileArgs),
  preKubeadmCommands: pool.preKubeadmCommands,
  postKubeadmCommands: pool.postKubeadmCommands,
  ...poolOptions(pool, settings),
  ...overrideArgs(pool.overrides),
});

export const linuxPools = (settings: Settings, network: Pick<Network, "mtu">): LinuxPoolArgs[] =>
  Object.entries(settings.linuxPools).map(([name, pool]) => poolArgs(settings, network, name, pool));

export const windowsPools = (settings: Settings, network: Pick<Network, "mtu">): WindowsPoolArgs[] =>
  Object.entries(settings.windowsPools).map(([name, pool]) => ({
    ...poolArgs(settings, network, name, pool),
    kind: pool.kind,
    windowsServer: pool.windowsServer,
    ...withoutEmpty({
      trustedLaunch: pool.trustedLaunch,
      hybridBenefit: pool.hybridBenefit,
      healthCheck: healthCheckArgs(pool.healthCheck),
    }),
  }));

/** Scale sets and the number of their nodes, which falls without the loss of others. */
export const keptNodes = (settings: Settings, { offline }: Run): KeepNodesArgs => ({
  offline,
  namespace: settings.namespace,
  pools: Object.fromEntries(
    poolsOf(settings).map(({ name, pool }) => [
      name,
      pool.autoscale === undefined ? pool.replicas : undefined,
    ]),
  ),
});

/** MachineDeployments need none: Cluster API deletes their Machines one by one, each with a drain. */
export const scaleSets = (settings: Settings): ScaleSetsArgs => ({
  protect: settings.protect,
  pools: Object.fromEntries(
    poolsOf(settings)
      .filter(({ pool }) => !("kind" in pool) || pool.kind === "MachinePool")
      .map(({ name, pool: { deletion } }) => [
        name,
        { drainBeforeRemoval: (deletion?.drainBeforeRemoval ?? true) && deletion?.drain !== false },
      ]),
  ),
});

export const workloadCluster = (
  settings: Settings,
  { identityName }: ClusterApi,
  management: ManagementCluster,
): WorkloadClusterArgs => ({
  ...azurePlace(settings),
  namespace: settings.namespace,
  kubernetesVersion: settings.kubernetesVersion,
  flavor: settings.flavor,
  identityName,
  vnetCidr: settings.network.vnetCidr,
  controlPlaneSubnetCidr: settings.network.controlPlaneSubnetCidr,
  nodeSubnetCidr: settings.network.nodeSubnetCidr,
  ...withoutEmpty({
    poolSubnets: settings.network.poolSubnets,
    existingNetwork: settings.network.existing,
    outbound: settings.network.outbound,
    privateApiServer: internalBalancer(settings, management),
  }),
  podCidr: settings.network.podCidr,
  serviceCidr: settings.network.serviceCidr,
  tags: settings.tags,
  ...overrideArgs(settings.overrides),
  wait: settings.wait !== "none",
  protect: settings.protect,
});

/** The args if the stack has the cluster autoscaler, otherwise an empty list. */
export function autoscalers(settings: Settings): ClusterAutoscalerArgs[] {
  const {
    enabled,
    version,
    image: tagged = autoscalerImage(version),
    ...behavior
  } = settings.addons.clusterAutoscaler;
  const { clusterName, namespace, kubernetesVersion, wait, imageDigests } = settings;
  const image = pinnedImage(tagged, imageDigests);
  return enabled
    ? [{ clusterName, namespace, kubernetesVersion, version, image, behavior, wait: wait !== "none" }]
    : [];
}
