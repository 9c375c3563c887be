import { minimal } from "../support/stacks";

/** Both sides of each rule's edge: what is refused with which problem, and what is right. */
export type Case = readonly [what: string, wrong: object, path: string, problem: string, right: object];

const existing = {
  kind: "existing",
  name: "m",
  egressCidrs: ["198.51.100.4/32"],
  oidcIssuerUrl: "https://issuer.example/",
};
const kubeconfig = JSON.stringify({
  kind: "Config",
  clusters: [{ name: "c" }],
  contexts: [{ name: "c" }],
  users: [{ name: "c" }],
  "current-context": "c",
});
const pools = (...names: string[]) => Object.fromEntries(names.map((name) => [name, {}]));

export const networkCases: readonly Case[] = [
  [
    "pods in the VNET",
    { network: { podCidr: "10.10.0.0/20" } },
    "network.podCidr",
    "it overlaps 10.10.0.0/16 of the VNET (network.vnetCidr)",
    { network: { podCidr: "10.11.0.0/20" } },
  ],
  [
    "services in the VNET",
    { network: { serviceCidr: "10.10.128.0/20" } },
    "network.serviceCidr",
    "it overlaps 10.10.0.0/16 of the VNET (network.vnetCidr)",
    { network: { serviceCidr: "10.11.128.0/20" } },
  ],
  [
    "services among the pods",
    { network: { serviceCidr: "192.168.4.0/22" } },
    "network.serviceCidr",
    "it overlaps 192.168.0.0/16 of the pods (network.podCidr)",
    { network: { serviceCidr: "192.169.0.0/22" } },
  ],
  [
    "CAPZ's default VNET range",
    { network: { vnetCidr: "10.0.0.0/8" } },
    "network.serviceCidr",
    "it overlaps 10.0.0.0/8 of the VNET (network.vnetCidr)",
    { network: { vnetCidr: "10.0.0.0/15" } },
  ],
  [
    "the VNET of the management cluster",
    { network: { vnetCidr: "10.230.0.0/16" } },
    "network.vnetCidr",
    "it overlaps 10.224.0.0/12 of the VNET of the AKS management cluster (management.kind)",
    { network: { vnetCidr: "10.240.0.0/16" } },
  ],
  [
    "a subnet outside",
    { network: { nodeSubnetCidr: "10.11.0.0/24" } },
    "network.nodeSubnetCidr",
    "it is not inside the VNET 10.10.0.0/16",
    { network: { nodeSubnetCidr: "10.10.1.0/24" } },
  ],
  [
    "subnets over each other",
    { network: { nodeSubnetCidr: "10.10.0.0/17" } },
    "network.nodeSubnetCidr",
    "it overlaps 10.10.0.0/24 of the control plane subnet",
    { network: { nodeSubnetCidr: "10.10.1.0/24" } },
  ],
  [
    "a subnet smaller than Azure has",
    { network: { controlPlaneSubnetCidr: "10.10.0.0/30" }, controlPlane: { replicas: 1 } },
    "network.controlPlaneSubnetCidr",
    "Azure has no subnet smaller than /29",
    { network: { controlPlaneSubnetCidr: "10.10.0.0/29" }, controlPlane: { replicas: 1 } },
  ],
  [
    "a VNET too small",
    { network: { vnetCidr: "10.10.0.0/28" }, controlPlane: { replicas: 1 } },
    "network.vnetCidr",
    "a VNET has room for a control plane and a node subnet between these sizes",
    { network: { vnetCidr: "10.10.0.0/27" }, controlPlane: { replicas: 1 } },
  ],
  [
    "an address range of Azure's own",
    { network: { vnetCidr: "169.254.0.0/17" } },
    "network.vnetCidr",
    "Azure keeps 169.254.0.0/16 for itself",
    { network: { vnetCidr: "169.253.0.0/17" } },
  ],
  [
    "pools without room",
    { network: { nodeSubnetCidr: "10.10.1.0/28" }, windowsPools: { win1: { replicas: 11 } } },
    "network.nodeSubnetCidr",
    "it has 11 addresses for machines, and with surge there can be 12",
    { network: { nodeSubnetCidr: "10.10.1.0/28" }, windowsPools: { win1: { replicas: 10 } } },
  ],
  [
    "a percentage of surge without room",
    {
      network: { nodeSubnetCidr: "10.10.1.0/28" },
      windowsPools: { win1: { replicas: 9, rollout: { maxSurge: "25%" } } },
    },
    "network.nodeSubnetCidr",
    "it has 11 addresses for machines, and with surge there can be 12",
    {
      network: { nodeSubnetCidr: "10.10.1.0/28" },
      windowsPools: { win1: { replicas: 8, rollout: { maxSurge: "25%" } } },
    },
  ],
  [
    "an MTU above Azure's",
    { network: { mtu: 1401 } },
    "network.mtu",
    "it is larger than 1400",
    { network: { mtu: 1400 } },
  ],
];

