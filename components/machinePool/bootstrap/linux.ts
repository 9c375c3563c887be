import type { KubeadmConfigSpec } from "../../capi/types";
import { azureJsonFile, checked, nodeName } from "./files";

export interface LinuxBootstrapArgs {
  /** Secret with azure.json: `<AzureMachinePool>-azure-json`. */
  readonly azureJsonSecret: string;
}

/** Bootstrap data of a Linux worker. The user and its key come with the scale set. */
export const linuxWorkerKubeadmConfigSpec = ({ azureJsonSecret }: LinuxBootstrapArgs): KubeadmConfigSpec =>
  checked({
    files: [azureJsonFile("/etc/kubernetes/azure.json", azureJsonSecret, "worker-node-azure.json")],
    joinConfiguration: {
      nodeRegistration: { name: nodeName, kubeletExtraArgs: [{ name: "cloud-provider", value: "external" }] },
    },
  });
