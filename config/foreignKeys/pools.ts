import { passedOptions } from "../../capi/poolOptions";

/** The fields of a machine that an option of pools has under another name; a field inside another one may have many meanings. */
const passedFieldKeys = passedOptions
  .filter(([name, { machine }]) => machine[0] !== name && !machine[0].includes("."))
  .map(([name, { machine, what }]) => `${machine[0]}\n  = pool.${name}, ${what}`)
  .join("\n");

/**
 * Keys of node pools and their machines: CAPZ's AzureMachinePool and AzureMachineTemplate, Cluster API's MachinePool and
 * MachineDeployment, pools of AKS and of aks-engine. Keys for which the last section says that they are missing need
 * another line as soon as there is such a key.
 */
export const poolKeys = `
storageAccountType osDiskStorageAccountType nodeOsdiskType
osDisk rootVolume rootDisk rootBlockDevice: type volumeType
  = pool.osDiskType, the type of the OS disk
pool: osDiskPlacement osDiskEphemeralPlacement
  = pool.ephemeralOsDisk, an OS disk on the host
ephemeral diffDiskSettings
  = pool.ephemeralOsDisk, an OS disk on the host {ephemeralOf}
managedDisk
  = pool.osDiskType, the type of the OS disk {diskTypeOf}
cachingType
  - no key has further options of disks
  + osDiskGB and osDiskType of each pool
pool cluster: spotInstances spotVMOptions
  = pool.spot, spot machines {translated}
pool cluster: priority scaleSetPriority
  = pool.spot, spot machines {spotOf}
controlPlane: spot spotInstances spotVMOptions priority
  - control plane machines cannot be spot machines: etcd would lose its majority when Azure takes them back
  + spot of each pool
pool: scaleSetEvictionPolicy evictionPolicy
  = pool.spot.evictionPolicy, the eviction policy
pool: spotMaxPrice
  = pool.spot.maxPrice, the highest price
pool: encryptionAtRest
  - Azure encrypts every managed disk at rest
  + encryptionAtHost and diskEncryptionSetId of each pool {nothing}
pool: enableEncryptionAtHost
  = pool.encryptionAtHost, encryption at host
pool: diskEncryptionSet
  = pool.diskEncryptionSetId, the disk encryption set {translated}
terminationNotice notBeforeTimeout
  = pool.terminationNoticeMinutes, the minutes of notice {minutesOf}
${passedFieldKeys}
pool cluster: label nodeLabels customNodeLabels nodeLabel
kubelet: nodeLabels
  = pool.labels, the labels of nodes
controlPlane: labels label nodeLabels
  - no key sets labels of control plane nodes
  + labels of each pool; kubectl label node for control plane nodes
pool cluster: taint nodeTaints nodeTaint
  = pool.taints, the taints of nodes {translated}
controlPlane: taints taint nodeTaints
  - no key sets taints of control plane nodes: they have the one that kubeadm sets
  + taints of each pool
override patches
  = pool.overrides controlPlane.overrides overrides, merge patches of the generated objects {translated}
count nodeCount machineCount instanceCount instances nodes desiredSize desiredCapacity AZURE_NODE_COUNT
  = pool.replicas controlPlane.replicas management.nodeCount, the number of nodes
cluster: WORKER_MACHINE_COUNT
  = linuxPool.replicas, the number of Linux nodes
cluster: WINDOWS_WORKER_MACHINE_COUNT
  = windowsPool.replicas, the number of Windows nodes
pool controlPlane management cluster: size machineType instanceType instanceSize nodeVmSize instanceTypes
  = pool.vmSize controlPlane.vmSize management.nodeSize, the VM size
sku: name
pool controlPlane: sku nodeSize
  = pool.vmSize controlPlane.vmSize, the VM size
sku: capacity
  = pool.replicas controlPlane.replicas, the number of machines
AZURE_NODE_MACHINE_TYPE
  = poolDefaults.vmSize, the VM size of all pools
management: vmSize
  = management.nodeSize, the VM size
pool cluster management controlPlane: orchestratorVersion orchestratorRelease currentOrchestratorVersion k8sVersion version kubeVersion kubeletVersion
  = pool.kubernetesVersion kubernetesVersion management.kubernetesVersion, the Kubernetes version
pool: name
  - the name of a pool is its key in the mapping
  + windowsPools and linuxPools with each pool by its name, such as win1: {replicas: 2} {nothing}
pool: availabilityZones availabilityZone zone failureDomains failureDomain
  = pool.zones, the zones {zonesOf}
controlPlane cluster azure: zones zone availabilityZones availabilityZone failureDomains failureDomain
  - CAPZ spreads the control plane over all zones of the region
  + zones of each pool in windowsPools and linuxPools
management: availabilityZones availabilityZone zone
  = management.zones, the zones {zonesOf}
zoneBalance platformFaultDomainCount availabilitySet availabilitySetID hostGroupId capacityReservationGroupID
  - no key places machines other than by zones
  + zones, or overrides with a patch of AzureMachinePool for what CAPZ has beyond
pool cluster: minCount minSize minReplicas minNodes min
autoscale: minimum minNodes minReplicas minCount minSize
  = pool.autoscale.min, the smallest number of nodes
pool cluster: maxCount maxSize maxReplicas maxNodes max
autoscale: maximum maxNodes maxReplicas maxCount maxSize
  = pool.autoscale.max, the largest number of nodes
management: minCount minNodeCount minSize
  = management.nodeCount, the smallest number of nodes
management: maxCount maxSize
  = management.maxNodeCount, the largest number of nodes
pool: enableAutoScaling autoScalingEnabled enableClusterAutoscaler clusterAutoscaler autoscaling autoscaler scaling
  = pool.autoscale, the range of the autoscaler {rangeOf}
controlPlane: autoscale enableAutoScaling enableClusterAutoscaler
  - the size of the control plane is fixed, because etcd needs an odd number of members
  + autoscale of each pool in windowsPools and linuxPools
management: enableAutoScaling autoScalingEnabled enableClusterAutoscaler autoscale
  - AKS always scales the nodes of the management cluster between nodeCount and maxNodeCount
  + management.nodeCount and management.maxNodeCount
pool controlPlane cluster: osDiskSizeGB osDiskSize diskSizeGB diskSize nodeOsdiskSize osDisk volumeSize rootVolumeSize rootVolume rootDisk rootBlockDevice
  = pool.osDiskGB controlPlane.osDiskGB, the size of the OS disk {gigabytesOf}
etcdDiskSizeGB etcdDisk etcdDiskSize
  = controlPlane.etcdDiskGB, the size of etcd's disk {gigabytesOf}
pool: osType os operatingSystem
  - the mapping says which operating system a pool has
  + Linux pools in linuxPools, Windows pools in windowsPools {nothing}
windowsPools cluster: osSku windowsServerVersion windowsVersion windowsOsVersion windowsRelease windowsSku osVersion
  = pool.windowsServer, the release of Windows Server {windowsServerOf}
linuxPools controlPlane: windowsVersion osSku distro ubuntuVersion FLATCAR_VERSION FLATCAR_DISABLE_AUTO_UPDATE
  - the image of a Linux node says which distribution it has; the default is CAPZ's Ubuntu 24.04
  + image, for an image of another distribution (docs/images.md)
linuxPools: windowsServer windowsServerVersion
  - the nodes of this pool run Linux
  + Windows pools in windowsPools
management: osType osSku windowsServer windowsServerVersion
controlPlane: osType windowsServer windowsServerVersion
  - these machines run Linux: the Kubernetes control plane does not run on Windows, and Cluster API's controllers have no Windows images
  + Windows nodes in windowsPools {nothing}
cluster: distro ubuntuVersion FLATCAR_VERSION FLATCAR_DISABLE_AUTO_UPDATE
  - the image of a Linux node says which distribution it has; the default is CAPZ's Ubuntu 24.04
  + image of a pool, for an image of another distribution (docs/images.md)
windowsPools: distro
  - the image of a Windows node says what is in it
  + windowsServer and image of the pool
windowsPools: type availabilityProfile orchestrationMode vmSetType agentPoolType
  = pool.kind, how machines are created {kindOf}
linuxPools: kind type availabilityProfile orchestrationMode vmSetType agentPoolType
  - Linux pools are always scale sets
  + MachinePool; only Windows pools have a choice (windowsPools.<name>.kind) {nothing}
controlPlane: kind type availabilityProfile orchestrationMode vmSetType
  - the machines of the control plane are single machines, spread over the zones of the region
  + replicas, for their number {nothing}
pool: strategy updateStrategy rolloutStrategy rollingUpdate upgradeSettings
  = pool.rollout, how nodes are replaced {rolloutOf}
controlPlane: rollout strategy rolloutStrategy rollingUpdate upgradeSettings maxSurge maxUnavailable
  - Cluster API replaces the machines of a control plane one at a time, with one more in between
  + rollout of each pool in windowsPools and linuxPools
pool: mode
  - pools have no mode: pods of the cluster itself run on any Linux node, those of the control plane included
  + linuxPools, for Linux nodes beside the control plane {nothing}
pool controlPlane cluster: healthChecks machineHealthCheck machineHealthChecks unhealthyConditions unhealthyNodeConditions
  = pool.healthCheck controlPlane.healthCheck, the health check {translated}
pool controlPlane cluster: autoRepair enableAutoRepair enableNodeAutoRepair
  = pool.healthCheck controlPlane.healthCheck, the health check {enabledOf}
pool controlPlane cluster healthCheck: maxUnhealthy
  = pool.healthCheck.unhealthyLessThanOrEqualTo controlPlane.healthCheck.unhealthyLessThanOrEqualTo, the largest number of unhealthy machines
pool controlPlane cluster: nodeStartupTimeout nodeStartupTimeoutSeconds
healthCheck: nodeStartupTimeout
  = pool.healthCheck.nodeStartupTimeoutSeconds controlPlane.healthCheck.nodeStartupTimeoutSeconds, the seconds in which a machine must become a node {secondsOf}
deletion: nodeDrainTimeout drainTimeout
pool controlPlane cluster: nodeDrainTimeout drainTimeout drainTimeoutSeconds nodeDrainTimeoutSeconds
  = pool.deletion.nodeDrainTimeoutSeconds controlPlane.deletion.nodeDrainTimeoutSeconds, the limit of a drain {secondsOf}
deletion: nodeVolumeDetachTimeout
pool controlPlane cluster: nodeVolumeDetachTimeout nodeVolumeDetachTimeoutSeconds
  = pool.deletion.nodeVolumeDetachTimeoutSeconds controlPlane.deletion.nodeVolumeDetachTimeoutSeconds, the limit of a wait for volumes {secondsOf}
deletion: nodeDeletionTimeout
pool controlPlane cluster: nodeDeletionTimeout nodeDeletionTimeoutSeconds
  = pool.deletion.nodeDeletionTimeoutSeconds controlPlane.deletion.nodeDeletionTimeoutSeconds, the limit for the deletion of a Node {secondsOf}
pool controlPlane cluster deletion: drainTimeoutInMinutes drainTimeoutMinutes
  = pool.deletion.nodeDrainTimeoutSeconds controlPlane.deletion.nodeDrainTimeoutSeconds, the limit of a drain {secondsOfMinutes}
pool: dataDisk disks
  = pool.dataDisks, the data disks
pool: diskSizesGB
  - data disks have names, and a folder or a letter
  + dataDisks, such as dataDisks: [{name: data, sizeGB: 256, letter: F}]
pool: vmExtension extensions
  = pool.vmExtensions, VM extensions
vmExtension: type extensionType
  = vmExtension.name, the name
vmExtension: typeHandlerVersion
  = vmExtension.version, the version
controlPlane cluster management: vmExtensions vmExtension extensions
  - only pools have VM extensions
  + vmExtensions of each pool, or overrides with a patch of AzureMachineTemplate
extensionProfiles preProvisionExtension
  - VM extensions have a publisher, a name and a version
  + vmExtensions, preKubeadmCommands and files of each pool
protectedSettings
  - secrets do not belong in a stack file, and anyone who reads the AzureMachinePool would see them
  + settings, and an identity of the pool with the roles that the extension needs
controlPlane azure cluster network: subnet subnetName subnetId vnetSubnetID
  - only pools have a choice of subnets
  + network.nodeSubnetCidr, network.controlPlaneSubnetCidr, and subnet of each pool; management.network.subnetId, for AKS
enableAcceleratedNetworking acceleratedNetworkingEnabled acceleratedNetworkingEnabledWindows
  = pool.acceleratedNetworking, accelerated networking
pool controlPlane: resourceGroup resourceGroupName
  - machines are in the resource group of the cluster
  + azure.resourceGroup; image.computeGallery.resourceGroup with subscriptionId beside it, for the gallery of an image
pool controlPlane: template machineTemplate spec properties
  - the keys of a machine belong directly below the name of its pool, or below controlPlane
  + replicas, vmSize, zones and the other keys of docs/config.md; overrides for fields without a key {siblings}
bootstrap bootstrapConfig kubeadmConfig kubeadmConfigSpec joinConfiguration clusterConfiguration initConfiguration infrastructureRef bootstrapProvider bootstrapFormat format
  - nodes are set up by kubeadm, whose configuration this program writes; npm run plan shows it
  + files and commands of each pool, or overrides with a patch of KubeadmConfig or KubeadmControlPlane
preCommands runcmd preBootstrapCommands
  = pool.preKubeadmCommands, commands before kubeadm
postCommands
  = pool.postKubeadmCommands, commands after kubeadm
pool: extraFiles writeFiles additionalFiles
  = pool.files, files on each node
taints: operator
  - a taint has no operator: the tolerations of pods have
  + key, value and effect of each taint {nothing}
file: mode
  = file.permissions, the mode of a file
file: text contents data
  = file.content, the content of a file
file: secretKeyRef secretRef secret valueFrom
  = file.contentFrom.secret, the Secret with the content of a file {secretOf}
file: owner encoding append
  - a file is written byte for byte and belongs to root or the administrators
  + path, content and permissions; postKubeadmCommands can change the rest
controlPlane: files preKubeadmCommands postKubeadmCommands
  - no key adds files or commands to control plane machines, because they would decide about upgrades
  + files, preKubeadmCommands and postKubeadmCommands of pools
user users username adminUser adminUsername sshUser
  - the user is always capi: Azure makes it on Linux, and the bootstrap data on Windows
  + access.sshPublicKey, with which capi logs in {nothing}
passwordAuthentication sshEnabled enableSsh sshAccess
  - SSH with the public key is always on, and with a password always off
  + access.sshPublicKey and access.allowedCidrs
enableNodePublicIP enableVMSSNodePublicIP allocatePublicIP publicIP nodePublicIpPrefixId ports loadBalancerBackendAddressPoolIDs
  - nodes have no public addresses: they reach the Internet through the NAT gateway of the VNET
  + a Service of type LoadBalancer, or ssh through the control plane (docs/operations.md)
boot: storageAccountType storageAccountURI
diagnostics bootDiagnostics
  - boot diagnostics are always on, in storage that Azure manages
  + overrides with a patch of AzureMachinePool, for storage of your own
pool: minReadySeconds progressDeadlineSeconds providerID providerIDList selector
  - Cluster API sets this
  + rollout, for how nodes are replaced {nothing}
enableFips fips fipsImage
  - FIPS is a property of the VM image
  + image, for one that you have built so (docs/images.md)
gpuInstanceProfile gpuProfile gpu
  - drivers of GPUs are a property of the VM image
  + vmSize with a GPU and image with its driver (docs/images.md)
pool: scaleDownMode powerState snapshotId creationData workloadRuntime podIPAllocationMode messageOfTheDay kubeletDiskType virtualMachinesProfile virtualMachineNodesStatus gatewayProfile localDNSProfile allowedHostPorts asgIds nodeImageVersion linuxOSConfig sysctls disableVMBootstrapExtension
  - this is a feature of AKS or of its agents, which machines of CAPZ do not have
  + files and commands, for further settings of a node; overrides for fields of CAPZ {nothing}
workloads: isolation isolationMode isolationType
  = workloads.hyperV, Hyper-V isolation for pods that request it {hyperVOf}
runtimes isolation isolationType
  - containers run in process isolation, unless a pod requests Hyper-V isolation with its RuntimeClass
  + workloads.hyperV, which adds these RuntimeClasses (docs/workloads.md)
pool cluster addons: hyperv hypervIsolation
  = workloads.hyperV, Hyper-V isolation for pods
pool: kindOfIdentity identityType
  - the identities of machines are those that identityIds names
  + identityIds {nothing}
pool: identity userAssignedIdentities userAssignedIdentity managedIdentity
  = pool.identityIds, the user-assigned identities of machines {identityIdsOf}
pool: systemAssignedIdentityRole roleAssignmentName
  - machines of pools have no system-assigned identity
  + identityIds for user-assigned ones, or overrides with a patch of AzureMachinePool
windowsPools cluster: licenseType enableAhub ahub azureHybridBenefit
  = windowsPool.hybridBenefit, the Azure Hybrid Benefit {hybridBenefitOf}
linuxPools controlPlane management poolDefaults: licenseType enableAhub ahub azureHybridBenefit
  - CAPZ has no field for the Azure Hybrid Benefit
  + hybridBenefit of a Windows pool, for the command that sets it
pool controlPlane cluster: additionalCapabilities enableUltraSsd ultraSSDEnabled volumes storageProfile
  - machines have no ultra disks
  + dataDisks of each pool, PersistentVolumes for the data of pods, or overrides with a patch of AzureMachinePool
networkInterfaces networkInterface
  - the first network interface of a machine needs no entry
  + subnet and acceleratedNetworking for it, additionalNetworkInterfaces for others; or overrides with a patch of AzureMachinePool (networkInterfaces)
proximityPlacementGroup proximityPlacementGroupId ppg
  - CAPZ has no field for a proximity placement group, for scale sets or for single machines
  + zones, for the availability zones of a pool
nodeSoakDuration nodeSoakDurationInMinutes
  - no key lets a rollout wait after each node
  + rollout.maxSurge and rollout.maxUnavailable of each pool
`;
