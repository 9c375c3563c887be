/** Default values of machines, for the stack config and for the components alike. */

/** 4 vCPU, 16 GiB, Hyper-V generations 1 and 2: CAPZ's reference images are of generation 1. */
const vmSize = "Standard_D4s_v5";

export const defaultPool = {
  replicas: 2,
  vmSize,
  /** GB. Windows images alone take 30. */
  osDiskGB: { linux: 64, windows: 128 },
  rollout: { maxSurge: 1, maxUnavailable: 0, deletePolicy: "Oldest" },
  windowsServer: "2022",
} as const;

/**
 * CPU and memory that kubelet keeps from pods: on Windows by default, on Linux where a pool says `reserved: {}`. Windows itself takes about 2 GiB; AKS
 * reserves as much on its Windows nodes (https://learn.microsoft.com/azure/aks/node-resource-reservations).
 */
export const defaultReserved = {
  linux: { cpu: "100m", memory: "512Mi" },
  windows: { cpu: "500m", memory: "2Gi" },
} as const;

/** CAPI v1.14.2 api/controlplane/kubeadm/v1beta2/kubeadm_control_plane_types.go, minimum of certificatesExpiryDays. */
export const leastCertificatesDays = 7;

export const defaultControlPlane = {
  /** etcd needs a majority of an odd number. */
  replicas: 3,
  vmSize,
  /** GB. */
  osDiskGB: 128,
  /** GB, for etcd alone. */
  etcdDiskGB: 256,
  /** Days. kubeadm's certificates last 365, and nothing else renews them where no upgrade does. */
  certificatesExpiryDays: 30,
} as const;
