import type { Case } from "./ruleCases";

/** An image for versions that the community gallery has never had. */
export const marketplacePool = { image: { marketplace: {} } };
const marketplace = { controlPlane: marketplacePool };
const own = { image: { id: "/subscriptions/x" } };
export const dockershim = { ...marketplace, flavor: "dockershim", kubernetesVersion: "v1.22.9" };
const dockerPool = { windowsServer: "2019", image: { marketplace: {} } };

const oldCluster = { kubernetesVersion: "v1.25.16", controlPlane: own };

const keyVaultIdentity =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.ManagedIdentity/userAssignedIdentities/gmsa";

/** Add-ons that cannot work as they are set. */
export const addonCases: readonly Case[] = [
  [
    "disks by CSI with the in-tree cloud provider",
    { ...oldCluster, addons: { azureDisk: { enabled: true } } },
    "addons.azureDisk.enabled: with Kubernetes v1.25.16, volumes and the cloud provider are in-tree, and the add-on has not been tested with them",
    { kubernetesVersion: "v1.26.0", controlPlane: own, addons: { azureDisk: { enabled: true } } },
  ],
  [
    "metrics of such a cluster",
    { ...oldCluster, addons: { metricsServer: { enabled: true } } },
    "addons.metricsServer.enabled: with Kubernetes v1.25.16, volumes and the cloud provider are in-tree, and the add-on has not been tested with them",
    oldCluster,
  ],
  [
    "metrics of Windows nodes of such a cluster",
    { ...oldCluster, addons: { windowsExporter: { enabled: true } } },
    "addons.windowsExporter.enabled: with Kubernetes v1.25.16, volumes and the cloud provider are in-tree, and the add-on has not been tested with them",
    oldCluster,
  ],
  [
    "HNS repairs in such a cluster",
    { ...oldCluster, addons: { hnsRemediation: { enabled: true } } },
    "addons.hnsRemediation.enabled: with Kubernetes v1.25.16, volumes and the cloud provider are in-tree, and the add-on has not been tested with them",
    oldCluster,
  ],
  [
    "gMSA in such a cluster",
    { ...oldCluster, addons: { gmsa: { enabled: true } } },
    "addons.gmsa.enabled: with Kubernetes v1.25.16, volumes and the cloud provider are in-tree, and the add-on has not been tested with them",
    oldCluster,
  ],
  [
    "a gMSA webhook without conditions",
    { kubernetesVersion: "v1.27.16", controlPlane: own, addons: { gmsa: { enabled: true } } },
    "addons.gmsa.enabled: the API server of v1.27.16 reads no matchConditions, so no pod of the cluster would start while the webhook is down",
    { kubernetesVersion: "v1.28.0", controlPlane: own, addons: { gmsa: { enabled: true } } },
  ],
  [
    "an identity of gMSA that no pool uses",
    { addons: { gmsa: { keyVaultIdentity } } },
    "addons.gmsa.keyVaultIdentity: the add-on is off, so no pool gets the identity",
    { addons: { gmsa: { enabled: true, keyVaultIdentity } } },
  ],
  [
    "Calico's policy with another CNI",
    { addons: { cni: "none", azureMetadata: { blocked: true } } },
    "addons.azureMetadata.blocked: the policy is one of Calico's, and with addons.cni: none the network is yours",
    { addons: { cni: "none" } },
  ],
  [
    "Calico's policy without its operator",
    { ...oldCluster, addons: { azureMetadata: { blocked: true } } },
    "addons.azureMetadata.blocked: the policy is one of Calico's operator, which is not installed with the flavor containerd and Kubernetes v1.25.16",
    oldCluster,
  ],
  [
    "exceptions to nothing",
    { addons: { azureMetadata: { blocked: false, allowedNamespaces: ["monitoring"] } } },
    "addons.azureMetadata.allowedNamespaces: nothing denies the addresses to any pod",
    { addons: { azureMetadata: { blocked: false } } },
  ],
  [
    "a default storage class without its driver",
    { addons: { azureDisk: { enabled: false }, defaultStorageClass: "managed-csi" } },
    "addons.defaultStorageClass: its CSI driver is not installed, so claims that name no class would stay Pending",
    { addons: { azureDisk: { enabled: false } } },
  ],
  [
    "shares as default without their driver",
    { addons: { defaultStorageClass: "azurefile-csi" } },
    "addons.defaultStorageClass: its CSI driver is not installed, so claims that name no class would stay Pending",
    { addons: { azureFile: { enabled: true }, defaultStorageClass: "azurefile-csi" } },
  ],
];

