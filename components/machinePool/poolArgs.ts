import type { KubeletArgs } from "../../bootstrap/kubeletConfig";
import type { EgressArgs } from "../egressArgs";
import type { HealthCheckArgs } from "../healthChecks";
import type { MachineDeletionArgs } from "capz-windows-platform/machines/healthChecks";
import type { Flavor } from "capz-windows-platform/cluster/platform";
import type { ImageChoice } from "capz-windows-platform/machines/images";
import type {
  DeletePolicy,
  EphemeralPlacement,
  EvictionPolicy,
  OsDiskType,
  PoolKind,
  TaintEffect,
} from "capz-windows-platform/machines/pools";
import type { WindowsServer } from "capz-windows-platform/machines/windowsReleases";

/** Range of the cluster autoscaler. */
export interface AutoscaleArgs {
  /** Smallest number of nodes; the autoscaler starts from it. */
  min: number;
  /** Largest number of nodes. */
  max: number;
}

/** How a pool rolls when its version, image or size changes. */
export interface RolloutArgs {
  /** Nodes beyond the desired number: a number such as "1", or a percentage such as "25%". Default: 1. */
  maxSurge?: string | undefined;
  /** Nodes that may be unavailable: a number or a percentage. Default: 0. */
  maxUnavailable?: string | undefined;
  /** Which nodes go first. Default: Oldest. */
  deletePolicy?: DeletePolicy;
}

/** A Secret in the namespace of the cluster. */
export interface FileSecretArgs {
  /** Name of the Secret. */
  name: string;
  /** Key in it. */
  key: string;
}

/** Where the content of a file comes from. */
export interface FileSourceArgs {
  /** The Secret that contains it. */
  secret: FileSecretArgs;
}

/** A file on each node, with either content or contentFrom. Secret contents belong in a Secret. */
export interface NodeFileArgs {
  /** Absolute path on the node. */
  path: string;
  /** Contents, which arrive byte for byte; at most 10,240 characters. */
  content?: string;
  /** Contents that are secret. */
  contentFrom?: FileSourceArgs;
  /** Encoding of a secret content: base64. Default: none; templates and YAML may then alter it. */
  encoding?: string;
  /** Octal mode, for instance "0644". Windows ignores it. Default: the bootstrap provider's. */
  permissions?: string;
}

/** Spot machines. */
export interface SpotArgs {
  /** What Azure does with a machine that it evicts. Default: Delete. */
  evictionPolicy?: EvictionPolicy;
  /** Price in US dollars per hour above which a machine is evicted. Default: the on-demand price. */
  maxPrice?: string | undefined;
}

/** A data disk of each machine. */
export interface DataDiskArgs {
  /** Label of the file system, and end of the disk's name. */
  name: string;
  /** Size in GB. */
  sizeGB: number;
  /** Disk type. Default: Premium_LRS. */
  type?: OsDiskType;
  /** Linux: the folder in which it is mounted. */
  mountPath?: string | undefined;
  /** Windows: the letter of its drive. */
  letter?: string | undefined;
}

/** A VM extension. */
export interface VmExtensionArgs {
  /** Type, which CAPZ also uses as the name. */
  name: string;
  /** Publisher. */
  publisher: string;
  /** Major and minor version. */
  version: string;
  /** Public settings. Default: none. */
  settings?: Record<string, string> | undefined;
}

/** Trusted Launch. */
export interface TrustedLaunchArgs {
  /** Boot only signed software. */
  secureBoot: boolean;
  /** A virtual Trusted Platform Module. */
  vTpm: boolean;
}

/** A network interface of each machine. */
export interface NetworkInterfaceArgs {
  /** Name of its subnet in the cluster's VNET. */
  subnet: string;
  /** Accelerated networking. Default: enabled if the VM size supports it. */
  acceleratedNetworking?: boolean | undefined;
}

/** A taint with which nodes register. */
export interface TaintArgs {
  /** Key, with or without a DNS name in front. */
  key: string;
  /** Value. Default: none. */
  value?: string | undefined;
  /** What happens to pods that do not tolerate it. Default: NoSchedule. */
  effect?: TaintEffect;
}

/** Azure container registries. */
export interface ContainerRegistriesArgs {
  /** ARM ids of the registries. */
  ids: string[];
  /** ARM id of an identity with the role AcrPull on each. */
  identityId: string;
}

