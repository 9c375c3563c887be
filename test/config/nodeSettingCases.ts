import type { Case } from "./ruleCases";
import { publicKey } from "../support/stacks";

const win1 = (pool: object) => ({ windowsPools: { win1: pool } });
const linux1 = (pool: object) => ({ linuxPools: { linux1: pool } });

/** Labels, taints and kubelet configurations with which nodes could not register or run pods. */
const configured = (configuration: object, more: object = {}) => ({
  windowsPools: { win1: { kubelet: { configuration } } },
  ...more,
});
const sampleOn = (effect: string) => ({
  access: { sshPublicKey: publicKey, allowedCidrs: ["203.0.113.0/24"] },
  linuxPools: { linux1: { replicas: 3 } },
  windowsPools: { win1: { taints: [{ key: "dedicated", effect }] } },
  sampleWorkload: {},
});
const strict = "kubelet's strict decoding refuses it; kubelet then says so in its log and ignores the field";

export const nodeSettingCases: readonly Case[] = [
  [
    "a name of JavaScript as a field of kubelet",
    configured({ constructor: 1 }),
    `windowsPools.win1.kubelet.configuration.constructor: kubelet of Kubernetes 1.35 has no field constructor: ${strict}`,
    configured({ podsPerCore: 20 }),
  ],
  [
    "a field of kubelet in other capitals",
    configured({ PodsPerCore: 20 }),
    `windowsPools.win1.kubelet.configuration.PodsPerCore: kubelet of Kubernetes 1.35 has no field PodsPerCore: ${strict}`,
    configured({ podsPerCore: 20 }),
  ],
  [
    "a field that kubelet has not",
    configured({ reservedPods: 20 }),
    `windowsPools.win1.kubelet.configuration.reservedPods: kubelet of Kubernetes 1.35 has no field reservedPods: ${strict}`,
    configured({ reservedMemory: [] }),
  ],
  [
    "a part of a field that kubelet has not",
    configured({ memorySwap: { behaviour: "NoSwap" } }),
    `windowsPools.win1.kubelet.configuration.memorySwap.behaviour: kubelet of Kubernetes 1.35 has no field memorySwap.behaviour: ${strict}`,
    configured({ memorySwap: { swapBehavior: "NoSwap" } }),
  ],
  [
    "a field of a newer kubelet",
    configured({ memoryReservationPolicy: "None" }),
    `windowsPools.win1.kubelet.configuration.memoryReservationPolicy: the field came with Kubernetes 1.36, and these nodes have Kubernetes 1.35: ${strict}`,
    configured({ memoryReservationPolicy: "None" }, { kubernetesVersion: "v1.36.1" }),
  ],
  [
    "a value of another type",
    configured({ podsPerCore: "20" }),
    "windowsPools.win1.kubelet.configuration.podsPerCore: kubelet does not start with it: the value has the wrong type",
    configured({ podsPerCore: 20 }),
  ],
  [
    "switches in a mapping as texts",
    configured({ featureGates: { GracefulNodeShutdown: "false" } }),
    "windowsPools.win1.kubelet.configuration.featureGates: kubelet does not start with it: the value has the wrong type",
    configured({ featureGates: { GracefulNodeShutdown: false } }),
  ],
  [
    "a duration without a unit",
    configured({ nodeStatusUpdateFrequency: "20" }),
    "windowsPools.win1.kubelet.configuration.nodeStatusUpdateFrequency: kubelet does not start with it: the value has the wrong type",
    configured({ nodeStatusUpdateFrequency: "1m20s" }),
  ],
  [
    "a field with a key of its own",
    configured({ maxPods: 20 }),
    "windowsPools.win1.kubelet.configuration.maxPods: the stack file has a key for it, which plans and rules read",
    { windowsPools: { win1: { kubelet: { maxPods: 20 } } } },
  ],
  [
    "a field that kubeadm sets",
    configured({ clusterDNS: ["10.96.0.10"] }),
    "windowsPools.win1.kubelet.configuration.clusterDNS: kubeadm, the image or the cloud provider set this field",
    configured({}),
  ],
  [
    "a label that kubelet does not know",
    win1({ labels: { "kubernetes.io/team": "web", "example.org/team": "web" } }),
    "windowsPools.win1.labels: kubernetes.io/team: labels of kubernetes.io and k8s.io are Kubernetes' own: kubelet does not start with one",
    win1({ labels: { "node.kubernetes.io/exclude-from-external-load-balancers": "" } }),
  ],
  [
    "a label in a subdomain of Kubernetes' own",
    linux1({ labels: { "topology.kubernetes.io/zone": "1" } }),
    "linuxPools.linux1.labels: topology.kubernetes.io/zone: labels of kubernetes.io and k8s.io are Kubernetes' own",
    linux1({ labels: { "topology.example.org/zone": "1" } }),
  ],
  [
    "the label of a control plane machine",
    linux1({ labels: { "node-role.kubernetes.io/control-plane": "" } }),
    "linuxPools.linux1.labels: node-role.kubernetes.io/control-plane: by this label Cluster API and add-ons know control plane machines",
    linux1({ labels: { "node-role.kubernetes.io/infra": "" } }),
  ],
  [
    "an invalid label",
    win1({ labels: { "a/b/c": "x" } }),
    "windowsPools.win1.labels: a/b/c: not a valid label key",
    win1({ labels: { "b.example.org/c": "x" } }),
  ],
  [
    "a label with an invalid value",
    win1({ labels: { team: "web team" } }),
    'windowsPools.win1.labels: team: "web team" is not a valid label value',
    win1({ labels: { team: "web_team.1" } }),
  ],
  [
    "more labels than fit into an argument",
    win1({ labels: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, "v".repeat(63)])) }),
    "windowsPools.win1.labels: the labels that kubelet sets have 1349 characters in total",
    win1({ labels: Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`k${i}`, "v".repeat(63)])) }),
  ],
  [
    "a taint that the cloud provider removes",
    win1({ taints: [{ key: "node.cloudprovider.kubernetes.io/uninitialized" }] }),
    "windowsPools.win1.taints[0]: kubelet, the cloud provider and Cluster API set and remove the taints of these names",
    win1({ taints: [{ key: "example.org/uninitialized" }] }),
  ],
  [
    "an invalid taint",
    win1({ taints: [{ key: "a b" }] }),
    "windowsPools.win1.taints[0]: not a valid taint key",
    win1({ taints: [{ key: "a-b", value: "c" }] }),
  ],
  [
    "two taints of the same key and effect",
    win1({ taints: [{ key: "a" }, { key: "a", value: "x" }] }),
    "windowsPools.win1.taints[1]: the API server refuses a node with two taints of the same key and effect",
    win1({ taints: [{ key: "a" }, { key: "a", value: "x", effect: "NoExecute" }] }),
  ],
  [
    "more memory reserved than there is",
    win1({ kubelet: { reserved: { memory: "16Gi" } } }),
    "windowsPools.win1.kubelet.reserved: 16Gi of the 16 GiB of Standard_D4s_v5 are reserved: none would be left for pods",
    win1({ kubelet: { reserved: { memory: "15Gi" } } }),
  ],
  [
    "soft eviction without a grace period",
    configured({ evictionSoft: { "memory.available": "1Gi" } }),
    "windowsPools.win1.kubelet.configuration.evictionSoft: kubelet does not start with it: evictionSoftGracePeriod has no memory.available\n",
    configured({
      evictionSoft: { "memory.available": "1Gi" },
      evictionSoftGracePeriod: { "memory.available": "1m30s" },
    }),
  ],
  [
    "an eviction signal that does not exist",
    configured({ evictionHard: { "memory.free": "1Gi" } }),
    "windowsPools.win1.kubelet.configuration.evictionHard.memory.free: kubelet does not start with it: it has no eviction signal memory.free\n",
    configured({ evictionHard: { "memory.available": "1Gi" } }),
  ],
  [
    "a shutdown whose part is longer than the whole",
    configured({ shutdownGracePeriod: "30s", shutdownGracePeriodCriticalPods: "1m" }),
    "windowsPools.win1.kubelet.configuration.shutdownGracePeriodCriticalPods: kubelet does not start with it: it is a part of shutdownGracePeriod, which is shorter\n",
    configured({ shutdownGracePeriod: "1m", shutdownGracePeriodCriticalPods: "30s" }),
  ],
  [
    "a shutdown by priority beside the other one",
    configured({ shutdownGracePeriod: "30s", shutdownGracePeriodByPodPriority: [] }),
    "windowsPools.win1.kubelet.configuration.shutdownGracePeriodByPodPriority: kubelet does not start with it: it has shutdownGracePeriod too\n",
    configured({ shutdownGracePeriodByPodPriority: [{ priority: 0, shutdownGracePeriodSeconds: 10 }] }),
  ],
  [
    "a log query without its gate",
    configured({ enableSystemLogQuery: true }),
    "windowsPools.win1.kubelet.configuration.enableSystemLogQuery: kubelet does not start with it: before Kubernetes 1.36 it needs the feature gate NodeLogQuery\n",
    configured({ enableSystemLogQuery: true }, { kubernetesVersion: "v1.36.1" }),
  ],
  [
    "a log query without its handler",
    configured({
      ...{ enableSystemLogQuery: true, enableSystemLogHandler: false },
      featureGates: { NodeLogQuery: true },
    }),
    "windowsPools.win1.kubelet.configuration.enableSystemLogQuery: kubelet does not start with it: enableSystemLogHandler is false\n",
    configured({ enableSystemLogQuery: true, featureGates: { NodeLogQuery: true } }),
  ],
  [
    "a file of Linux on Windows",
    configured({ resolvConf: "/run/systemd/resolve/resolv.conf" }),
    "windowsPools.win1.kubelet.configuration.resolvConf: Windows has no such file, and kubelet starts no pod that asks for the DNS of its node\n",
    linux1({ kubelet: { configuration: { resolvConf: "/run/systemd/resolve/resolv.conf" } } }),
  ],
  [
    "a field that stops kubelet on Windows",
    configured({ singleProcessOOMKill: true }),
    "windowsPools.win1.kubelet.configuration.singleProcessOOMKill: kubelet does not start with it: Windows does not have it\n",
    linux1({ kubelet: { configuration: { singleProcessOOMKill: true } } }),
  ],
  [
    "nothing reserved, and some memory",
    win1({ kubelet: { reserved: { enabled: false, memory: "3Gi" } } }),
    "windowsPools.win1.kubelet.reserved.enabled: enabled: false keeps nothing from pods, and cpu and memory have no effect\n",
    win1({ kubelet: { reserved: { memory: "3Gi" } } }),
  ],
  [
    "more CPU reserved than there is",
    linux1({ kubelet: { reserved: { cpu: "4" } } }),
    "linuxPools.linux1.kubelet.reserved: 4 CPUs of the 4 of Standard_D4s_v5 are reserved: none would be left for pods",
    linux1({ kubelet: { reserved: { cpu: "3999m" } } }),
  ],
  [
    "an image collection that kubelet does not start with",
    win1({ kubelet: { imageGC: { highPercent: 80 } } }),
    "windowsPools.win1.kubelet.imageGC: lowPercent 80 is not less than highPercent 80, and kubelet does not start with that",
    win1({ kubelet: { imageGC: { highPercent: 81 } } }),
  ],
  [
    "kubelet's configuration with a kubeadm that does not patch it",
    {
      flavor: "dockershim",
      kubernetesVersion: "v1.22.9",
      controlPlane: { image: { marketplace: {} } },
      ...win1({ windowsServer: "2019", image: { marketplace: {} }, kubelet: { maxPods: 60 } }),
    },
    "windowsPools.win1.kubelet: the bootstrap data of Kubernetes before 1.26 has no patch for kubelet's configuration",
    {
      flavor: "dockershim",
      kubernetesVersion: "v1.22.9",
      controlPlane: { image: { marketplace: {} } },
      ...win1({ windowsServer: "2019", image: { marketplace: {} }, labels: { team: "web" } }),
    },
  ],
  [
    "a sample on the only pool, which repels it",
    sampleOn("NoSchedule"),
    "sampleWorkload: the pool win1 has taints, which the sample's pods do not tolerate",
    sampleOn("PreferNoSchedule"),
  ],
  [
    "a sample on a pool that repels it",
    {
      access: { sshPublicKey: publicKey, allowedCidrs: ["203.0.113.0/24"] },
      linuxPools: { linux1: { replicas: 3 } },
      windowsPools: { win1: { taints: [{ key: "dedicated" }] }, win2: {} },
      sampleWorkload: {},
    },
    "sampleWorkload: the pool win1 has taints, which the sample's pods do not tolerate",
    {
      access: { sshPublicKey: publicKey, allowedCidrs: ["203.0.113.0/24"] },
      linuxPools: { linux1: { replicas: 3 } },
      windowsPools: { win1: { taints: [{ key: "dedicated" }] }, win2: {} },
      sampleWorkload: { pool: "win2" },
    },
  ],
];
