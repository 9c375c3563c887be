/**
 * Keys of clusters, subscriptions and identities, of access to a cluster, and of the management cluster: variables of
 * clusterctl templates, CAPZ's AzureCluster, ManagedCluster of AKS, apimodels of aks-engine. foreignKey.ts has the format.
 */
export const clusterKeys = `
cluster: name resourceName
azure controlPlane network: clusterName
metadata: name
  = clusterName, the name of the cluster
azure controlPlane: KUBERNETES_VERSION
  = kubernetesVersion, the Kubernetes version
targetNamespace
  = namespace, the namespace
CONTROL_PLANE_MACHINE_COUNT masterCount controlPlaneCount masters controlPlanes
  = controlPlane.replicas, the number of machines
AZURE_CONTROL_PLANE_MACHINE_TYPE controlPlaneMachineType masterVmSize controlPlaneVmSize
  = controlPlane.vmSize, the VM size
location region AZURE_LOCATION AZURE_REGION
  = azure.location, the region
subscription AZURE_SUBSCRIPTION_ID
cluster management network clusterApi: subscriptionId
azure: id
  = azure.subscriptionId, the subscription
cluster management clusterApi: tenant tenantId AZURE_TENANT_ID
azure: tenant AZURE_TENANT_ID
  = azure.tenantId, the tenant
cluster azure network: resourceGroupName AZURE_RESOURCE_GROUP rg
cluster network: resourceGroup
  = azure.resourceGroup, the resource group
nodeResourceGroup nodeResourceGroupProfile
  - AKS makes a resource group for the nodes of the management cluster, whose name follows from clusterName
  + azure.resourceGroup, for the resource group of the workload cluster {nothing}
cluster: defaults nodeDefaults defaultPool
  = poolDefaults, the keys of all pools
master masterProfile
  = controlPlane, the control plane {translated}
agentPoolProfiles instanceGroups nodeGroups managedNodeGroups workers workerPools nodePools nodePool agentPools machinePools machineDeployments pools defaultNodePool windowsNodePools linuxNodePools
  - pools are two mappings from the name of a pool to its keys
  + linuxPools and windowsPools, such as windowsPools: {win1: {replicas: 2}} {pools}
windowsProfile
  - the settings of Windows nodes are keys of each pool in windowsPools, and their passwords are not stored anywhere
  + windowsServer and image of a pool in windowsPools {nothing}
windowsImageSourceURL
  - images are those of a gallery, of the Marketplace or of the subscription, not files
  + image of a pool in windowsPools (docs/images.md)
windowsPublisher imagePublisher
  = pool.image.marketplace.publisher, the publisher of an image
windowsOffer imageOffer
  = pool.image.marketplace.offer, the offer of an image
imageSku
  = pool.image.marketplace.sku, the SKU of an image
imageVersion
  = pool.image.marketplace.version, the version of an image
additionalTags customVMTags vmTags resourceTags tags
  = tags, the tags of all resources
cluster azure: azureEnvironment cloud cloudName environment
  - only the public cloud of Azure is supported
  + azure.location, for a region of it {nothing}
extendedLocation AZURE_EXTENDEDLOCATION_TYPE AZURE_EXTENDEDLOCATION_NAME edgeZone
  - edge zones are not supported
  + azure.location, for a region
dnsPrefix fqdnSubdomain fqdn APISERVER_LB_DNS_SUFFIX
  - CAPZ derives the name of the API server from the cluster, and npm run plan shows it
  + clusterName, with which it begins {nothing}
cluster: capz-windows
  - Pulumi reads no keys below a namespace: each stands directly under config:, with the prefix capz-windows:
  + capz-windows:KEY for each key {moved}
cluster azure: preventDestroy preventDeletion deletionProtection
  = protect, whether Pulumi refuses to delete
cluster azure: lock locks resourceLock deleteLock deletionLock
  = protect, whether Pulumi refuses to delete {isLocked}
manifest: path
  = manifest.file, the path of a file
manifest: checksum digest
  = manifest.sha256, the digest of the manifest {hexOf}
policyException: description justification comment note
  = policyException.reason, the reason
policyException: expiresOn expires expiry validUntil
  = policyException.until, the last day {dayOf}
policyException: policy id name
  = policyException.rule, the rule
workloads: enforcementAction enforcement mode
  = workloads.policy, what becomes of pods that cannot run
cluster: properties apiVersion kind metadata spec infrastructure items resources
  - this is not the file of another tool: keys stand directly under config:, each with the prefix capz-windows:
  + the keys of docs/config.md; for an apimodel, docs/migrating-from-aks-engine.md {siblings}
orchestratorProfile kubernetesConfig
  - the fields of an apimodel have several places in a stack file
  + kubernetesVersion, network and controlPlane (docs/migrating-from-aks-engine.md) {siblings}
controlPlaneEnabled
  - every cluster has a control plane
  + controlPlane, for its machines {nothing}
orchestratorType
  - every cluster runs Kubernetes
  + kubernetesVersion {nothing}
topology classRef class variables CLUSTER_CLASS_NAME CLUSTER_TOPOLOGY clusterClass
  - clusters are not created from a ClusterClass, because a plan could not show every object then
  + the keys of docs/config.md {nothing}
EXP_MACHINE_POOL EXP_CLUSTER_RESOURCE_SET EXP_KUBEADM_BOOTSTRAP_FORMAT_IGNITION EXP_AKS_RESOURCE_HEALTH EXP_EDGEZONE EXP_ASO_API EXP_APISERVER_ILB featureGates featureFlags
  - machine pools and ClusterResourceSets are on in all supported releases, and other feature gates are not set
  + clusterApi, for the versions of the providers {nothing}
enableRbac rbac enableAggregatedAPIs enablePodSecurityPolicy podSecurityPolicy
  - RBAC and the aggregation layer are always on, and Kubernetes has no PodSecurityPolicy since 1.25
  + controlPlane.podSecurity, and roles in the cluster itself {nothing}
cluster controlPlane: certificateProfile certificates clientCertificate
  - kubeadm and Cluster API make the certificates of the cluster and renew them
  + no key: npx pulumi stack output workloadKubeconfig has the administrator's certificate {nothing}
apiServerConfig kubeAPIServer kubeControllerManager kubeScheduler controllerManagerConfig schedulerConfig cloudControllerManagerConfig apiServerExtraArgs extraArgs apiServer controllerManager scheduler
  - no key sets arguments of the control plane: the program computes those that Windows nodes and the cloud provider need
  + controlPlane.overrides with a patch of KubeadmControlPlane, for further ones; network.apiServer, for its address
cluster controlPlane azure access: enableDataEncryptionAtRest etcdEncryptionKey encryptionAtRest encryptionConfig encryptionConfiguration secretsEncryption encryptSecrets
cluster azure access: encryption
  = controlPlane.encryption, the encryption of Secrets in etcd {encryptionOf}
cluster controlPlane access addons: auditLog auditLogs auditLogging auditLogConfig auditPolicy auditPolicyFile auditConfig
cluster access addons: audit
  = controlPlane.audit, the audit log of the API server {auditOf}
upgradeChannel autoUpgradeProfile autoUpgradeChannel nodeOSUpgradeChannel maintenanceWindow enableAutomaticUpdates windowsUpdate automaticUpdates
  - versions change only when the stack file does, and nodes are replaced instead of updated
  + kubernetesVersion, and image of a pool (docs/operations.md); for the management cluster management.maintenanceWindow {nothing}
cluster: supportPlan telemetryProfile resourceHealth publicNetworkAccess powerState upgradeSettings workloadAutoScalerProfile nodeProvisioningProfile aiToolchainOperatorProfile bootstrapProfile securityProfile azureMonitorProfile metricsProfile
  - this is a feature of AKS, which clusters of Cluster API do not have
  + the keys of docs/config.md {nothing}
linuxProfile sshAuthorizedKeys sshPublicKeys sshKey sshKeys sshKeyData publicKey publicKeys authorizedKeys ssh keyData AZURE_SSH_PUBLIC_KEY AZURE_SSH_PUBLIC_KEY_B64 sshPublicKey
access: keys key
  = access.sshPublicKey, the public key {publicKeyOf}
clientId AZURE_CLIENT_ID AZURE_CLIENT_ID_USER_ASSIGNED_IDENTITY
  = clusterApi.identity.clientId, the identity of CAPZ
clientSecret secret servicePrincipal servicePrincipalProfile servicePrincipalClientSecret AZURE_CLIENT_SECRET AZURE_CLUSTER_IDENTITY_SECRET_NAME AZURE_CLUSTER_IDENTITY_SECRET_NAMESPACE ASO_CREDENTIAL_SECRET_NAME
  - there are no service principals with secrets: identities are managed and federated with the management cluster
  + clusterApi.identity, for an identity of your own; without it the stack makes one {nothing}
CLUSTER_IDENTITY_NAME CLUSTER_IDENTITY_TYPE identityRef identityName
  - the stack makes an AzureClusterIdentity of type WorkloadIdentity in the namespace of the cluster
  + clusterApi.identity, for the identity that it refers to {nothing}
cluster azure controlPlane: identity identityProfile userAssignedID useManagedIdentity managedIdentity USER_IDENTITY CI_RG
  - the stack makes the identities of the machines, with the smallest roles that work
  + clusterApi.identity, for the identity that CAPZ uses
SERVICE_ACCOUNT_ISSUER oidcIssuerProfile enableOidcIssuer enableWorkloadIdentity workloadIdentity podIdentityProfile
  - the management cluster has an OIDC issuer and workload identity; the workload cluster keeps kubeadm's own issuer
  + management.oidcIssuerUrl, for a management cluster of your own {nothing}
authentication: azureAd azureActiveDirectory aad entraId microsoftEntra microsoftEntraId
  = controlPlane.authentication.entra, login by Microsoft Entra {translated}
cluster controlPlane: aadProfile aad azureAd entraId entra
  = controlPlane.authentication.entra, login by Microsoft Entra {mappingOf}
entra: clientAppId
  = controlPlane.authentication.entra.clientId, the application with which people log in
AZURE_SERVER_APP_ID enableAzureRbac
  - people log in to the workload cluster by its kubeconfig, and by Microsoft Entra where the control plane has the key for it
  + authentication: {entra: {clientId: ...}} in controlPlane; for the management cluster management.entra
oidc oidcIssuerUrl oidcConfig oidcIssuers authenticationConfig authenticationConfiguration structuredAuthentication authentication login
  - people log in to the workload cluster by its kubeconfig, and by other issuers where the control plane has the key for them
  + authentication: {oidc: [{issuerUrl: ..., audiences: [...]}]} in controlPlane; management.oidcIssuerUrl, for the issuer of the management cluster's service accounts
issuer: clientId oidcClientId
  = issuer.audiences, the clients whose tokens are accepted {listOf}
issuer: url issuer oidcIssuerUrl
  = issuer.issuerUrl, the URL of the issuer
issuer: oidcUsernameClaim
  = issuer.usernameClaim, the claim with the name of the user
issuer: oidcUsernamePrefix
  = issuer.usernamePrefix, the beginning of names of users
issuer: oidcGroupsClaim
  = issuer.groupsClaim, the claim with the groups
issuer: oidcGroupsPrefix
  = issuer.groupsPrefix, the beginning of names of groups
authentication: admins clusterAdmins admin
cluster access controlPlane: admins clusterAdmins administrators
  = controlPlane.authentication.administrators, who is administrator of the cluster
authentication: adminGroups administratorGroups
  = controlPlane.authentication.administrators.groups, the groups of administrators {oneOrMore}
authentication: viewers readOnly view
  = controlPlane.authentication.readers, who reads the cluster
authentication: anonymous anonymousAuth
  - without a login, only the health of the API server and what kubeadm join needs can be read
  + entra, oidc, administrators and readers {nothing}
cluster access: adminGroupObjectIDs
  - groups of administrators belong to access by Microsoft Entra
  + entra: {adminGroupObjectIds: [...]} in management
disableLocalAccounts
  - AKS has no local accounts as soon as there is access by Microsoft Entra
  + management.entra {nothing}
additionalSshKeys extraSshPublicKeys
  = access.additionalSshPublicKeys, further public keys
addons cluster: velero backup backups etcdBackup
  - the program installs no backup: the state of a cluster is its stack file, and etcd and volumes need a tool of your own
  + Velero by helm with the output workloadKubeconfig, with its node agent on Linux nodes; docs/operations.md has a snapshot of etcd {nothing}
addons cluster: keyVault keyVaultSecretsProvider azureKeyvaultSecretsProvider secretsStore secretsStoreCsi secretsStoreCsiDriver
  - the program does not install the Secrets Store CSI driver, which mounts secrets of Azure Key Vault
  + helm with the output workloadKubeconfig, with windows.enabled=true in the charts of the driver and of its Azure provider; identityIds of a pool, for who reads the vault {nothing}
sshPrivateKey privateKey
  - a private key never leaves its owner
  + access.sshPublicKey, its public half {nothing}
  # and make a new pair if this one was ever committed
cluster access network controlPlane: publicAccessCidrs authorizedIPRanges apiServerAuthorizedIpRanges allowedIps allowedIpRanges loadBalancerSourceRanges authorizedCidrs
network: allowedCidrs
  = access.allowedCidrs, the networks that may reach the API server {listOf}
enablePrivateCluster privateCluster privateClusterEnabled isPrivateCluster privateApiServer
  = network.apiServer, a private API server {privateOf}
apiServerLB controlPlaneLoadBalancer AZURE_INTERNAL_LB_PRIVATE_IP
  = network.apiServer, a private API server {internalOf}
apiServerAccessProfile
cluster azure network controlPlane access: private
  - a private API server is a part of the network, with its address and its DNS zone
  + network.apiServer, with private: true (docs/private-networks.md)
apiServer network: privateDNSZone privateDNSZoneName dnsZone dnsZoneName dnsZoneId zoneName zoneId zone
  = network.apiServer.dns, the private zone with its name {zoneOf}
privateDNSZone privateDNSZoneName privateDNSZoneResourceGroup
  - only a private API server has a private DNS zone
  + network.apiServer.dns, with zoneName, zoneId or manual: true; management.network.apiServer.privateDnsZone, for AKS
access cluster network controlPlane azure: jumpHost jumpbox
  = network.bastion, a way to ssh and RDP beside the control plane {jumpHostOf}
bastion bastionSpec azureBastion bastionId bastionHost
  - a way to ssh and RDP beside the control plane is a part of the network
  + network.bastion, with kind: stack and range, kind: existing and bastionId, or kind: jumpHost (docs/private-networks.md)
management cluster: kubeconfig managementClusterKubeconfig
  = managementKubeconfig, the kubeconfig {nothing}
subjectAltNames certSANs firstConsecutiveStaticIP staticIp privateIp controlPlaneEndpoint
  - the API server is reached by the name that CAPZ gives it; machines are replaced, and their addresses with them
  + clusterName, with which the name begins
entra: managed
  - access by Microsoft Entra is managed by Azure always
  + adminGroupObjectIds {nothing}
management cluster: sku tier skuTier
  - the management cluster has the Standard tier of AKS, which guarantees the uptime of its API server
  + kind: existing in management, for a cluster with another tier {nothing}
secrets
  - no key installs certificates out of a key vault
  + trustedCertificates, for certificate authorities; secrets of pods for the rest {nothing}
`;
