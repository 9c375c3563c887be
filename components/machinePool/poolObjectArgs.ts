import { kubeletOptions, type KubeletOptions } from "../../bootstrap/kubeletConfig";
import type { Overrides } from "../../capi/overrides/overrides";
import type { BootstrapFile, KubeadmConfigSpec } from "../../capi/types";
import type { DeletionOptions, HealthCheckOptions } from "../../platform/machines/healthChecks";
import type { Platform } from "../../platform/cluster/platform";
import type { CapzImage } from "../../platform/machines/images";
import type { Labels, Taint } from "../../platform/machines/nodeLabels";
import type {
  DeletePolicy,
  EphemeralPlacement,
  EvictionPolicy,
  OsDiskType,
  PoolKind,
} from "../../platform/machines/pools";
import { loginServers } from "../../platform/azure/containerRegistries";
import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { windowsKubeadmConfigSpec } from "../../bootstrap/windows";
import { parseOverrides } from "../../capi/overrides/overrides";
import { platformOf } from "../../platform/cluster/platform";
import { defaultPool } from "../../platform/machines/defaults";
import { capzImage } from "../../platform/machines/images";
import type { NodeOs } from "../../platform/machines/naming";
import { azureVnetMtu } from "../../platform/network/mtu";
import { healthCheckOptions } from "../healthCheckOptions";
import { nodeCount, type NodeCount } from "../nodeCount";
import type {
  DataDiskArgs,
  LinuxPoolArgs,
  NetworkInterfaceArgs,
  NodeFileArgs,
  PoolArgs,
  TrustedLaunchArgs,
  VmExtensionArgs,
  WindowsPoolArgs,
} from "./poolArgs";

/** What the objects of a pool are built from. */
export interface PoolObjectArgs {
  /** Name of the pool and of its MachinePool and AzureMachinePool. */
  readonly name: string;
  readonly os: NodeOs;
  readonly kind: PoolKind;
  readonly clusterName: string;
  readonly namespace: string;
  readonly location: string;
  /** OpenSSH public key, one line. For Linux it is part of the scale set; on Windows Azure ignores it there. */
  readonly sshPublicKey: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly platform: Platform;
  /** Of the nodes, with leading v. */
  readonly kubernetesVersion: string;
  /** Number of nodes. With `autoscale`, the autoscaler owns it. */
  readonly replicas: number;
  readonly autoscale?: { readonly min: number; readonly max: number } | undefined;
  readonly vmSize: string;
  readonly osDiskGB: number;
  /** Availability zones; empty means regional. */
  readonly zones: readonly string[];
  readonly rollout: {
    readonly maxSurge: NodeCount;
    readonly maxUnavailable: NodeCount;
    readonly deletePolicy: DeletePolicy;
  };
  readonly image: CapzImage;
  readonly networkInterfaces?: readonly NetworkInterfaceArgs[] | undefined;
  readonly dataDisks?: readonly DataDiskArgs[] | undefined;
  readonly vmExtensions?: readonly VmExtensionArgs[] | undefined;
  readonly trustedLaunch?: TrustedLaunchArgs | undefined;
  readonly hybridBenefit?: boolean | undefined;
  readonly spot?:
    { readonly evictionPolicy?: EvictionPolicy; readonly maxPrice?: string | undefined } | undefined;
  readonly osDiskType?: OsDiskType | undefined;
  readonly ephemeralOsDisk?: EphemeralPlacement | undefined;
  readonly encryptionAtHost?: boolean | undefined;
  readonly diskEncryptionSetId?: string | undefined;
  readonly identityIds?: readonly string[] | undefined;
  readonly terminationNoticeMinutes?: number | undefined;
  readonly labels?: Labels | undefined;
  readonly taints?: readonly Taint[] | undefined;
  readonly kubelet?: KubeletOptions | undefined;
  readonly deletion?: DeletionOptions | undefined;
  /** For single machines; `undefined` without a health check. */
  readonly healthCheck?: HealthCheckOptions | undefined;
  /** Merge patches of the objects, by kind. Default: none. */
  readonly overrides?: Overrides | undefined;
  /** Windows Server release, for instance "2022"; Windows pools only. */
  readonly windowsServer?: string;
  /** Bootstrap data, given the name of the secret in which CAPZ stores azure.json. */
  readonly bootstrap: (azureJsonSecret: string) => KubeadmConfigSpec;
}

/** Converts the args of a pool to those of its objects, with every default filled in. */

