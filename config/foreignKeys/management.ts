/** Keys of the management cluster: ManagedCluster of AKS, azurerm_kubernetes_cluster of Terraform. foreignKey.ts has the format. */
export const managementKeys = `
management: resourceGroup resourceGroupName
  - the management cluster has its own resource group, whose name follows from clusterName
  + azure.resourceGroup, for the resource group of the workload cluster {nothing}
management: enableDataEncryptionAtRest enableEncryptionWithExternalKms etcdEncryptionKey encryptionAtRest azureKeyVaultKms kms encryption encryptionConfig encryptionConfiguration
  - the program does not set how AKS encrypts Secrets in the etcd of the management cluster
  + controlPlane.encryption for the workload cluster, and kind: existing for a management cluster that you configure yourself {nothing}
management: aadProfile AZURE_SERVER_APP_ID aad azureAd entraId
  = management.entra, access by Microsoft Entra {mappingOf}
management: adminGroupObjectIDs
  = management.entra.adminGroupObjectIds, the groups of administrators {oneOrMore}
management: publicAccessCidrs authorizedIPRanges apiServerAuthorizedIpRanges allowedIps allowedIpRanges loadBalancerSourceRanges
  = management.authorizedCidrs, the networks that may reach the API server {listOf}
management: name resourceName dnsPrefix fqdnSubdomain
  - the name of the AKS cluster follows from clusterName
  + clusterName, for the names of both clusters; management.name, for a cluster of yours (kind: existing) {nothing}
management: networkPlugin networkPluginMode networkMode networkDataplane networkPolicy networkProfile podCidr podCidrs serviceCidr serviceCidrs dnsServiceIP ipFamilies loadBalancerSku loadBalancerProfile natGatewayProfile staticEgressGatewayProfile advancedNetworking
  - the management cluster has Azure CNI Overlay, whose ranges are fixed
  + management.network, for its VNET and its way out; network, for the workload cluster; kind: existing, for a cluster that you configure yourself {nothing}
management: disableRunCommand
  = management.runCommand, whether \`az aks command invoke\` is possible {oppositeOf}
management: commandInvoke
  = management.runCommand, whether \`az aks command invoke\` is possible {switchOf}
management: defaultNodePool systemNodePool systemPool
  - what is said of the only node pool is directly below management
  + management.nodeCount, management.maxNodeCount and management.nodeSize {moved}
management: agentPoolProfiles nodePools nodePool pools windowsProfile
  - the management cluster has one Linux node pool, on which Cluster API's controllers run
  + management.nodeCount, management.maxNodeCount and management.nodeSize; windowsPools, for Windows nodes of the workload cluster
management: apiServerAccessProfile publicNetworkAccess privateLinkResources
  - who reaches the API server of the management cluster is said by its network
  + management.authorizedCidrs, for a public address; management.network.apiServer, for a private one
management: autoScalerProfile
  - AKS scales the nodes of the management cluster with its defaults
  + management.nodeCount and management.maxNodeCount {nothing}
management: maintenanceConfiguration maintenanceSchedule maintenanceWindowAutoUpgrade maintenanceWindowNodeOs
  = management.maintenanceWindow, when AKS may upgrade {mappingOf}
maintenanceWindow: day weekDay
  = management.maintenanceWindow.dayOfWeek, the day of the window
maintenanceWindow: start time
  = management.maintenanceWindow.startTime, when the window begins
maintenanceWindow: timezone offset
  = management.maintenanceWindow.utcOffset, the difference to UTC
maintenanceWindow: duration
  = management.maintenanceWindow.durationHours, the hours of the window
maintenanceWindow: frequency interval
  - the window is once a week
  + dayOfWeek, startTime, durationHours and utcOffset {nothing}
management: stackReference stackRef
  = management.stack, the stack of the management cluster {nameOf}
management: outboundIPs outboundIpAddresses egressIPs
  = management.egressCidrs, the addresses with which Cluster API leaves {listOf}
management: issuerUrl oidcIssuer issuer serviceAccountIssuer
  = management.oidcIssuerUrl, the issuer of the management cluster
management: upgradeChannel autoUpgradeProfile autoUpgradeChannel nodeOSUpgradeChannel enableAutomaticUpdates upgradeSettings
  - AKS upgrades node images and, where management.kubernetesVersion names none, patch versions; the minor changes with management.kubernetesVersion only
  + management.maintenanceWindow, for the day and the time {nothing}
management: identity identityProfile userAssignedID useManagedIdentity managedIdentity USER_IDENTITY servicePrincipalProfile oidcIssuerProfile podIdentityProfile securityProfile enableWorkloadIdentity enableOidcIssuer
  - AKS has an identity that it makes, an OIDC issuer and workload identity: the identities of Cluster API need these
  + clusterApi.identity, for the identity that CAPZ uses
management: storageProfile osDiskSizeGB osDiskType diskEncryptionSetID addonProfiles ingressProfile serviceMeshProfile azureMonitorProfile metricsProfile workloadAutoScalerProfile nodeProvisioningProfile aiToolchainOperatorProfile bootstrapProfile supportPlan httpProxyConfig linuxProfile extendedLocation telemetryProfile resourceHealth powerState enableRBAC
  - the program sets nothing of this on the management cluster
  + kind: existing, for a management cluster that you configure yourself {nothing}
`;
