import type { KubeadmConfigSpec } from "../../capi/types";
import type { ExtraBootstrap } from "./files";
import { azureJsonFile, checked, commands, safeFile } from "./files";
import { nodeNameTemplate } from "./jinja";

export interface LinuxBootstrapArgs extends ExtraBootstrap {
  /** Secret with azure.json: `<AzureMachinePool>-azure-json`. */
  readonly azureJsonSecret: string;
}

/**
 * Bootstrap data of a Linux worker. The user and its key come with the scale set.
 *
 * @throws ConfigError when extra files or commands are beyond what Cluster API takes.
 */
export const linuxWorkerKubeadmConfigSpec = (args: LinuxBootstrapArgs): KubeadmConfigSpec =>
  checked({
    files: [
      azureJsonFile("/etc/kubernetes/azure.json", args.azureJsonSecret, "worker-node-azure.json"),
      ...(args.extraFiles ?? []).map(safeFile),
    ],
    joinConfiguration: {
      nodeRegistration: {
        name: nodeNameTemplate,
        kubeletExtraArgs: [{ name: "cloud-provider", value: "external" }],
      },
    },
    ...commands("preKubeadmCommands", args.preKubeadmCommands),
    ...commands("postKubeadmCommands", args.postKubeadmCommands),
  });
