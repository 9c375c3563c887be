import type { KubeadmConfigSpec } from "../capi/types";
import type { Platform } from "../cluster/platform";
import type { ExtraBootstrap } from "./files";
import { azureJsonFile, checked, commands, safeFile } from "./files";
import { nodeNameTemplate } from "./jinja";
import { kubeletArguments } from "./kubelet";
import { linuxNodeMtu } from "./mtu";

/** What bootstrap data needs to know of the cluster and the node's release. */
export interface NodePlatform {
  readonly platform: Platform;
  /** Of the node, with leading v. */
  readonly kubernetesVersion: string;
  /** MTU of the VNET in bytes. */
  readonly mtu: number;
}

export interface LinuxBootstrapArgs extends ExtraBootstrap, NodePlatform {
  /** Secret with azure.json: `<AzureMachinePool>-azure-json`. */
  readonly azureJsonSecret: string;
}

/** Where Azure's cloud provider and the kubelet look for azure.json on Linux. */
export const linuxAzureJson = "/etc/kubernetes/azure.json";

/**
 * Bootstrap data of a Linux worker. The user and its key come with the scale set.
 *
 * @throws ConfigError when extra files or commands are beyond what Cluster API takes.
 */
export function linuxWorkerKubeadmConfigSpec(args: LinuxBootstrapArgs): KubeadmConfigSpec {
  const mtu = linuxNodeMtu(args.platform, args.mtu);
  return checked({
    files: [
      azureJsonFile(linuxAzureJson, args.azureJsonSecret, "worker-node-azure.json"),
      ...mtu.files,
      ...(args.extraFiles ?? []).map(safeFile),
    ],
    joinConfiguration: {
      nodeRegistration: {
        name: nodeNameTemplate,
        kubeletExtraArgs: kubeletArguments({ ...args, os: "linux", azureJson: linuxAzureJson }),
      },
    },
    ...commands("preKubeadmCommands", mtu.preKubeadmCommands, args.preKubeadmCommands),
    ...commands("postKubeadmCommands", mtu.postKubeadmCommands, args.postKubeadmCommands),
  });
}