/** Args of pools of either operating system. */
export interface PoolArgs {
  /** Name of the pool, of its MachinePool and of its AzureMachinePool. */
  poolName: string;
  /** Name of the workload cluster. */
  clusterName: string;
  /** Namespace of the cluster's objects. Default: clusterName. */
  namespace?: string | undefined;
  /** Azure region in its short form. */
  location: string;
  /** Kubernetes version of the nodes, with leading v. */
  kubernetesVersion: string;
  /** Kubernetes version of the control plane. Default: kubernetesVersion. */
  clusterVersion?: string | undefined;
  /** Container runtime of the Windows nodes of the cluster, and with it the CNI. Default: containerd. */
  flavor?: Flavor;
  /** You bring the CNI of the cluster: nothing here is made for Calico. Default: false. */
  ownCni?: boolean | undefined;
  /** OpenSSH public key of the user capi, one line. */
  sshPublicKey: string;
  /** Further SSH public keys of the user capi. Default: none. */
  additionalSshPublicKeys?: string[] | undefined;
  /** MTU of the VNET in bytes. Default: 1400. */
  mtu?: number | undefined;
  /** How the machines reach registries and the Internet. Default: directly. */
  egress?: EgressArgs | undefined;
  /** Azure tags of the machines. Default: none. */
  tags?: Record<string, string> | undefined;
  /** Number of nodes. With autoscale the autoscaler owns it. Default: 2. */
  replicas?: number | undefined;
  /** Range of the cluster autoscaler. Default: none. */
  autoscale?: AutoscaleArgs | undefined;
  /** VM size. Default: Standard_D4s_v5. */
  vmSize?: string | undefined;
  /** Size of the OS disk in GB. Default: 64 for Linux, 128 for Windows. */
  osDiskGB?: number | undefined;
  /** Availability zones. Default: none, the pool is regional. */
  zones?: string[] | undefined;
  /** How the pool rolls. Default: one node more at a time, the oldest node goes first. */
  rollout?: RolloutArgs | undefined;
  /** VM image. Default: the reference image of the version in CAPZ's community gallery. */
  image?: ImageChoice | undefined;
  /** Further files of each node. Default: none. */
  files?: NodeFileArgs[] | undefined;
  /** Commands before `kubeadm join`; on Windows they are lines of one batch file. Default: none. */
  preKubeadmCommands?: string[] | undefined;
  /** Commands after `kubeadm join`. Default: none. */
  postKubeadmCommands?: string[] | undefined;
  /** Network interfaces, of which the first is the node's; chosen when the pool is created. Default: one in the only node subnet. */
  networkInterfaces?: NetworkInterfaceArgs[] | undefined;
  /** Data disks, formatted before the node joins. Default: none. */
  dataDisks?: DataDiskArgs[] | undefined;
  /** VM extensions. Default: none. */
  vmExtensions?: VmExtensionArgs[] | undefined;
  /** Spot machines; chosen when the pool is created. Default: none. */
  spot?: SpotArgs | undefined;
  /** Type of the OS disk. Default: Premium_LRS. */
  osDiskType?: OsDiskType;
  /** OS disk on the machine's host, and its placement; chosen when the pool is created. Default: a managed disk. */
  ephemeralOsDisk?: EphemeralPlacement;
  /** Encrypt temporary disks and caches on the host too. Default: false. */
  encryptionAtHost?: boolean | undefined;
  /** ARM id of a disk encryption set for all disks. Default: a platform key. */
  diskEncryptionSetId?: string | undefined;
  /** ARM ids of user-assigned identities of the machines. Default: none. */
  identityIds?: string[] | undefined;
  /** Azure container registries from which kubelet pulls with an identity of the machines. Default: none. */
  containerRegistries?: ContainerRegistriesArgs | undefined;
  /** Minutes between Azure's notice that it deletes a machine and the deletion. Default: no notice. */
  terminationNoticeMinutes?: number | undefined;
  /** Labels of the nodes. Default: none. */
  labels?: Record<string, string> | undefined;
  /** Taints with which new nodes register. Default: none. */
  taints?: TaintArgs[] | undefined;
  /** Configuration of kubelet. Default: the cluster's. */
  kubelet?: KubeletArgs | undefined;
  /** Kubelet asks the cluster's CA for its serving certificate, which an approver must approve. Default: false, it signs its own. */
  servingCertificate?: boolean | undefined;
  /** What happens before a machine is deleted. Default: a drain without limit. */
  deletion?: MachineDeletionArgs | undefined;
  /** RFC 7386 merge patches of the pool's objects, as JSON by kind: AzureMachinePool. Default: none. */
  overrides?: Record<string, string> | undefined;
}

/** A pool of Linux nodes. */
export type LinuxPoolArgs = PoolArgs;

/** A pool of Windows nodes. */
export interface WindowsPoolArgs extends PoolArgs {
  /** A scale set, or single machines with a health check. Default: MachinePool. */
  kind?: PoolKind;
  /** Windows Server release of the nodes. Default: 2022. */
  windowsServer?: WindowsServer;
  /** Trusted Launch, for single machines. Default: none. */
  trustedLaunch?: TrustedLaunchArgs | undefined;
  /**
   * Use your own licences. This only sets an annotation, because CAPZ has no field for it; a plan shows the command.
   * Default: false.
   */
  hybridBenefit?: boolean | undefined;
  /** When single machines are replaced automatically. Default: the defaults of its fields. */
  healthCheck?: HealthCheckArgs | undefined;
}
