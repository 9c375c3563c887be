import type { ForeignKey } from "./foreignKey";
import { absent, moved } from "./foreignKey";

/** Keys of the management cluster: arguments of AKS, of which the program sets most by itself. */

const within = ["management"];

export const managementKeys: readonly ForeignKey[] = [
  absent(
    "name resourceName dnsPrefix fqdnSubdomain",
    "the name of the AKS cluster follows from clusterName",
    "clusterName, for the names of both clusters; management.name, for a cluster of yours (kind: existing)",
    { within },
  ),
  absent(
    "networkPlugin networkPluginMode networkMode networkDataplane networkPolicy networkProfile podCidr podCidrs serviceCidr serviceCidrs dnsServiceIP ipFamilies outboundType loadBalancerSku loadBalancerProfile natGatewayProfile staticEgressGatewayProfile advancedNetworking vnet vnetSubnetID subnet subnetId subnets vnetCidr",
    "the management cluster has Azure CNI Overlay with the ranges that AKS chooses, and its VNET is not peered with that of the workload cluster",
    "management.authorizedCidrs, for who may reach its API server; network, for the workload cluster; kind: existing, for a cluster with a network of your own",
    { within },
  ),
  absent(
    "agentPoolProfiles nodePools nodePool pools windowsProfile",
    "the management cluster has one Linux node pool, on which Cluster API's controllers run",
    "management.nodeCount, management.maxNodeCount and management.nodeSize; windowsPools, for Windows nodes of the workload cluster",
    { within },
  ),
  absent(
    "sku tier skuTier",
    "the management cluster has the Standard tier of AKS, which guarantees the uptime of its API server",
    "kind: existing in management, for a cluster with another tier",
    { within: ["management", "cluster"] },
  ),
  absent(
    "apiServerAccessProfile enablePrivateCluster privateCluster privateApiServer publicNetworkAccess privateLinkResources",
    "the API server of the management cluster has a public address",
    "management.authorizedCidrs, for who may reach it; kind: existing, for a private cluster",
    { within },
  ),
  absent(
    "autoScalerProfile",
    "AKS scales the nodes of the management cluster with its defaults",
    "management.nodeCount and management.maxNodeCount",
    { within },
  ),
  moved(
    "maintenanceConfiguration maintenanceSchedule",
    "when AKS may upgrade",
    ["management.maintenanceWindow"],
    { as: () => undefined, within },
  ),
  absent(
    "upgradeChannel autoUpgradeProfile autoUpgradeChannel nodeOSUpgradeChannel enableAutomaticUpdates upgradeSettings",
    "AKS upgrades node images and, where management.kubernetesVersion names none, patch versions; the minor changes with management.kubernetesVersion only",
    "management.maintenanceWindow, for the day and the time",
    { within },
  ),
  absent(
    "identity identityProfile userAssignedID useManagedIdentity managedIdentity USER_IDENTITY servicePrincipalProfile oidcIssuerProfile podIdentityProfile securityProfile enableWorkloadIdentity enableOidcIssuer",
    "AKS has an identity that it makes, an OIDC issuer and workload identity: the identities of Cluster API need these",
    "clusterApi.identity, for the identity that CAPZ uses",
    { within },
  ),
  absent(
    "storageProfile osDiskSizeGB osDiskType diskEncryptionSetID addonProfiles ingressProfile serviceMeshProfile azureMonitorProfile metricsProfile workloadAutoScalerProfile nodeProvisioningProfile aiToolchainOperatorProfile bootstrapProfile supportPlan httpProxyConfig linuxProfile extendedLocation telemetryProfile resourceHealth powerState enableRBAC",
    "the program sets nothing of this on the management cluster",
    "kind: existing, for a management cluster that you configure yourself",
    { within },
  ),
];
