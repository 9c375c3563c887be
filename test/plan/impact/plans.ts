import { publicKey } from "../../support/stacks";
import { networkPlans } from "./networkPlans";
import { poolsAfter, poolsBefore } from "./poolPlans";

type Raw = Readonly<Record<string, unknown>>;

/** The stack that every case changes. It has three control plane machines, five pools and an AKS cluster. */
export const base = {
  clusterName: "blue",
  kubernetesVersion: "v1.35.6",
  azure: {
    subscriptionId: "11111111-2222-4333-8444-555555555555",
    tenantId: "11111111-2222-4333-8444-666666666666",
    location: "westeurope",
  },
  management: { kind: "aks", authorizedCidrs: ["203.0.113.0/24"], kubernetesVersion: "1.34" },
  access: { sshPublicKey: publicKey, allowedCidrs: ["203.0.113.0/24"] },
  linuxPools: { lin1: { replicas: 4, zones: ["1", "2"] } },
  windowsPools: {
    win1: { replicas: 3 },
    win2: { autoscale: { min: 2, max: 6 } },
    win3: { replicas: 5, rollout: { maxSurge: "25%" } },
    own: {
      replicas: 1,
      kubernetesVersion: "v1.35.5",
      image: { computeGallery: { gallery: "mine", name: "capi-windows", version: "1" } },
    },
  },
  tags: { team: "a" },
  protect: false,
} satisfies Raw;

const hub =
  "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub-vnet";

export const ownBastion = { kind: "stack", range: "10.10.1.0/26", allowedCidrs: ["203.0.113.0/24"] };

const customRole =
  "/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/00000000-0000-4000-8000-000000000001";

const login = (...groups: readonly string[]) => ({
  entra: { clientId: "22222222-2222-4333-8444-555555555555" },
  administrators: { groups: groups.map((name) => `entra:${name}`) },
  readers: { users: ["entra:reader"] },
});

const quota = (pods: string) => ({
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name: "own", namespace: "default" },
  spec: { hard: { pods } },
});

const { azure, management, access, windowsPools: pools } = base;
const { win1, win2, win3, own } = pools;

const spoke = `/subscriptions/${azure.subscriptionId}/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/spoke`;

const ofOthers = {
  vnetCidr: "10.10.0.0/16",
  existing: {
    controlPlaneSubnetId: `${spoke}/subnets/other`,
    nodeSubnetId: `${spoke}/subnets/nodes`,
    nodeSecurityGroup: "nodes-nsg",
    egressCidrs: ["198.51.100.10/32"],
  },
};

/**
 * Plans by name, each with its differences from the base. Independent changes share a plan, because a plan takes time.
 */
