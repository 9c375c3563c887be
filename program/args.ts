import type { Provider } from "@pulumi/azure-native/provider";
import type * as pulumi from "@pulumi/pulumi";
import type { Run } from "./stackProgram";
import { samplePool } from "../config/samplePool";
import type { Settings } from "../config/settings";
import type { ClusterApi, ClusterApiArgs } from "../components/clusterApi/clusterApi";
import type { AddonSetsArgs } from "../components/clusterResourceSet/addonSets";
import { controlPlaneKubeadmConfigSpec } from "../domain/bootstrap/controlPlane";
import type { LinuxControlPlaneArgs } from "../components/controlPlane/linuxControlPlane";
import { capzImage } from "../domain/machines/images";
import type { Pool } from "../components/machinePool/machinePool";
import type { PoolPlace } from "../components/machinePool/manifests";
import type {
  ManagementCluster,
  ManagementClusterArgs,
} from "../components/managementCluster/managementCluster";
import { vxlanMtu } from "../domain/network/mtu";
import type { VirtualNetwork, VirtualNetworkArgs } from "../components/virtualNetwork/virtualNetwork";
import type { SampleWorkloadArgs } from "../components/sampleWorkload/sampleWorkload";
import { apiServerHost, apiServerPort } from "../domain/cluster/naming";
import type { WorkloadCluster, WorkloadClusterArgs } from "../components/workloadCluster/workloadCluster";

/** From the settings of a stack to the args of each component. */

export const azureProvider = ({ azure }: Settings) => ({
  subscriptionId: azure.subscriptionId,
  tenantId: azure.tenantId,
});

const place = ({ azure, clusterName }: Settings) => ({
  clusterName,
  subscriptionId: azure.subscriptionId,
  resourceGroup: azure.resourceGroup,
  location: azure.location,
});

export function managementCluster(settings: Settings): ManagementClusterArgs {
  const { management, tags, protect, managementKubeconfig = "" } = settings;
  return management.kind === "aks"
    ? { ...management, ...place(settings), tags, protect }
    : { ...management, kubeconfig: managementKubeconfig };
}

export const virtualNetwork = (settings: Settings, management: ManagementCluster): VirtualNetworkArgs => ({
  ...place(settings),
  ...settings.network,
  allowedCidrs: settings.access.allowedCidrs,
  managementCidrs: management.egressCidrs,
  tags: settings.tags,
  protect: settings.protect,
});

export const clusterApi = (
  settings: Settings,
  management: ManagementCluster,
  network: VirtualNetwork,
  azure: Provider,
): ClusterApiArgs => ({
  clusterName: settings.clusterName,
  namespace: settings.namespace,
  tenantId: settings.azure.tenantId,
  install: settings.clusterApi.install ? settings.clusterApi : undefined,
  identity: {
    ...place(settings),
    resourceGroupName: network.resourceGroupName,
    resourceGroupId: network.resourceGroupId,
    oidcIssuerUrl: management.oidcIssuerUrl,
    existing: settings.clusterApi.identity,
    tags: settings.tags,
  },
  azure,
  kubernetes: management.provider,
});

export const addonSets = (settings: Settings, { mtu }: VirtualNetwork, run: Run): AddonSetsArgs => ({
  ...run,
  clusterName: settings.clusterName,
  namespace: settings.namespace,
  platform: settings.platform,
  kubernetesVersion: settings.kubernetesVersion,
  controlPlaneReplicas: settings.controlPlane.replicas,
  apiServerHost: apiServerHost(place(settings)),
  apiServerPort,
  podCidr: settings.network.podCidr,
  serviceCidr: settings.network.serviceCidr,
  podMtu: vxlanMtu(mtu),
  ...settings.addons,
});

/** What the control plane and every pool have in common. */
export const clusterPlace = (settings: Settings): Omit<PoolPlace, "name"> => ({
  clusterName: settings.clusterName,
  namespace: settings.namespace,
  location: settings.azure.location,
  sshPublicKey: settings.access.sshPublicKey,
  tags: settings.tags,
  platform: settings.platform,
  mtu: settings.network.mtu,
});

export const controlPlane = (
  settings: Settings,
  { controlPlaneIdentityId }: ClusterApi,
): LinuxControlPlaneArgs => ({
  ...clusterPlace(settings),
  identityId: controlPlaneIdentityId,
  ...settings.controlPlane,
  kubernetesVersion: settings.kubernetesVersion,
  image: capzImage(settings.controlPlane.image, { os: "linux" }, settings.kubernetesVersion),
  bootstrap: (azureJsonSecret) =>
    controlPlaneKubeadmConfigSpec({
      ...clusterPlace(settings),
      kubernetesVersion: settings.kubernetesVersion,
      azureJsonSecret,
    }),
});

export const workloadCluster = (
  settings: Settings,
  { identityName }: ClusterApi,
  pools: readonly Pool[],
  others: readonly pulumi.Resource[],
): WorkloadClusterArgs => ({
  ...place(settings),
  ...settings.network,
  namespace: settings.namespace,
  platform: settings.platform,
  identityName,
  tags: settings.tags,
  wait: settings.wait !== "none",
  awaitedPools: settings.wait === "nodes" ? pools : [],
  protect: settings.protect,
  consistsOf: [...others, ...pools],
});

/** None, or one. */
export function sampleWorkloads(
  settings: Settings,
  management: ManagementCluster,
  { apiServerHost: host, kubeconfig }: WorkloadCluster,
): SampleWorkloadArgs[] {
  const { sampleWorkload, access } = settings;
  const place = samplePool(settings);
  if (sampleWorkload === undefined || place === undefined || kubeconfig === undefined) {
    return [];
  }
  return [
    {
      ...sampleWorkload,
      windowsServer: place.pool.windowsServer,
      allowedCidrs: access.allowedCidrs,
      kubeconfig,
      // The host has subscription, resource group and name of the cluster in it.
      clusterIdentifier: `${management.clusterIdentifier}/${host}`,
    },
  ];
}