export const otherCases: readonly Case[] = [
  [
    "an even control plane",
    { controlPlane: { replicas: 2 } },
    "controlPlane.replicas",
    "an even number of etcd members tolerates no more failures than one less",
    { controlPlane: { replicas: 3 } },
  ],
  [
    "Kubernetes older than Cluster API can build",
    { kubernetesVersion: "v1.21.14", controlPlane: { image: { id: "/subscriptions/x" } } },
    "kubernetesVersion",
    "the kubeadm of Kubernetes 1.21 reads no configuration that Cluster API 1.13 can write",
    { kubernetesVersion: "v1.22.0", controlPlane: { image: { id: "/subscriptions/x" } } },
  ],
  [
    "Kubernetes newer than Cluster API supports",
    { kubernetesVersion: "v1.37.0" },
    "kubernetesVersion",
    "Cluster API 1.13 does not support Kubernetes 1.37",
    { kubernetesVersion: "1.36.1" },
  ],
  [
    "a pool newer than the control plane",
    { windowsPools: { win1: { kubernetesVersion: "v1.35.7" } } },
    "windowsPools.win1.kubernetesVersion",
    "it is newer than the control plane, v1.35.6: a kubelet must never be",
    { windowsPools: { win1: { kubernetesVersion: "v1.35.5" } } },
  ],
  [
    "a pool four minors behind",
    { linuxPools: { linux1: { kubernetesVersion: "v1.31.9" } } },
    "linuxPools.linux1.kubernetesVersion",
    "it is 4 minors older than the control plane, v1.35.6",
    { linuxPools: { linux1: { kubernetesVersion: "v1.32.9" } } },
  ],
  [
    "a region without gallery images",
    {
      azure: {
        subscriptionId: "11111111-2222-4333-8444-555555555555",
        tenantId: "11111111-2222-4333-8444-666666666666",
        location: "polandcentral",
      },
    },
    "azure.location",
    "CAPZ's community gallery has no images there, and controlPlane use it",
    {
      azure: {
        subscriptionId: "11111111-2222-4333-8444-555555555555",
        tenantId: "11111111-2222-4333-8444-666666666666",
        location: "uksouth",
      },
    },
  ],
  [
    "two images",
    {
      windowsPools: {
        win1: {
          image: {
            id: "/subscriptions/x",
            marketplace: { publisher: "p", offer: "o", sku: "s", version: "v" },
          },
        },
      },
    },
    "windowsPools.win1.image",
    "it names 2 images: marketplace, id",
    { windowsPools: { win1: { image: { id: "/subscriptions/x" } } } },
  ],
  [
    "half a gallery of one's own",
    {
      windowsPools: {
        win1: {
          image: { computeGallery: { gallery: "g", name: "n", version: "1.0.0", resourceGroup: "r" } },
        },
      },
    },
    "windowsPools.win1.image.computeGallery",
    "subscriptionId and resourceGroup belong together",
    { windowsPools: { win1: { image: { computeGallery: { gallery: "g", name: "n", version: "1.0.0" } } } } },
  ],
  [
    "names that CAPZ shortens to the same",
    { windowsPools: pools("one-pool-win", "two-pool-win") },
    "windowsPools.two-pool-win",
    'its scale set would be called win-l-win, as that of windowsPools.one-pool-win: CAPZ shortens Windows names of more than 9 characters to "win-" and the last 5',
    { windowsPools: pools("one-pool-win1", "two-pool-win2") },
  ],
  [
    "a Linux pool with the name that a Windows pool gets",
    { linuxPools: pools("win-l-win"), windowsPools: pools("two-pool-win") },
    "windowsPools.two-pool-win",
    "its scale set would be called win-l-win, as that of linuxPools.win-l-win",
    { linuxPools: pools("win-l-win"), windowsPools: pools("two-pool") },
  ],
  [
    "one name for two pools",
    { linuxPools: pools("a"), windowsPools: pools("a") },
    "windowsPools.a",
    "linuxPools.a has the same name",
    { linuxPools: pools("a"), windowsPools: pools("b") },
  ],
  [
    "a pool with the control plane's name",
    { linuxPools: pools("control-plane") },
    "linuxPools.control-plane",
    "this name is the control plane's",
    { linuxPools: pools("control-plane1") },
  ],
  [
    "an autoscaler's range upside down",
    { windowsPools: { win1: { autoscale: { min: 5, max: 4 } } } },
    "windowsPools.win1.autoscale",
    "min 5 is larger than max 4",
    { windowsPools: { win1: { autoscale: { min: 4, max: 4 } } } },
  ],
  [
    "a rollout that cannot move",
    { windowsPools: { win1: { rollout: { maxSurge: "0%", maxUnavailable: 0 } } } },
    "windowsPools.win1.rollout",
    "with maxSurge and maxUnavailable both 0 the pool could never roll",
    { windowsPools: { win1: { rollout: { maxSurge: 0, maxUnavailable: 1 } } } },
  ],
  [
    "no identity and no issuer",
    { management: { ...existing, oidcIssuerUrl: undefined }, managementKubeconfig: kubeconfig },
    "management.oidcIssuerUrl",
    "CAPZ needs an identity",
    {
      management: { ...existing, oidcIssuerUrl: undefined },
      managementKubeconfig: kubeconfig,
      clusterApi: { identity: { clientId: "11111111-2222-4333-8444-555555555555" } },
    },
  ],
  [
    "a kubeconfig that nobody reads",
    { managementKubeconfig: kubeconfig },
    "managementKubeconfig",
    "it is given, and management.kind aks makes a cluster of its own",
    { managementKubeconfig: kubeconfig, management: existing },
  ],
  [
    "a new cluster that has Cluster API already",
    { clusterApi: { install: false } },
    "clusterApi.install",
    "a new AKS cluster has no Cluster API on it",
    { clusterApi: { install: false }, management: existing, managementKubeconfig: kubeconfig },
  ],
  [
    "a resource group that AKS has",
    { azure: { ...(minimal().azure as object), resourceGroup: "Test-Management-nodes" } },
    "azure.resourceGroup",
    "this is the resource group that AKS makes for its nodes",
    { azure: { ...(minimal().azure as object), resourceGroup: "test-management-2" } },
  ],
  [
    "a zone twice",
    { windowsPools: { win1: { zones: ["1", "1"] } } },
    "windowsPools.win1.zones",
    "it does not have the right form",
    { windowsPools: { win1: { zones: ["1", "2"] } } },
  ],
  [
    "more nodes than the most",
    { management: { kind: "aks", nodeCount: 6 } },
    "management.nodeCount",
    "it is larger than maxNodeCount 5",
    { management: { kind: "aks", nodeCount: 5 } },
  ],
  [
    "a Cluster API that these objects are not for",
    { clusterApi: { coreVersion: "v1.14.0" } },
    "clusterApi.coreVersion",
    "The objects are written for the v1beta2 types of Cluster API 1.13",
    { clusterApi: { coreVersion: "v1.13.5" } },
  ],
];
