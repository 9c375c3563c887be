import type { Isolation } from "./windowsVersions";

/** CPUs such as "500m" and memory in Mi or Gi. */
export interface ResourcesArgs {
  /** CPUs: "1", "0.5" or "500m". */
  cpu: string;
  /** Memory in whole Mi or Gi: "800Mi". */
  memory: string;
}

/** How the kubelet asks a container whether it works. */
export interface WindowsProbeArgs {
  /** Path of an HTTP request. Default: only a TCP connection. */
  path?: string | undefined;
  /** Port of the request or connection. Default: the first of the container. */
  port?: number | undefined;
  /** A command in the container instead, each part an item. Each run starts a process: PowerShell takes seconds. */
  command?: string[] | undefined;
  /** Seconds from the start of the container to the first probe. Default: Kubernetes' 0. */
  initialDelaySeconds?: number | undefined;
  /** Seconds between two probes. Default: Kubernetes' 10. */
  periodSeconds?: number | undefined;
  /** Seconds until a probe counts as failed. Default: Kubernetes' 1, and 10 for a command. */
  timeoutSeconds?: number | undefined;
  /** Failures in a row until the kubelet acts. Default: Kubernetes' 3. */
  failureThreshold?: number | undefined;
}

/** A volume and where it appears in the container. Give at most one source; without any it is an empty folder. */
export interface WindowsVolumeArgs {
  /** Name of the volume. */
  name: string;
  /** Folder in the container with its drive: `C:\data` or `C:/data`. */
  mountPath: string;
  /** Whether the container may only read it. Default: false. */
  readOnly?: boolean | undefined;
  /** ConfigMap whose keys become files. */
  configMap?: string | undefined;
  /** Secret whose keys become files. */
  secret?: string | undefined;
  /** Folder of the node with its drive, which exists: `C:\ProgramData\agent`. */
  hostPath?: string | undefined;
  /** Persistent volume claim that exists. */
  claim?: string | undefined;
  /** Storage class of a disk for each pod, for instance of Azure Disk; only in a StatefulSet, with sizeGiB. */
  storageClass?: string | undefined;
  /** Size of that disk in GiB. */
  sizeGiB?: number | undefined;
}

/** What the pods of a Windows workload have. */
export interface WindowsPodArgs {
  /** Namespace of the objects, which exists. Default: default. */
  namespace?: string | undefined;
  /** Windows Server release of the nodes: "2019", "2022" or "2025". Default: 2022. */
  windowsServer?: string | undefined;
  /** Whether the containers share the kernel of their host, or have their own. Default: process. */
  isolation?: Isolation;
  /** RuntimeClass of the pods. Default: none, so containerd's own choice, which is process isolation. */
  runtimeClass?: string | undefined;
  /** What a pod is sure to get. Default: 100m CPU, 300Mi of memory. */
  requests?: ResourcesArgs | undefined;
  /** What a pod gets at most. Default: 1 CPU, 800Mi of memory. */
  limits?: ResourcesArgs | undefined;
  /** Command instead of the image's, each part an item. */
  command?: string[] | undefined;
  /** Arguments instead of the image's. */
  args?: string[] | undefined;
  /** Secrets whose keys become environment variables. */
  envFromSecrets?: string[] | undefined;
  /** TCP ports on which the container listens. */
  ports?: number[] | undefined;
  /** When a pod gets requests. Default: when its container runs. */
  readiness?: WindowsProbeArgs | undefined;
  /** When a container is restarted. Default: when its process ends. */
  liveness?: WindowsProbeArgs | undefined;
  /** Until when the other probes wait: for applications that take minutes to start. Default: they do not. */
  startup?: WindowsProbeArgs | undefined;
  /** Volumes of the container. */
  volumes?: WindowsVolumeArgs[] | undefined;
  /** Account of the processes, for instance ContainerUser. Default: the image's. */
  runAsUserName?: string | undefined;
  /** Name of a GMSACredentialSpec of the cluster, for Active Directory. Default: none. */
  gmsaCredentialSpec?: string | undefined;
  /** Service account, whose token the pod then gets. Default: none, and no token. */
  serviceAccount?: string | undefined;
  /** Secrets with which the nodes pull the image. */
  imagePullSecrets?: string[] | undefined;
  /**
   * Seconds between the end of a pod's requests and the end of its process: the load balancers of all nodes need a
   * moment to forget it. Needs Kubernetes 1.30. Default: 5.
   */
  drainSeconds?: number | undefined;
  /** Seconds in which a pod has to end, drainSeconds included. Default: Kubernetes' 30. */
  terminationGracePeriodSeconds?: number | undefined;
}

/** What the container has beside that. The component takes these as inputs. */
export interface WindowsEnvArgs {
  /** Environment variables; no place for secrets. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The Service in front of a workload. */
export interface WindowsServiceArgs {
  /** ClusterIP, NodePort or LoadBalancer. Default: ClusterIP. */
  type?: string | undefined;
  /** Port at which clients connect. Default: the first of the container. */
  port?: number | undefined;
  /** Whether Azure's load balancer gets an address of the VNET instead of a public one. Default: false. */
  internal?: boolean | undefined;
  /** Networks that a public load balancer lets in. Default: every network. */
  allowedCidrs?: string[] | undefined;
}

/** What a pod requests by default. */
export const defaultRequests: ResourcesArgs = { cpu: "100m", memory: "300Mi" };

/** The limits of a pod by default. */
export const defaultLimits: ResourcesArgs = { cpu: "1", memory: "800Mi" };
