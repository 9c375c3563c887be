/** For each rule an invalid config with "path: problem" of its report, and a valid config that barely differs. */
export type Case = readonly [what: string, wrong: object, problem: string, right: object];

const pools = (...names: string[]) => Object.fromEntries(names.map((name) => [name, {}]));

export const networkCases: readonly Case[] = [
  [
    "pods inside the VNET",
    { network: { podCidr: "10.10.0.0/20" } },
    "network.podCidr: overlaps 10.10.0.0/16 of the VNET (network.vnetCidr)",
    { network: { podCidr: "10.11.0.0/20" } },
  ],
  [
    "services inside the VNET",
    { network: { serviceCidr: "10.10.128.0/20" } },
    "network.serviceCidr: overlaps 10.10.0.0/16 of the VNET (network.vnetCidr)",
    { network: { serviceCidr: "10.11.128.0/20" } },
  ],
  [
    "services inside the pod range",
    { network: { serviceCidr: "192.168.4.0/22" } },
    "network.serviceCidr: overlaps 192.168.0.0/16 of the pods (network.podCidr)",
    { network: { serviceCidr: "192.169.0.0/22" } },
  ],
  [
    "CAPZ's default VNET range",
    { network: { vnetCidr: "10.0.0.0/8" } },
    "network.serviceCidr: overlaps 10.0.0.0/8 of the VNET (network.vnetCidr)",
    { network: { vnetCidr: "10.0.0.0/15" } },
  ],
  [
    "a subnet outside the VNET",
    { network: { nodeSubnetCidr: "10.11.0.0/24" } },
    "network.nodeSubnetCidr: not inside the VNET 10.10.0.0/16 (network.vnetCidr)",
    { network: { nodeSubnetCidr: "10.10.1.0/24" } },
  ],
  [
    "overlapping subnets",
    { network: { nodeSubnetCidr: "10.10.0.0/17" } },
    "network.nodeSubnetCidr: overlaps 10.10.0.0/24 of the control plane subnet (network.controlPlaneSubnetCidr)",
    { network: { nodeSubnetCidr: "10.10.1.0/24" } },
  ],
  [
    "a subnet smaller than Azure allows",
    { network: { controlPlaneSubnetCidr: "10.10.0.0/30" }, controlPlane: { replicas: 1 } },
    "network.controlPlaneSubnetCidr: Azure does not allow subnets smaller than /29",
    { network: { controlPlaneSubnetCidr: "10.10.0.0/29" }, controlPlane: { replicas: 1 } },
  ],
  [
    "a VNET that is too small",
    { network: { vnetCidr: "10.10.0.0/28" }, controlPlane: { replicas: 1 } },
    "network.vnetCidr: the size is out of range for a VNET with a control plane subnet and a node subnet",
    { network: { vnetCidr: "10.10.0.0/27" }, controlPlane: { replicas: 1 } },
  ],
  [
    "an address range that Azure reserves",
    { network: { vnetCidr: "169.254.0.0/17" } },
    "network.vnetCidr: overlaps 169.254.0.0/16, which Azure reserves",
    { network: { vnetCidr: "169.253.0.0/17" } },
  ],
  [
    "more nodes than the subnet has addresses",
    { network: { nodeSubnetCidr: "10.10.1.0/28" }, windowsPools: { win1: { replicas: 11 } } },
    "network.nodeSubnetCidr: the subnet has 11 usable addresses, but there can be 12 machines (including surge)",
    { network: { nodeSubnetCidr: "10.10.1.0/28" }, windowsPools: { win1: { replicas: 10 } } },
  ],
  [
    "a percentage of surge that exceeds the subnet",
    {
      network: { nodeSubnetCidr: "10.10.1.0/28" },
      windowsPools: { win1: { replicas: 9, rollout: { maxSurge: "25%" } } },
    },
    "network.nodeSubnetCidr: the subnet has 11 usable addresses, but there can be 12 machines (including surge)",
    {
      network: { nodeSubnetCidr: "10.10.1.0/28" },
      windowsPools: { win1: { replicas: 8, rollout: { maxSurge: "25%" } } },
    },
  ],
  [
    "more nodes of the autoscaler than the subnet has addresses",
    {
      network: { nodeSubnetCidr: "10.10.1.0/28" },
      windowsPools: { win1: { autoscale: { min: 1, max: 11 } } },
    },
    "network.nodeSubnetCidr: the subnet has 11 usable addresses, but there can be 12 machines (including surge)",
    {
      network: { nodeSubnetCidr: "10.10.1.0/28" },
      windowsPools: { win1: { autoscale: { min: 1, max: 10 } } },
    },
  ],
  [
    "an MTU above Azure's",
    { network: { mtu: 1401 } },
    "network.mtu: greater than the maximum 1400",
    { network: { mtu: 1400 } },
  ],
];

const certificatesOf = (certificateValidityPeriodDays: number) => ({
  KubeadmControlPlane: {
    spec: { kubeadmConfigSpec: { clusterConfiguration: { certificateValidityPeriodDays } } },
  },
});