/** Combinations of flavor, Kubernetes version, Windows release and add-ons. */
export const flavorCases: readonly Case[] = [
  [
    "Docker after dockershim",
    { ...dockershim, kubernetesVersion: "v1.24.0" },
    "flavor: Kubernetes 1.24 removed dockershim: the kubelet of v1.24.0 cannot run containers with Docker",
    { ...dockershim, kubernetesVersion: "v1.23.6" },
  ],
  [
    "dockershim on a version older than Cluster API can create",
    { ...dockershim, kubernetesVersion: "v1.21.12" },
    "kubernetesVersion: kubeadm of Kubernetes 1.21 cannot read any configuration that Cluster API 1.14 writes",
    { ...dockershim, kubernetesVersion: "v1.22.0" },
  ],
  [
    "a pool on such a version, within the version skew",
    { ...dockershim, linuxPools: { linux1: { ...marketplacePool, kubernetesVersion: "v1.21.12" } } },
    "linuxPools.linux1.kubernetesVersion: kubeadm of Kubernetes 1.21 cannot read any configuration that Cluster API 1.14 writes",
    { ...dockershim, linuxPools: { linux1: { ...marketplacePool, kubernetesVersion: "v1.22.1" } } },
  ],
  [
    "an old kubelet 3 minors behind",
    {
      kubernetesVersion: "v1.27.0",
      controlPlane: own,
      linuxPools: { linux1: { ...own, kubernetesVersion: "v1.24.1" } },
    },
    "linuxPools.linux1.kubernetesVersion: 3 minor versions older than the control plane (v1.27.0)",
    {
      kubernetesVersion: "v1.28.0",
      controlPlane: own,
      linuxPools: { linux1: { ...own, kubernetesVersion: "v1.25.1" } },
    },
  ],
  [
    "Docker on Windows Server 2022",
    { ...dockershim, windowsPools: { win1: { ...dockerPool, windowsServer: "2022" } } },
    "windowsPools.win1.windowsServer: images with Docker were built for Windows Server 2019 only",
    { ...dockershim, windowsPools: { win1: dockerPool } },
  ],
  [
    "Windows Server 2022 before Kubernetes supported it",
    {
      ...marketplace,
      kubernetesVersion: "v1.22.9",
      windowsPools: { win1: { ...own, windowsServer: "2022" } },
    },
    "windowsPools.win1.windowsServer: Kubernetes before 1.23 supports only Windows Server 2019",
    {
      ...marketplace,
      kubernetesVersion: "v1.23.6",
      windowsPools: { win1: { ...own, windowsServer: "2022" } },
    },
  ],
  [
    "a release of Calico's operator where Calico is installed by manifests",
    { controlPlane: own, kubernetesVersion: "v1.25.16", addons: { calicoVersion: "v3.30.7" } },
    "addons.calicoVersion: not used with the flavor containerd and Kubernetes v1.25.16",
    { controlPlane: own, kubernetesVersion: "v1.26.0", addons: { calicoVersion: "v3.30.7" } },
  ],
  [
    "a Calico release with Flannel",
    { ...dockershim, addons: { calicoVersion: "v3.31.7" } },
    "addons.calicoVersion: not used with the flavor dockershim and Kubernetes v1.22.9",
    { ...dockershim, addons: { flannelImage: "registry.example/flannel:1" } },
  ],
  [
    "a Flannel image with Calico",
    { addons: { flannelWindowsImage: "registry.example/flannel:1" } },
    "addons.flannelWindowsImage: not used with the flavor containerd and Kubernetes v1.35.6",
    { addons: { calicoVersion: "v3.32.1" } },
  ],
  [
    "an external cloud provider where the in-tree one is used",
    { ...dockershim, addons: { cloudProviderAzureTag: "v1.22.1" } },
    "addons.cloudProviderAzureTag: not used with the flavor dockershim and Kubernetes v1.22.9",
    { addons: { cloudProviderAzureTag: "v1.35.4" } },
  ],
  [
    "pods in the range that Windows hosts use internally",
    { ...dockershim, network: { podCidr: "192.168.0.0/16" } },
    "network.podCidr: overlaps 192.168.255.0/30, which Windows hosts with Flannel use internally",
    { ...dockershim, network: { podCidr: "192.168.0.0/17" } },
  ],
  [
    "fewer pod ranges than nodes",
    {
      ...dockershim,
      network: { podCidr: "10.244.0.0/21" },
      windowsPools: { win1: { ...dockerPool, replicas: 4 } },
    },
    "network.podCidr: the range has a /24 for each of 8 nodes, but there can be 9 nodes (including surge)",
    {
      ...dockershim,
      network: { podCidr: "10.244.0.0/21" },
      windowsPools: { win1: { ...dockerPool, replicas: 3 } },
    },
  ],
  [
    "another minor of Cluster API than the flavor pins",
    { ...dockershim, clusterApi: { coreVersion: "v1.5.8" } },
    "clusterApi.coreVersion: the generated objects use the v1beta2 types of Cluster API 1.14",
    { ...dockershim, clusterApi: { coreVersion: "v1.13.5" } },
  ],
];
