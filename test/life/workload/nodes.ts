import type { KubernetesObject } from "capz-types";
import { type MachineFacts, timestamp } from "./machine";
import type { BootPlan, Taint } from "./userData";
import { uninitializedTaint } from "./userData";

/** `azure://` and the ARM ID, with the resource group in lower case like the cloud provider writes it. */
export const providerId = (id: string): string =>
  `azure://${id.replace(/(\/resourceGroups\/)([^/]+)/i, (_, start: string, group: string) => start + group.toLowerCase())}`;

export const controlPlaneLabel = "node-role.kubernetes.io/control-plane";

/** The Node as kubelet registers it, before the cloud provider and the network. */
export function nodeObject(machine: MachineFacts, plan: BootPlan): KubernetesObject {
  const taints: Taint[] = [...plan.taints];
  if (plan.externalCloud && !taints.some(({ key }) => key === uninitializedTaint.key)) {
    taints.push(uninitializedTaint);
  }
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: plan.nodeName,
      labels: {
        "kubernetes.io/os": machine.os,
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": plan.nodeName,
        ...(machine.windowsBuild === undefined
          ? {}
          : { "node.kubernetes.io/windows-build": machine.windowsBuild }),
        ...(plan.role === "join" ? {} : { [controlPlaneLabel]: "" }),
        ...plan.labels,
      },
    },
    spec: {
      ...(taints.length > 0 ? { taints } : {}),
      ...(plan.externalCloud ? {} : { providerID: providerId(machine.id) }),
    },
  };
}

const pressures = [
  ["MemoryPressure", "KubeletHasSufficientMemory"],
  ["DiskPressure", "KubeletHasNoDiskPressure"],
  ["PIDPressure", "KubeletHasSufficientPID"],
] as const;

/** The part of a Node's status that kubelet writes. */
export function nodeStatus(
  name: string,
  machine: MachineFacts,
  ready: { readonly status: "True" | "False" | "Unknown"; readonly since: string; readonly message: string },
): KubernetesObject {
  const reasons = { True: "KubeletReady", False: "KubeletNotReady", Unknown: "NodeStatusUnknown" } as const;
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name },
    status: {
      addresses: [{ type: "Hostname", address: name }],
      capacity: { cpu: "4", memory: "16Gi", pods: "110" },
      allocatable: { cpu: "4", memory: "15Gi", pods: "110" },
      conditions: [
        // For Cluster API a machine is available only if its node reports these conditions.
        ...pressures.map(([type, reason]) => ({
          type,
          status: "False",
          reason,
          lastHeartbeatTime: timestamp(),
          lastTransitionTime: ready.since,
        })),
        {
          type: "Ready",
          status: ready.status,
          reason: reasons[ready.status],
          message: ready.message,
          lastHeartbeatTime: timestamp(),
          lastTransitionTime: ready.since,
        },
      ],
      nodeInfo: {
        architecture: "amd64",
        bootID: "",
        containerRuntimeVersion: "containerd://2.1.0",
        kernelVersion: "",
        kubeProxyVersion: "",
        kubeletVersion: machine.version,
        machineID: machine.hostname,
        operatingSystem: machine.os,
        osImage: "",
        systemUUID: machine.hostname,
      },
    },
  };
}

/** Fields that the cloud controller manager adds to a Node, and the taints without the one that it removes. */
export const initialized = (
  name: string,
  machine: MachineFacts,
  taints: readonly Taint[],
): KubernetesObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name,
    labels: {
      "node.kubernetes.io/instance-type": machine.vmSize,
      "topology.kubernetes.io/zone": machine.zone === undefined ? "0" : `simulated-${machine.zone}`,
    },
  },
  spec: {
    providerID: providerId(machine.id),
    taints: taints.filter(({ key }) => key !== uninitializedTaint.key),
  },
});

/** Mirror pods of a control plane node's static pods. They are Ready, because nothing fails here. */
export const mirrorPods = (node: string): KubernetesObject[] =>
  ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"].map((component) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${component}-${node}`,
      namespace: "kube-system",
      labels: { component, tier: "control-plane" },
      annotations: {
        // Without this annotation, a drain would evict them.
        "kubernetes.io/config.mirror": "simulated",
        "kubernetes.io/config.source": "file",
      },
    },
    spec: {
      nodeName: node,
      hostNetwork: true,
      containers: [{ name: component, image: `registry.k8s.io/${component}` }],
    },
  }));

export const podReady = (pod: KubernetesObject): KubernetesObject => ({
  ...pod,
  status: {
    phase: "Running",
    conditions: [{ type: "Ready", status: "True", lastTransitionTime: timestamp() }],
  },
});

const configMap = (name: string, data: Readonly<Record<string, string>>): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "kube-system" },
  data,
});

/** ConfigMaps that `kubeadm init` uploads. */
export const kubeadmUploads = (clusterConfiguration: string): KubernetesObject[] => [
  configMap("kubeadm-config", { ClusterConfiguration: clusterConfiguration }),
  configMap("kubelet-config", {
    kubelet: JSON.stringify({ apiVersion: "kubelet.config.k8s.io/v1beta1", kind: "KubeletConfiguration" }),
  }),
];
