// Programs that import this type-check it with settings of their own, whose library may be older than what Node.js 20 has.
/// <reference lib="es2023" />
/**
 * The components, for other programs: `import { VirtualNetwork, WindowsPool } from "capz-windows"`. In
 * TypeScript as a workspace or by `file:`; in other languages by plugin.ts.
 *
 * They read no stack config, no environment and no files of the program that uses them.
 */
import "../older/addons/register";
export type { AuditArgs } from "../bootstrap/audit";
export { type EncryptionArgs } from "./controlPlane/encryptionKeys";
export { type PodSecurityArgs } from "./podSecurityArgs";
export { type AuthenticationArgs } from "./authenticationArgs";
export type { IssuerArgs } from "capz-windows-platform/login/issuers";
export { type EgressArgs, type ProxyArgs, type RegistryMirrorArgs } from "./egressArgs";
export { AzureBastion, type AzureBastionArgs } from "./bastion/azureBastion";
export { ClusterAutoscaler, type ClusterAutoscalerArgs } from "./clusterAutoscaler/clusterAutoscaler";
export { type AutoscalerBehavior } from "./clusterAutoscaler/manifests";
export { ClusterApi } from "./clusterApi/clusterApi";
export type { ClusterApiArgs } from "./clusterApi/clusterApiArgs";
export type { ExistingIdentityArgs } from "./clusterApi/clusterApiArgs";
export { type ChartArchivesArgs, type ProviderVersionsArgs } from "./clusterApi/providers";
export { addonSets, type AddonSet, type AddonSetsArgs } from "./clusterResourceSet/addonSets";
export { ClusterResourceSet, type ClusterResourceSetOptions } from "./clusterResourceSet/clusterResourceSet";
export { type ClusterResourceSetArgs, type ResourceEntryArgs } from "./clusterResourceSet/manifests";
export { LinuxControlPlane, type LinuxControlPlaneArgs } from "./controlPlane/linuxControlPlane";
export { LinuxPool } from "./machinePool/linuxPool";
export {
  type AutoscaleArgs,
  type LinuxPoolArgs,
  type NodeFileArgs,
  type PoolArgs,
  type RolloutArgs,
  type WindowsPoolArgs,
} from "./machinePool/poolArgs";
export { WindowsPool } from "./machinePool/windowsPool";
export { type AksClusterArgs, type EntraArgs } from "./managementCluster/aksCluster";
export {
  type AksApiServerArgs,
  type AksNetworkArgs,
  type AksOutboundArgs,
} from "./managementCluster/aksNetworkArgs";
export {
  ManagementCluster,
  type ExistingClusterArgs,
  type ManagementClusterArgs,
} from "./managementCluster/managementCluster";
export { type StackClusterArgs } from "./managementCluster/stackCluster";
export { VnetPeerings, type PeeringArgs, type VnetPeeringsArgs } from "./peering/vnetPeerings";
export { ApiServerZone, type ApiServerZoneArgs } from "./privateDns/apiServerZone";
export { type SampleDiskArgs } from "./sampleWorkload/manifests";
export { SampleWorkload, type SampleWorkloadArgs } from "./sampleWorkload/sampleWorkload";
export type { ExistingNetworkIds } from "capz-windows-platform/company-network/existingNetwork";
export type { OutboundArgs } from "capz-windows-platform/company-network/outbound";
export { ExistingNetwork, type ExistingNetworkArgs } from "./virtualNetwork/existingNetwork";
export {
  VirtualNetwork,
  type BastionSubnetArgs,
  type VirtualNetworkArgs,
} from "./virtualNetwork/virtualNetwork";
export { WindowsWorkload, type WindowsWorkloadArgs } from "./windowsWorkload/windowsWorkload";
export { RunningPools, type AwaitedPoolArgs, type RunningPoolsArgs } from "./workloadCluster/runningPools";
export { type WorkloadClusterOptions } from "./workloadCluster/workloadCluster";
export { UpgradeOrder, type UpgradedPoolArgs, type UpgradeOrderArgs } from "./workloadCluster/upgradeOrder";
export {
  WorkloadCluster,
  type PrivateApiServerArgs,
  type WorkloadClusterArgs,
} from "./workloadCluster/workloadCluster";
export { apiServerHost, apiServerPort, type ClusterIdentity } from "capz-windows-platform/cluster/naming";
export { Flavor, platformOf, type Platform } from "capz-windows-platform/cluster/platform";
export {
  type GalleryChoice,
  type ImageChoice,
  type MarketplaceChoice,
} from "capz-windows-platform/machines/images";
export { NodeOs } from "capz-windows-platform/machines/naming";
export { PodSecurityLevel } from "capz-windows-platform/cluster/podSecurity";
export { DeletePolicy, PoolKind } from "capz-windows-platform/machines/pools";
export { ManagementOutbound } from "capz-windows-platform/azure/managementNetwork";
export { OutboundType } from "capz-windows-platform/company-network/outbound";
export { RemoteSide } from "capz-windows-platform/company-network/peerings";
export { WindowsServer } from "capz-windows-platform/machines/windowsReleases";
export { vxlanMtu } from "capz-windows-platform/network/mtu";
export {
  type ResourcesArgs,
  type WindowsEnvArgs,
  type WindowsPodArgs,
  type WindowsProbeArgs,
  type WindowsServiceArgs,
  type WindowsVolumeArgs,
} from "capz-windows-platform/workloads/windowsArgs";
export {
  windowsDaemonSet,
  windowsDeployment,
  windowsService,
  windowsStatefulSet,
  WorkloadKind,
  type WindowsObjectArgs,
  type WindowsReplicasArgs,
} from "capz-windows-platform/workloads/windowsObjects";
export { Isolation } from "capz-windows-platform/workloads/windowsVersions";
export { noProxy, type DirectTargets } from "capz-windows-platform/company-network/noProxy";
