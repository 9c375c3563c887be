import type { Case } from "./ruleCases";

/** The images of versions that the community gallery never had. */
const marketplacePool = { image: { marketplace: {} } };
const marketplace = { controlPlane: marketplacePool };
const own = { image: { id: "/subscriptions/x" } };
const dockershim = { ...marketplace, flavor: "dockershim", kubernetesVersion: "v1.22.9" };
const dockerPool = { windowsServer: "2019", image: { marketplace: {} } };

/** Flavour, Kubernetes version, Windows release and add-ons against each other. */
export const flavorCases: readonly Case[] = [
  [
    "Docker after dockershim",
    { ...dockershim, kubernetesVersion: "v1.24.0" },
    "flavor",
    "Kubernetes 1.24 removed the dockershim: the kubelet of v1.24.0 cannot run containers with Docker",
    { ...dockershim, kubernetesVersion: "v1.23.6" },
  ],
  [
    "dockershim before what Cluster API can build",
    { ...dockershim, kubernetesVersion: "v1.21.12" },
    "kubernetesVersion",
    "the kubeadm of Kubernetes 1.21 reads no configuration that Cluster API 1.13 can write",
    { ...dockershim, kubernetesVersion: "v1.22.0" },
  ],
  [
    "a pool older than that, within the skew",
    { ...dockershim, linuxPools: { linux1: { ...marketplacePool, kubernetesVersion: "v1.21.12" } } },
    "linuxPools.linux1.kubernetesVersion",
    "the kubeadm of Kubernetes 1.21 reads no configuration that Cluster API 1.13 can write",
    { ...dockershim, linuxPools: { linux1: { ...marketplacePool, kubernetesVersion: "v1.22.1" } } },
  ],
  [
    "an old kubelet 3 minors behind",
    {
      kubernetesVersion: "v1.27.0",
      controlPlane: own,
      linuxPools: { linux1: { ...own, kubernetesVersion: "v1.24.1" } },
    },
    "linuxPools.linux1.kubernetesVersion",
    "it is 3 minors older than the control plane, v1.27.0",
    {
      kubernetesVersion: "v1.28.0",
      controlPlane: own,
      linuxPools: { linux1: { ...own, kubernetesVersion: "v1.25.1" } },
    },
  ],
  [
    "Docker on Windows Server 2022",
    { ...dockershim, windowsPools: { win1: { ...dockerPool, windowsServer: "2022" } } },
    "windowsPools.win1.windowsServer",
    "images with Docker were built for Windows Server 2019 only",
    { ...dockershim, windowsPools: { win1: dockerPool } },
  ],
  [
    "Windows Server 2022 before Kubernetes knew it",
    {
      ...marketplace,
      kubernetesVersion: "v1.22.9",
      windowsPools: { win1: { ...own, windowsServer: "2022" } },
    },
    "windowsPools.win1.windowsServer",
    "Kubernetes knows Windows Server 2022 since 1.23",
    {
      ...marketplace,
      kubernetesVersion: "v1.23.6",
      windowsPools: { win1: { ...own, windowsServer: "2022" } },
    },
  ],
  [
    "a release of Calico's operator where manifests are delivered",
    { controlPlane: own, kubernetesVersion: "v1.25.16", addons: { calicoVersion: "v3.30.7" } },
    "addons.calicoVersion",
    "nothing reads it with the flavor containerd and Kubernetes v1.25.16",
    { controlPlane: own, kubernetesVersion: "v1.26.0", addons: { calicoVersion: "v3.30.7" } },
  ],
  [
    "a release of Calico beside Flannel",
    { ...dockershim, addons: { calicoVersion: "v3.31.7" } },
    "addons.calicoVersion",
    "nothing reads it with the flavor dockershim and Kubernetes v1.22.9",
    { ...dockershim, addons: { flannelImage: "registry.example/flannel:1" } },
  ],
  [
    "Flannel beside Calico",
    { addons: { flannelWindowsImage: "registry.example/flannel:1" } },
    "addons.flannelWindowsImage",
    "nothing reads it with the flavor containerd and Kubernetes v1.35.6",
    { addons: { calicoVersion: "v3.32.1" } },
  ],
  [
    "a cloud provider in pods where it is in the tree",
    { ...dockershim, addons: { cloudProviderAzureTag: "v1.22.1" } },
    "addons.cloudProviderAzureTag",
    "nothing reads it with the flavor dockershim and Kubernetes v1.22.9",
    { addons: { cloudProviderAzureTag: "v1.35.4" } },
  ],
  [
    "pods in the range of the Windows hosts' own network",
    { ...dockershim, network: { podCidr: "192.168.0.0/16" } },
    "network.podCidr",
    "it overlaps 192.168.255.0/30, which Windows hosts with Flannel use for themselves",
    { ...dockershim, network: { podCidr: "192.168.0.0/17" } },
  ],
  [
    "fewer ranges of pods than nodes",
    {
      ...dockershim,
      network: { podCidr: "10.244.0.0/21" },
      windowsPools: { win1: { ...dockerPool, replicas: 4 } },
    },
    "network.podCidr",
    "it has a /24 for 8 nodes, and with surge there can be 9",
    {
      ...dockershim,
      network: { podCidr: "10.244.0.0/21" },
      windowsPools: { win1: { ...dockerPool, replicas: 3 } },
    },
  ],
  [
    "Cluster API that nobody has built this flavor with",
    { ...dockershim, clusterApi: { coreVersion: "v1.5.8" } },
    "clusterApi.coreVersion",
    "The objects are written for the v1beta2 types of Cluster API 1.13",
    { ...dockershim, clusterApi: { coreVersion: "v1.13.5" } },
  ],
];
