import type { KubeadmConfigSpec } from "capz-types";
import type { Platform } from "capz-windows-platform/cluster/platform";
import { type ExtraBootstrap, azureJsonFile, validateSpec, commandField, safeFile } from "./files";
import { nodeNameTemplate } from "./jinja";
import { type NodeEgress, linuxEgress } from "./egress";
import { linuxDisks, type NodeDisk } from "./dataDisks";
import { kubeletArguments, taintField } from "./kubelet";
import { kubeletFields, kubeletPatch, servingFields, type NodeSettings } from "./kubeletConfig";
import { linuxNodeMtu } from "./mtu";
import { registryCredentials } from "./registryCredentials";
import { linuxSshKeys } from "./sshKeys";

/** Values of the cluster and the node on which bootstrap data depends. */
export interface NodePlatform {
  readonly platform: Platform;
  /** Version of the node, with a leading v. */
  readonly kubernetesVersion: string;
  /** MTU of the VNET in bytes. */
  readonly mtu: number;
  /** SSH public keys beside that of the stack. Default: none. */
  readonly additionalSshPublicKeys?: readonly string[] | undefined;
  /** How the node reaches registries and the Internet. Default: directly. */
  readonly egress?: NodeEgress | undefined;
  /** Whether kubelet asks the cluster's CA for its serving certificate. Default: it signs one itself. */
  readonly servingCertificate?: boolean | undefined;
}

export interface LinuxBootstrapArgs extends ExtraBootstrap, NodePlatform, NodeSettings {
  /** Secret that contains azure.json: `<AzureMachinePool>-azure-json`. */
  readonly azureJsonSecret: string;
  /** Data disks by their LUN, and how the node uses them. Default: none. */
  readonly dataDisks?: readonly NodeDisk[] | undefined;
}

/** Path at which the Azure cloud provider and the kubelet read azure.json on Linux. */
export const linuxAzureJson = "/etc/kubernetes/azure.json";

/** Folder of the patches that kubeadm merges on Linux. */
export const linuxPatches = "/etc/kubernetes/patches";

/**
 * Bootstrap data of a Linux worker. It contains no user: Azure creates the user and its key from the scale set.
 *
 * @throws ConfigError if extra files or commands are not valid in Cluster API
 */
export function linuxWorkerKubeadmConfigSpec(args: LinuxBootstrapArgs): KubeadmConfigSpec {
  const mtu = linuxNodeMtu(args.platform, args.mtu);
  const egress = linuxEgress(args.egress);
  const ssh = linuxSshKeys(args.additionalSshPublicKeys);
  const registries = registryCredentials("linux", args.registryHosts, args.dataDisks);
  const patch = kubeletPatch(linuxPatches, {
    ...servingFields(args.servingCertificate),
    ...kubeletFields(args.kubelet, "linux", args.kubernetesVersion),
  });
  return validateSpec({
    files: [
      azureJsonFile(linuxAzureJson, args.azureJsonSecret, "worker-node-azure.json"),
      ...mtu.files,
      ...egress.files,
      ...ssh.files,
      ...registries.files,
      ...patch.files,
      ...(args.extraFiles ?? []).map(safeFile),
    ],
    joinConfiguration: {
      nodeRegistration: {
        name: nodeNameTemplate,
        kubeletExtraArgs: [
          ...kubeletArguments({ ...args, os: "linux", azureJson: linuxAzureJson }),
          ...registries.kubeletExtraArgs,
        ],
        ...taintField(args.taints),
      },
      ...patch.join,
    },
    ...commandField(
      "preKubeadmCommands",
      ssh.preKubeadmCommands,
      mtu.preKubeadmCommands,
      egress.preKubeadmCommands,
      registries.preKubeadmCommands,
      args.preKubeadmCommands,
    ),
    ...commandField("postKubeadmCommands", mtu.postKubeadmCommands, args.postKubeadmCommands),
    ...linuxDisks(args.dataDisks),
  });
}