export const plans = {
  base,
  growth: {
    ...base,
    access: { ...access, allowedCidrs: ["198.51.100.0/24"] },
    addons: { kubeProxyWindowsImage: "mine/kube-proxy:1" },
    controlPlane: { replicas: 5 },
    linuxPools: { lin1: { replicas: 4, zones: ["1"] } },
    management: {
      ...management,
      ...{ kubernetesVersion: "1.35", maxNodeCount: 9, maintenanceWindow: { dayOfWeek: "Sunday" } },
    },
    network: { mtu: 1380, nodeSubnetCidr: "10.10.64.0/18" },
    workloads: { policy: "deny" },
    windowsPools: {
      win1: {
        ...win1,
        postKubeadmCommands: ["echo hello"],
        overrides: { MachinePool: { metadata: { labels: { team: "web" } } } },
      },
      win2: { autoscale: { min: 3, max: 6 }, labels: { "node-role.kubernetes.io/web": "" } },
      win3: { ...win3, windowsServer: "2025", vmSize: "Standard_D8s_v5" },
      win4: {},
      own: { ...own, kubernetesVersion: "v1.35.6" },
    },
  },
  jumbo: { ...base, network: { mtu: 3900, dnsServers: ["10.10.64.4"] } },
  addresses: { ...base, network: { outbound: { type: "nat", addresses: 2 } } },
  prefixed: { ...base, network: { outbound: { type: "nat", prefixLength: 30 } } },
  hub: {
    ...base,
    network: { peerings: { hub: { vnetId: hub, addressSpaces: ["10.50.0.0/16"], remoteSide: "stack" } } },
  },
  ofOthers: { ...base, network: ofOthers },
  otherSubnet: {
    ...base,
    network: {
      ...ofOthers,
      existing: { ...ofOthers.existing, nodeSubnetId: `${ofOthers.existing.controlPlaneSubnetId}-nodes` },
    },
  },
  renamedHub: {
    ...base,
    network: { peerings: { center: { vnetId: hub, addressSpaces: ["10.50.0.0/16"], remoteSide: "stack" } } },
  },
  ...networkPlans(base, ownBastion),
  other: {
    ...base,
    controlPlane: { replicas: 1 },
    linuxPools: { lin2: { replicas: 2 } },
    management: { ...management, kubernetesVersion: "1.33" },
    network: {
      serviceCidr: "172.21.0.0/16",
      ...{
        vnetCidr: "10.10.0.0/15",
        controlPlaneSubnetCidr: "10.10.0.0/24",
        nodeSubnetCidr: "10.10.128.0/17",
      },
    },
    windowsPools: {
      win1: { ...win1, osDiskGB: 256, spot: {} },
      win2: { replicas: 4 },
      win3: { ...win3, vmSize: "Standard_D8s_v5" },
      own,
      lin1: {},
    },
  },
  subnets: {
    ...base,
    network: { poolSubnets: { web: "10.10.64.0/24" } },
    windowsPools: { ...pools, win1: { ...win1, subnet: "web" } },
  },
  registries: {
    ...base,
    secretFiles: "own: text\n",
    windowsPools: {
      ...pools,
      win2: { ...win2, hybridBenefit: true },
      win1: { ...win1, files: [{ path: "C:/k/own.txt", contentFrom: { secretFile: "own" } }] },
    },
    azureContainerRegistries: ["mycompany", "other"].map(
      (name) =>
        `/subscriptions/${azure.subscriptionId}/resourceGroups/r/providers/Microsoft.ContainerRegistry/registries/${name}`,
    ),
  },
  less: {
    ...base,
    management: { ...management, kubernetesVersion: "1.36", authorizedCidrs: [] },
    network: { podCidr: "172.20.0.0/16" },
    tags: { team: "b" },
    windowsPools: { win1: { replicas: 0 }, win3: { ...win3, replicas: 4 }, own },
  },
  more: {
    ...base,
    management: { ...management, nodeSize: "Standard_D8s_v5" },
    network: { vnetCidr: "10.30.0.0/16" },
    protect: true,
    wait: "nodes",
    controlPlane: { deletion: { nodeDrainTimeoutSeconds: 600 } },
    windowsPools: {
      win1: { replicas: 7 },
      win2: { ...win2, deletion: { drain: false } },
      win3: { ...win3, rollout: { maxSurge: 2, maxUnavailable: 1 } },
      own: { ...own, kind: "MachineDeployment" },
    },
  },
  protected: { ...base, protect: true },
  renamed: { ...base, clusterName: "green", protect: true },
  newer: { ...base, kubernetesVersion: "v1.36.2" },
  older: {
    ...base,
    kubernetesVersion: "v1.34.3",
    windowsPools: { ...pools, own: { ...own, kubernetesVersion: "v1.34.3" } },
  },
  moved: { ...base, azure: { ...azure, location: "northeurope" } },
  regrouped: { ...base, azure: { ...azure, resourceGroup: "other" } },
  resubscribed: { ...base, azure: { ...azure, subscriptionId: "22222222-2222-4333-8444-555555555555" } },
  machines: { ...base, windowsPools: { one: { kind: "MachineDeployment", replicas: 3 } } },
  otherMachines: {
    ...base,
    windowsPools: {
      one: {
        kind: "MachineDeployment",
        replicas: 3,
        vmSize: "Standard_D8s_v5",
        postKubeadmCommands: ["echo x"],
      },
    },
  },
  manifests: {
    ...base,
    controlPlane: { authentication: login("a", "b") },
    addons: { gmsa: { enabled: true } },
    extraManifests: { own: { objects: [quota("10")], strategy: "ApplyOnce" } },
  },
  reconciled: {
    ...base,
    controlPlane: { authentication: login("a", "b") },
    addons: { gmsa: { enabled: true } },
    extraManifests: { own: { objects: [quota("10")] } },
  },
  otherManifests: {
    ...base,
    controlPlane: { authentication: login("b", "c") },
    addons: { gmsa: { enabled: true, randomHostnames: true } },
    extraManifests: { own: { objects: [quota("20")], strategy: "ApplyOnce" } },
  },
  places: {
    ...base,
    linuxPools: { lin1: { ...base.linuxPools.lin1, taints: [{ key: "example.org/own" }] } },
    registryMirror: { url: "https://mirror.example.com" },
    windowsPools: {
      ...pools,
      // RuntimeClasses of Windows tolerate this taint.
      cheap: { spot: {}, taints: [{ key: "os", value: "windows" }] },
      kept: { spot: {}, taints: [{ key: "example.org/spot" }] },
      none: { spot: {}, replicas: 0 },
      old: { windowsServer: "2019", image: own.image },
    },
  },
  pools: { ...base, ...poolsBefore },
  otherPools: { ...base, ...poolsAfter },
  sampled: { ...base, sampleWorkload: { pool: "win1", disk: { storageClass: "managed-csi" } } },
  otherSample: {
    ...base,
    sampleWorkload: {
      ...{ pool: "win1", replicas: 2, internal: true },
      disk: { storageClass: "managed-csi", sizeGiB: 8 },
    },
  },
  renamespaced: { ...base, namespace: "other" },
  firstKey: { ...base, controlPlane: { encryption: { keys: ["a", "b"] } } },
  secondKey: { ...base, controlPlane: { encryption: { keys: ["b", "a"] } } },
  roles: { ...base, azure: { ...azure, roles: { controlPlane: customRole } } },
  secure: { ...base, controlPlane: { podSecurity: { enforce: "restricted" } } },
  issued: { ...base, kubeletCertificates: "issued" },
  verified: { ...base, kubeletCertificates: "verified" },
  onlyKey: { ...base, controlPlane: { encryption: { keys: ["b"] } } },
} satisfies Readonly<Record<string, Raw>>;

