import type { ForeignKey } from "./foreignKey";
import { absent, moved } from "./foreignKey";

/**
 * Keys of clusters, subscriptions and identities: variables of clusterctl templates, CAPZ's AzureCluster, ManagedCluster
 * of AKS, apimodels of acs-engine and aks-engine.
 */
export const clusterKeys: readonly ForeignKey[] = [
  moved("name resourceName", "the name of the cluster", ["clusterName"], { within: ["cluster"] }),
  moved("clusterName", "the name of the cluster", ["clusterName"], {
    within: ["azure", "controlPlane", "network"],
  }),
  moved("KUBERNETES_VERSION", "the Kubernetes version", ["kubernetesVersion"], {
    within: ["azure", "controlPlane"],
  }),
  moved("targetNamespace", "the namespace", ["namespace"]),
  moved("CONTROL_PLANE_MACHINE_COUNT masterCount controlPlaneCount", "the number of machines", [
    "controlPlane.replicas",
  ]),
  moved(
    "AZURE_CONTROL_PLANE_MACHINE_TYPE controlPlaneMachineType masterVmSize controlPlaneVmSize",
    "the VM size",
    ["controlPlane.vmSize"],
  ),
  moved("location region AZURE_LOCATION AZURE_REGION", "the region", ["azure.location"]),
  moved("subscription AZURE_SUBSCRIPTION_ID", "the subscription", ["azure.subscriptionId"]),
  moved("subscriptionId", "the subscription", ["azure.subscriptionId"], {
    within: ["cluster", "management", "network", "clusterApi"],
  }),
  moved("tenant tenantId AZURE_TENANT_ID", "the tenant", ["azure.tenantId"], {
    within: ["cluster", "management", "clusterApi"],
  }),
  moved("tenant AZURE_TENANT_ID", "the tenant", ["azure.tenantId"], { within: ["azure"] }),
  moved("resourceGroupName AZURE_RESOURCE_GROUP rg", "the resource group", ["azure.resourceGroup"], {
    within: ["cluster", "azure", "network"],
  }),
  moved("resourceGroup", "the resource group", ["azure.resourceGroup"], { within: ["cluster", "network"] }),
  absent(
    "resourceGroup resourceGroupName",
    "the management cluster has a resource group of its own, whose name follows from clusterName",
    "azure.resourceGroup, for the resource group of the workload cluster",
    { within: ["management"] },
  ),
  absent(
    "nodeResourceGroup nodeResourceGroupProfile",
    "AKS makes a resource group for the nodes of the management cluster, whose name follows from clusterName",
    "azure.resourceGroup, for the resource group of the workload cluster",
  ),
  moved("masterProfile", "the control plane", ["controlPlane"], { as: "translated" }),
  absent(
    "agentPoolProfiles",
    "pools are two mappings from the name of a pool to its keys",
    "linuxPools and windowsPools, such as windowsPools: {win1: {replicas: 2}}",
    { holds: "pools" },
  ),
  absent(
    "windowsProfile",
    "the settings of Windows nodes are keys of each pool in windowsPools, and nobody knows a password of them",
    "windowsServer and image of a pool in windowsPools",
  ),
  absent(
    "windowsImageSourceURL",
    "images are those of a gallery, of the Marketplace or of the subscription, not files",
    "image of a pool in windowsPools (docs/images.md)",
  ),
  moved("windowsPublisher imagePublisher", "the publisher of an image", ["pool.image.marketplace.publisher"]),
  moved("windowsOffer imageOffer", "the offer of an image", ["pool.image.marketplace.offer"]),
  moved("imageSku", "the SKU of an image", ["pool.image.marketplace.sku"]),
  moved("imageVersion", "the version of an image", ["pool.image.marketplace.version"]),
  moved("additionalTags customVMTags vmTags resourceTags tags", "the tags of all resources", ["tags"]),
  absent(
    "azureEnvironment cloud cloudName environment",
    "only the public cloud of Azure is supported",
    "azure.location, for a region of it",
    { within: ["cluster", "azure"] },
  ),
  absent(
    "extendedLocation AZURE_EXTENDEDLOCATION_TYPE AZURE_EXTENDEDLOCATION_NAME edgeZone",
    "edge zones are not supported",
    "azure.location, for a region",
  ),
  absent(
    "dnsPrefix fqdnSubdomain masterFqdn fqdn APISERVER_LB_DNS_SUFFIX apiServerDnsName",
    "CAPZ derives the name of the API server from the cluster, and npm run plan shows it",
    "clusterName, with which it begins",
  ),
  absent(
    "properties apiVersion kind metadata spec infrastructure items resources",
    "this is not the file of another tool: keys stand directly under config:, each with the prefix capz-windows:",
    "the keys of docs/config.md; for an apimodel, docs/migrating-from-aks-engine.md",
    { within: ["cluster"] },
  ),
  absent(
    "orchestratorProfile kubernetesConfig",
    "the fields of an apimodel have several places in a stack file",
    "kubernetesVersion, network and controlPlane (docs/migrating-from-aks-engine.md)",
    { holds: "siblings" },
  ),
  absent("controlPlaneEnabled", "every cluster has a control plane", "controlPlane, for its machines"),
  absent("orchestratorType", "every cluster runs Kubernetes", "kubernetesVersion"),
  absent(
    "workers workerPools nodePools nodePool agentPools machinePools machineDeployments pools nodeGroups defaultNodePool windowsNodePools linuxNodePools",
    "pools are two mappings from the name of a pool to its keys",
    "linuxPools and windowsPools, such as windowsPools: {win1: {replicas: 2}}",
    { holds: "pools" },
  ),
  absent(
    "topology classRef class variables CLUSTER_CLASS_NAME CLUSTER_TOPOLOGY clusterClass",
    "clusters are not created from a ClusterClass, because a plan could not show every object then",
    "the keys of docs/config.md",
  ),
  absent(
    "EXP_MACHINE_POOL EXP_CLUSTER_RESOURCE_SET EXP_KUBEADM_BOOTSTRAP_FORMAT_IGNITION EXP_AKS_RESOURCE_HEALTH EXP_EDGEZONE EXP_ASO_API EXP_APISERVER_ILB featureGates featureFlags",
    "machine pools and ClusterResourceSets are on in all supported releases, and other feature gates are not set",
    "clusterApi, for the versions of the providers",
  ),
  absent(
    "enableRbac rbac enableAggregatedAPIs enablePodSecurityPolicy podSecurityPolicy",
    "RBAC and the aggregation layer are always on, and Kubernetes has no PodSecurityPolicy since 1.25",
    "roles and labels of Pod Security in the cluster itself",
  ),
  absent(
    "certificateProfile certificates clientCertificate",
    "kubeadm and Cluster API make the certificates of the cluster and renew them",
    "no key: npx pulumi stack output workloadKubeconfig has the administrator's certificate",
    { within: ["cluster", "controlPlane"] },
  ),
  absent(
    "apiServerConfig controllerManagerConfig schedulerConfig cloudControllerManagerConfig apiServerExtraArgs extraArgs apiServer controllerManager scheduler",
    "no key sets arguments of the control plane: the program computes those that Windows nodes and the cloud provider need",
    "controlPlane.overrides with a patch of KubeadmControlPlane, for further ones",
  ),
  absent(
    "enableDataEncryptionAtRest enableEncryptionWithExternalKms etcdEncryptionKey encryptionAtRest azureKeyVaultKms kms encryption encryptionConfig encryptionConfiguration",
    "the API server does not encrypt secrets in etcd; Azure encrypts the disk with a platform-managed key",
    "secrets that stay outside of the cluster, such as in Azure Key Vault",
    { within: ["cluster", "controlPlane", "azure", "management"] },
  ),
  absent(
    "auditLog auditPolicy audit",
    "no key sets up an audit log of the API server",
    "controlPlane.overrides with a patch of KubeadmControlPlane",
    { within: ["cluster", "controlPlane"] },
  ),
  absent(
    "backup velero snapshot restore",
    "backups are not made by this program",
    "docs/operations.md, for what to back up and how",
    { within: ["cluster", "addons", "controlPlane"] },
  ),
  absent(
    "upgradeChannel autoUpgradeProfile autoUpgradeChannel nodeOSUpgradeChannel maintenanceWindow enableAutomaticUpdates windowsUpdate automaticUpdates",
    "versions change only when the stack file does, and nodes are replaced instead of updated",
    "kubernetesVersion, and image of a pool (docs/operations.md); for the management cluster management.maintenanceWindow",
  ),
  absent(
    "supportPlan telemetryProfile resourceHealth publicNetworkAccess powerState upgradeSettings workloadAutoScalerProfile nodeProvisioningProfile aiToolchainOperatorProfile bootstrapProfile securityProfile azureMonitorProfile metricsProfile",
    "this is a feature of AKS, which clusters of Cluster API do not have",
    "the keys of docs/config.md",
    { within: ["cluster"] },
  ),
];