export const otherCases: readonly Case[] = [
  [
    "an even control plane",
    { controlPlane: { replicas: 2 } },
    "controlPlane.replicas: an even number of etcd members tolerates no more failures than one member fewer",
    { controlPlane: { replicas: 3 } },
  ],
  [
    "certificates renewed later than Cluster API can",
    { controlPlane: { certificatesExpiryDays: 6 } },
    "controlPlane.certificatesExpiryDays: less than the minimum 7",
    { controlPlane: { certificatesExpiryDays: 7 } },
  ],
  [
    "certificates that an override makes too short to be renewed",
    {
      controlPlane: { overrides: certificatesOf(30) },
    },
    "controlPlane.certificatesExpiryDays: the override of certificateValidityPeriodDays gives certificates 30 days: Cluster API refuses to renew them 30 days before they expire",
    { controlPlane: { certificatesExpiryDays: 7, overrides: certificatesOf(30) } },
  ],
  [
    "Kubernetes older than Cluster API can create",
    { kubernetesVersion: "v1.21.14", controlPlane: { image: { id: "/subscriptions/x" } } },
    "kubernetesVersion: kubeadm of Kubernetes 1.21 cannot read any configuration that Cluster API 1.14 writes",
    { kubernetesVersion: "v1.22.0", controlPlane: { image: { id: "/subscriptions/x" } } },
  ],
  [
    "Kubernetes newer than Cluster API supports",
    { kubernetesVersion: "v1.38.0" },
    "kubernetesVersion: Cluster API 1.14 does not support Kubernetes 1.38",
    { kubernetesVersion: "1.36.1" },
  ],
  [
    "Kubernetes whose cloud provider is not known yet",
    { kubernetesVersion: "v1.37.0" },
    "addons.cloudProviderAzureTag: no release of cloud-provider-azure is known for Kubernetes 1.37",
    { kubernetesVersion: "v1.37.0", addons: { cloudProviderAzureTag: "v1.37.0" } },
  ],
  [
    "a pool of a newer minor than the control plane",
    { windowsPools: { win1: { kubernetesVersion: "v1.36.0" } } },
    "windowsPools.win1.kubernetesVersion: a newer minor than the control plane's (v1.35.6): a kubelet must not be newer than the API server",
    // Cluster API compares minors.
    { windowsPools: { win1: { kubernetesVersion: "v1.35.7" } } },
  ],
  [
    "a pool four minors behind",
    { linuxPools: { linux1: { kubernetesVersion: "v1.31.9" } } },
    "linuxPools.linux1.kubernetesVersion: 4 minor versions older than the control plane (v1.35.6)",
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
    "azure.location: CAPZ's community gallery has no images in this region; it is used by controlPlane",
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
    "windowsPools.win1.image: expected one form of image, found 2: marketplace, id",
    { windowsPools: { win1: { image: { id: "/subscriptions/x" } } } },
  ],
  [
    "a gallery with a resource group but no subscription",
    {
      windowsPools: {
        win1: {
          image: { computeGallery: { gallery: "g", name: "n", version: "1.0.0", resourceGroup: "r" } },
        },
      },
    },
    "windowsPools.win1.image.computeGallery.subscriptionId: missing: subscriptionId and resourceGroup must be set together",
    { windowsPools: { win1: { image: { computeGallery: { gallery: "g", name: "n", version: "1.0.0" } } } } },
  ],
  [
    "names that CAPZ shortens to the same name",
    { windowsPools: pools("one-pool-win", "two-pool-win") },
    'windowsPools.two-pool-win: its scale set would be named win-l-win, like that of windowsPools.one-pool-win: CAPZ shortens Windows pool names of more than 9 characters to "win-" and their last 5',
    { windowsPools: pools("one-pool-win1", "two-pool-win2") },
  ],
  [
    "a Linux pool with the shortened name of a Windows pool",
    { linuxPools: pools("win-l-win"), windowsPools: pools("two-pool-win") },
    "windowsPools.two-pool-win: its scale set would be named win-l-win, like that of linuxPools.win-l-win",
    { linuxPools: pools("win-l-win"), windowsPools: pools("two-pool") },
  ],
  [
    "one name for two pools",
    { linuxPools: pools("a"), windowsPools: pools("a") },
    "windowsPools.a: linuxPools.a has the same name, and pool names must be unique",
    { linuxPools: pools("a"), windowsPools: pools("b") },
  ],
  [
    "a pool with the control plane's name",
    { linuxPools: pools("control-plane") },
    "linuxPools.control-plane: this name is reserved for the control plane",
    { linuxPools: pools("control-plane1") },
  ],
  [
    "an autoscaler with min greater than max",
    { windowsPools: { win1: { autoscale: { min: 5, max: 4 } } } },
    "windowsPools.win1.autoscale: min 5 is greater than max 4",
    { windowsPools: { win1: { autoscale: { min: 4, max: 4 } } } },
  ],
  [
    "a rollout that cannot make progress",
    { windowsPools: { win1: { rollout: { maxSurge: "0%", maxUnavailable: 0 } } } },
    "windowsPools.win1.rollout: with maxSurge and maxUnavailable both 0, a rollout cannot replace any node",
    { windowsPools: { win1: { rollout: { maxSurge: 0, maxUnavailable: 1 } } } },
  ],
  [
    "a zone twice",
    { windowsPools: { win1: { zones: ["1", "1"] } } },
    "windowsPools.win1.zones: invalid format",
    { windowsPools: { win1: { zones: ["1", "2"] } } },
  ],
  [
    "a newer minor of Cluster API",
    { clusterApi: { coreVersion: "v1.15.0" } },
    "clusterApi.coreVersion: the generated objects use the v1beta2 types of Cluster API 1.14",
    { clusterApi: { coreVersion: "v1.13.5" } },
  ],
  [
    "a minor of CAPZ from which it cannot step to the pinned one",
    { clusterApi: { azureVersion: "v1.24.4" } },
    "clusterApi.azureVersion: the generated objects rely on the defaults of CAPZ 1.27",
    { clusterApi: { azureVersion: "v1.26.1", coreVersion: "v1.13.5" } },
  ],
];