const poolPlatform = (args: PoolArgs) =>
  platformOf(args.flavor ?? "containerd", args.clusterVersion ?? args.kubernetesVersion, args.ownCni);

const commonArgs = (args: PoolArgs, os: NodeOs) => ({
  os,
  name: args.poolName,
  clusterName: args.clusterName,
  namespace: args.namespace ?? args.clusterName,
  location: args.location,
  sshPublicKey: args.sshPublicKey,
  additionalSshPublicKeys: args.additionalSshPublicKeys,
  tags: args.tags ?? {},
  platform: poolPlatform(args),
  mtu: args.mtu ?? azureVnetMtu,
  egress: args.egress,
  kubernetesVersion: args.kubernetesVersion,
  replicas: args.replicas ?? defaultPool.replicas,
  autoscale: args.autoscale,
  vmSize: args.vmSize ?? defaultPool.vmSize,
  osDiskGB: args.osDiskGB ?? defaultPool.osDiskGB[os],
  zones: args.zones ?? [],
  overrides: parseOverrides(args.overrides),
  networkInterfaces: args.networkInterfaces ?? [],
  dataDisks: args.dataDisks ?? [],
  vmExtensions: args.vmExtensions ?? [],
  spot: args.spot,
  osDiskType: args.osDiskType,
  ephemeralOsDisk: args.ephemeralOsDisk,
  encryptionAtHost: args.encryptionAtHost,
  diskEncryptionSetId: args.diskEncryptionSetId,
  // kubelet logs in with the first one: CAPZ writes its client id into azure.json.
  identityIds: [
    ...(args.containerRegistries === undefined ? [] : [args.containerRegistries.identityId]),
    ...(args.identityIds ?? []),
  ],
  registryHosts: args.containerRegistries?.ids.flatMap(loginServers),
  terminationNoticeMinutes: args.terminationNoticeMinutes,
  labels: args.labels ?? {},
  taints: (args.taints ?? []).map(({ effect = "NoSchedule", ...taint }) => ({ ...taint, effect })),
  kubelet: kubeletOptions(args.kubelet),
  deletion: args.deletion,
  rollout: {
    maxSurge: nodeCount(args.rollout?.maxSurge, defaultPool.rollout.maxSurge),
    maxUnavailable: nodeCount(args.rollout?.maxUnavailable, defaultPool.rollout.maxUnavailable),
    deletePolicy: args.rollout?.deletePolicy ?? defaultPool.rollout.deletePolicy,
  },
});

/** @throws Error for an encoding that the bootstrap provider would not take */
function bootstrapFile({ encoding, ...file }: NodeFileArgs): BootstrapFile {
  if (encoding !== undefined && encoding !== "base64") {
    throw new Error(`The file ${file.path} has the encoding ${encoding}. Allowed: base64, or none.`);
  }
  return encoding === undefined ? file : { ...file, encoding };
}

const bootstrapArgs = ({ files, preKubeadmCommands, postKubeadmCommands }: PoolArgs) => ({
  extraFiles: files?.map(bootstrapFile),
  preKubeadmCommands,
  postKubeadmCommands,
});

export function linuxPoolObjectArgs(args: LinuxPoolArgs): PoolObjectArgs {
  const common = commonArgs(args, "linux");
  return {
    ...common,
    kind: "MachinePool",
    image: capzImage(args.image, { os: "linux" }, args.kubernetesVersion),
    bootstrap: (azureJsonSecret) =>
      linuxWorkerKubeadmConfigSpec({ ...common, ...bootstrapArgs(args), azureJsonSecret }),
  };
}

export function windowsPoolObjectArgs(args: WindowsPoolArgs): PoolObjectArgs {
  const common = commonArgs(args, "windows");
  const windowsServer = args.windowsServer ?? defaultPool.windowsServer;
  const node = { os: "windows", windowsServer, runtime: common.platform.flavor } as const;
  return {
    ...common,
    kind: args.kind ?? "MachinePool",
    windowsServer,
    trustedLaunch: args.trustedLaunch,
    hybridBenefit: args.hybridBenefit,
    healthCheck: healthCheckOptions(poolPlatform(args), args.healthCheck),
    image: capzImage(args.image, node, args.kubernetesVersion),
    bootstrap: (azureJsonSecret) =>
      windowsKubeadmConfigSpec({ ...common, ...bootstrapArgs(args), azureJsonSecret }),
  };
}
