import type { ForeignKey } from "./foreignKey";
import { absent, moved } from "./foreignKey";
import { gigabytesOf, kindOf, rangeOf, rolloutOf, spotOf, windowsServerOf, zonesOf } from "./values";

/**
 * Keys of node pools: CAPZ's AzureMachinePool and AzureMachineTemplate, Cluster API's MachinePool and
 * MachineDeployment, pools of AKS, of acs-engine and of aks-engine.
 */
export const poolKeys: readonly ForeignKey[] = [
  moved("storageAccountType osDiskStorageAccountType nodeOsdiskType", "the type of the OS disk", [
    "pool.osDiskType",
  ]),
  moved("ephemeral diffDiskSettings", "an OS disk on the host", ["pool.ephemeralOsDisk"], {
    as: "translated",
  }),
  absent(
    "managedDisk cachingType",
    "no key has further options of disks",
    "osDiskGB and osDiskType of each pool",
  ),
  moved("spotInstances spotVMOptions", "spot machines", ["pool.spot"], {
    as: "translated",
    within: ["pool", "cluster"],
  }),
  moved("priority scaleSetPriority", "spot machines", ["pool.spot"], {
    as: spotOf,
    within: ["pool", "cluster"],
  }),
  absent(
    "spot spotInstances spotVMOptions priority",
    "control plane machines cannot be spot machines: etcd would lose its majority when Azure takes them back",
    "spot of each pool",
    { within: ["controlPlane"] },
  ),
  moved("scaleSetEvictionPolicy", "the eviction policy", ["pool.spot.evictionPolicy"], { within: ["pool"] }),
  moved("spotMaxPrice", "the highest price", ["pool.spot.maxPrice"], { within: ["pool"] }),
  absent(
    "encryptionAtRest",
    "Azure encrypts every managed disk at rest",
    "encryptionAtHost and diskEncryptionSetId of each pool",
    { within: ["pool"] },
  ),
  moved("enableEncryptionAtHost", "encryption at host", ["pool.encryptionAtHost"], { within: ["pool"] }),
  moved("diskEncryptionSet", "the disk encryption set", ["pool.diskEncryptionSetId"], {
    as: "translated",
    within: ["pool"],
  }),
  moved("terminateNotificationTimeout terminationNotice", "the minutes of notice", [
    "pool.terminationNoticeMinutes",
  ]),
  moved("label nodeLabels customNodeLabels nodeLabel", "the labels of nodes", ["pool.labels"], {
    within: ["pool", "cluster"],
  }),
  absent(
    "labels label nodeLabels",
    "no key sets labels of control plane nodes",
    "labels of each pool; kubectl label node for control plane nodes",
    { within: ["controlPlane"] },
  ),
  moved("taint nodeTaints nodeTaint", "the taints of nodes", ["pool.taints"], {
    as: "translated",
    within: ["pool", "cluster"],
  }),
  absent(
    "taints taint nodeTaints",
    "no key sets taints of control plane nodes: they have the one that kubeadm sets",
    "taints of each pool",
    { within: ["controlPlane"] },
  ),
  moved(
    "kubeletConfig kubeletConfiguration customKubeletConfig kubeletExtraArgs kubeletArgs",
    "the configuration of kubelet",
    ["pool.kubelet"],
    { as: "translated" },
  ),
  moved("maxPodsPerNode", "the largest number of pods on a node", ["pool.kubelet.maxPods"]),
  moved("systemReserved kubeReserved", "what kubelet keeps from pods", ["pool.kubelet.reserved"], {
    as: "translated",
  }),
  moved("gcHighThreshold imageGCHighThresholdPercent", "the use of the disk above which images go", [
    "pool.kubelet.imageGC.highPercent",
  ]),
  moved("gcLowThreshold imageGCLowThresholdPercent", "the use of the disk down to which images go", [
    "pool.kubelet.imageGC.lowPercent",
  ]),
  moved(
    "serializeImagePulls",
    "how many images are pulled at the same time",
    ["pool.kubelet.maxParallelImagePulls"],
    { as: "translated" },
  ),
  moved(
    "override patches patch transforms transformations",
    "merge patches of the generated objects",
    ["pool.overrides", "controlPlane.overrides", "overrides"],
    { as: "translated" },
  ),
  moved("defaults commonPool allPools nodeDefaults", "what all pools have in common", ["poolDefaults"], {
    within: ["cluster"],
  }),
  moved(
    "count nodeCount machineCount instanceCount nodes desiredCapacity capacity numberOfNodes AZURE_NODE_COUNT",
    "the number of nodes",
    ["pool.replicas", "controlPlane.replicas", "management.nodeCount"],
  ),
  moved("WORKER_MACHINE_COUNT", "the number of Linux nodes", ["linuxPool.replicas"], { within: ["cluster"] }),
  moved("WINDOWS_WORKER_MACHINE_COUNT", "the number of Windows nodes", ["windowsPool.replicas"], {
    within: ["cluster"],
  }),
  moved(
    "size machineType instanceType instanceSize nodeVmSize machineSize vmType",
    "the VM size",
    ["pool.vmSize", "controlPlane.vmSize", "management.nodeSize"],
    { within: ["pool", "controlPlane", "management", "cluster"] },
  ),
  moved("sku", "the VM size", ["pool.vmSize", "controlPlane.vmSize"], { within: ["pool", "controlPlane"] }),
  moved("AZURE_NODE_MACHINE_TYPE", "the VM size of all pools", ["poolDefaults.vmSize"]),
  moved("nodeSize", "the VM size", ["pool.vmSize", "controlPlane.vmSize"], {
    within: ["pool", "controlPlane"],
  }),
  moved("vmSize", "the VM size", ["management.nodeSize"], { within: ["management"] }),
  moved(
    "orchestratorVersion orchestratorRelease currentOrchestratorVersion k8sVersion version kubeVersion kubeletVersion",
    "the Kubernetes version",
    ["pool.kubernetesVersion", "kubernetesVersion", "management.kubernetesVersion"],
    { within: ["pool", "cluster", "management", "controlPlane"] },
  ),
  absent(
    "name",
    "the name of a pool is its key in the mapping",
    "windowsPools and linuxPools with each pool by its name, such as win1: {replicas: 2}",
    { within: ["pool"] },
  ),
  moved("availabilityZones availabilityZone zone failureDomains failureDomain", "the zones", ["pool.zones"], {
    as: zonesOf,
    within: ["pool"],
  }),
  absent(
    "zones zone availabilityZones availabilityZone failureDomains failureDomain",
    "CAPZ spreads the control plane over all zones of the region by itself",
    "zones of each pool in windowsPools and linuxPools",
    { within: ["controlPlane", "cluster", "azure"] },
  ),
  absent(
    "zones zone availabilityZones availabilityZone",
    "AKS places the nodes of the management cluster",
    "zones of each pool in windowsPools and linuxPools",
    { within: ["management"] },
  ),
  absent(
    "zoneBalance platformFaultDomainCount availabilitySet availabilitySetID proximityPlacement hostGroupId capacityReservationGroupID crgId",
    "no key places machines other than by zones",
    "zones, or overrides with a patch of AzureMachinePool for what CAPZ has beyond",
  ),
  moved("minCount minSize minReplicas minNodes min", "the smallest number of nodes", ["pool.autoscale.min"], {
    within: ["pool", "cluster"],
  }),
  moved("maxCount maxSize maxReplicas maxNodes max", "the largest number of nodes", ["pool.autoscale.max"], {
    within: ["pool", "cluster"],
  }),
  moved("minCount minNodeCount", "the smallest number of nodes", ["management.nodeCount"], {
    within: ["management"],
  }),
  moved("maxCount", "the largest number of nodes", ["management.maxNodeCount"], { within: ["management"] }),
  moved(
    "enableAutoScaling enableClusterAutoscaler clusterAutoscaler autoscaling autoscaler scaling",
    "the range of the autoscaler",
    ["pool.autoscale"],
    { as: rangeOf, within: ["pool"] },
  ),
  absent(
    "autoscale enableAutoScaling enableClusterAutoscaler",
    "the size of the control plane is fixed, because etcd needs an odd number of members",
    "autoscale of each pool in windowsPools and linuxPools",
    { within: ["controlPlane"] },
  ),
  absent(
    "enableAutoScaling enableClusterAutoscaler autoscale",
    "AKS always scales the nodes of the management cluster between nodeCount and maxNodeCount",
    "management.nodeCount and management.maxNodeCount",
    { within: ["management"] },
  ),
  moved(
    "osDiskSizeGB osDiskSize diskSizeGB diskSize nodeOsdiskSize rootVolumeSize osDisk",
    "the size of the OS disk",
    ["pool.osDiskGB", "controlPlane.osDiskGB"],
    { as: gigabytesOf, within: ["pool", "controlPlane", "cluster"] },
  ),
  moved(
    "etcdDiskSizeGB etcdDisk etcdDiskSize etcdVolumeSize",
    "the size of etcd's disk",
    ["controlPlane.etcdDiskGB"],
    { as: gigabytesOf },
  ),
  absent(
    "osType os operatingSystem",
    "the mapping says which operating system a pool has",
    "Linux pools in linuxPools, Windows pools in windowsPools",
    { within: ["pool"] },
  ),
  moved(
    "osSku windowsServerVersion windowsVersion windowsOsVersion windowsRelease windowsSku osVersion",
    "the release of Windows Server",
    ["pool.windowsServer"],
    { as: windowsServerOf, within: ["windowsPools", "cluster"] },
  ),
  absent(
    "windowsVersion osSku distro ubuntuVersion FLATCAR_VERSION FLATCAR_DISABLE_AUTO_UPDATE",
    "the image of a Linux node says which distribution it has; the default is CAPZ's Ubuntu 24.04",
    "image, for an image of another distribution (docs/images.md)",
    { within: ["linuxPools", "controlPlane"] },
  ),
  absent(
    "windowsServer windowsServerVersion",
    "the nodes of this pool run Linux",
    "Windows pools in windowsPools",
    { within: ["linuxPools"] },
  ),
  absent(
    "osType osSku windowsServer windowsServerVersion",
    "these machines run Linux: the Kubernetes control plane does not run on Windows, and Cluster API's controllers have no Windows images",
    "Windows nodes in windowsPools",
    { within: ["management"] },
  ),
  absent(
    "osType windowsServer windowsServerVersion",
    "these machines run Linux: the Kubernetes control plane does not run on Windows, and Cluster API's controllers have no Windows images",
    "Windows nodes in windowsPools",
    { within: ["controlPlane"] },
  ),
  absent(
    "distro ubuntuVersion FLATCAR_VERSION FLATCAR_DISABLE_AUTO_UPDATE",
    "the image of a Linux node says which distribution it has; the default is CAPZ's Ubuntu 24.04",
    "image of a pool, for an image of another distribution (docs/images.md)",
    { within: ["cluster"] },
  ),
  absent("distro", "the image of a Windows node says what is in it", "windowsServer and image of the pool", {
    within: ["windowsPools"],
  }),
  moved(
    "type availabilityProfile orchestrationMode vmSetType agentPoolType",
    "how machines are created",
    ["pool.kind"],
    { as: kindOf, within: ["windowsPools"] },
  ),
  absent(
    "kind type availabilityProfile orchestrationMode vmSetType agentPoolType",
    "Linux pools are always scale sets",
    "MachinePool; only Windows pools have a choice (windowsPools.<name>.kind)",
    { within: ["linuxPools"] },
  ),
  absent(
    "kind type availabilityProfile orchestrationMode vmSetType",
    "the machines of the control plane are single machines, spread over the zones of the region",
    "replicas, for their number",
    { within: ["controlPlane"] },
  ),
  moved(
    "strategy updateStrategy rolloutStrategy rollingUpdate upgradeSettings updatePolicy",
    "how nodes are replaced",
    ["pool.rollout"],
    { as: rolloutOf, within: ["pool"] },
  ),
  absent(
    "rollout strategy rolloutStrategy rollingUpdate upgradeSettings maxSurge maxUnavailable",
    "Cluster API replaces the machines of a control plane one at a time, with one more in between",
    "rollout of each pool in windowsPools and linuxPools",
    { within: ["controlPlane"] },
  ),
  absent(
    "mode",
    "pools have no mode: pods of the cluster itself run on any Linux node, those of the control plane included",
    "linuxPools, for Linux nodes beside the control plane",
    { within: ["pool"] },
  ),
];
