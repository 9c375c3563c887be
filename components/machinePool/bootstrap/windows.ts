import { stringify } from "yaml";
import type { KubeadmConfigSpec } from "../../capi/types";
import { nodeUser } from "../../workloadCluster/access";
import { azureJsonFile, checked, nodeName, script, uninitializedTaint } from "./files";

export interface WindowsBootstrapArgs {
  /** Secret with azure.json: `<AzureMachinePool>-azure-json`. */
  readonly azureJsonSecret: string;
  /** OpenSSH public key, one line. */
  readonly sshPublicKey: string;
}

const patchesDirectory = "C:/k/patches";

const { key, value, effect } = uninitializedTaint;

/**
 * kubeadm merges this into the kubelet's config. The flag below says the same, but images whose kubelet is a native
 * service start it once without flags, and a node that registered untainted is never looked at by the cloud node
 * manager. The name of the file is kubeadm's: target, order, kind of patch (kubeadm 1.25 and newer).
 */
const kubeletPatch = {
  path: `${patchesDirectory}/kubeletconfiguration0+strategic.yaml`,
  content: stringify({
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    registerWithTaints: [uninitializedTaint],
  }),
};

/**
 * Bootstrap data of a Windows node of the containerd flavour, as cloudbase-init takes it. Runs under cmd.exe, all
 * commands in one batch, and no command stops those after it.
 */
export function windowsKubeadmConfigSpec({
  azureJsonSecret,
  sshPublicKey,
}: WindowsBootstrapArgs): KubeadmConfigSpec {
  const publicKey = sshPublicKey.trim();
  return checked({
    files: [
      azureJsonFile("C:/k/azure.json", azureJsonSecret, "worker-node-azure.json"),
      kubeletPatch,
      { path: "C:/restart-kubelet.ps1", permissions: "0744", content: script("restart-kubelet.ps1") },
      {
        path: "C:/defender-exclude-calico.ps1",
        permissions: "0744",
        content: script("defender-exclude-calico.ps1"),
      },
      // Where sshd has its stock config (Windows Server 2025), it reads administrators' keys from here only.
      {
        path: "C:/ProgramData/ssh/administrators_authorized_keys",
        permissions: "0640",
        content: `${publicKey}\n`,
      },
    ],
    joinConfiguration: {
      nodeRegistration: {
        name: nodeName,
        criSocket: "npipe:////./pipe/containerd-containerd",
        kubeletExtraArgs: [
          { name: "cloud-provider", value: "external" },
          { name: "register-with-taints", value: `${key}=${value}:${effect}` },
          { name: "windows-priorityclass", value: "ABOVE_NORMAL_PRIORITY_CLASS" },
        ],
      },
      patches: { directory: patchesDirectory },
    },
    postKubeadmCommands: ["powershell C:/restart-kubelet.ps1", "powershell C:/defender-exclude-calico.ps1"],
    users: [{ name: nodeUser, groups: "Administrators", sshAuthorizedKeys: [publicKey] }],
  });
}