export type PlanName = keyof typeof plans;

/** Rules without a case that also apply between two plans. */
export const alsoReported: Readonly<Partial<Record<`${PlanName} ${PlanName}`, readonly string[]>>> = {
  // ssh from the Internet is shut, and opened again.
  "base bastion": ["access", "bastion-subnet"],
  "bastion base": ["access", "bastion"],
  // Nodes come to the API server from these addresses.
  "base addresses": ["access"],
  "base prefixed": ["access"],
  "base jumbo": ["addon-changes", "control-plane-rolls", "pod-mtu", "pool-bootstrap-new-nodes-only"],
  "base hub": ["pulumi-provider"],
  "hub renamedHub": ["pulumi-provider"],
  "ofOthers otherSubnet": ["roles"],
  "protected renamed": ["another-cluster"],
  "manifests otherManifests": ["addon-changes"],
  "pools otherPools": [
    "pool-autoscaler",
    "pool-autoscaler-ends",
    "pool-deleted",
    "pool-partly-renewed",
    "pool-rollout",
    "pool-scales-down",
    "pool-scales-up",
    "pulumi-annotations",
  ],
  "base places": ["addon-changes", "control-plane-rolls", "pool-bootstrap-new-nodes-only", "pool-created"],
  "base registries": ["pool-partly-renewed"],
  "subnets base": ["pool-network-new-pools-only", "pool-same-subnet"],
  "base growth": ["other"],
  "base other": ["addon-changes", "autoscaler-gone", "pool-created", "pulumi-annotations"],
  "base more": ["pulumi-annotations"],
  "base less": ["addon-changes", "tags"],
  "firstKey secondKey": ["control-plane-rolls"],
  "base secure": ["control-plane-rolls"],
  "base verified": ["addon-changes", "addon-created", "control-plane-rolls", "pool-bootstrap-new-nodes-only"],
  "base issued": ["addon-created", "control-plane-rolls", "pool-bootstrap-new-nodes-only"],
  "secondKey onlyKey": ["control-plane-rolls", "encryption-stage"],
  "base regrouped": ["addon-changes", "control-plane-rolls"],
  "base newer": ["control-plane-rolls", "pool-rolls", "addon-changes", "autoscaler-changes"],
  "base older": [
    "pool-rolls",
    "addon-changes",
    "autoscaler-changes",
    "calico-downgrade",
    "pool-version-without-image",
  ],
  "older newer": [
    "calico-upgrade",
    "pool-rolls",
    "addon-changes",
    "autoscaler-changes",
    "pool-version-without-image",
  ],
};
