import { stringify } from "yaml";
import type { BootstrapFile, KubeadmConfigSpec } from "../../capi/types";
import { nodeUser } from "../../workloadCluster/access";
import { batchProblems } from "./batch";
import type { ExtraBootstrap } from "./files";
import { azureJsonFile, checked, commands, safeFile, script } from "./files";
import { nodeNameTemplate } from "./jinja";

export interface WindowsBootstrapArgs extends ExtraBootstrap {
  /** Secret with azure.json: `<AzureMachinePool>-azure-json`. */
  readonly azureJsonSecret: string;
  /** OpenSSH public key, one line. Azure ignores the scale set's key on Windows, so it has to be in here. */
  readonly sshPublicKey: string;
}

/**
 * The taint by which the cloud node manager knows a node that it has not given its provider id yet; it looks at the
 * key alone and takes off every taint with it (cloud-provider-azure pkg/nodemanager/nodemanager.go).
 *
 * Its effect is NoExecute although kubelet's own taint has NoSchedule. With `--cloud-provider=external` kubelet adds
 * its own without a look at what is there (Kubernetes v1.35.6 pkg/kubelet/kubelet_node_status.go, initialNode), and
 * the API server refuses a node with two taints of one key and effect: the node would never register.
 */
export const uninitializedTaint = {
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
  effect: "NoExecute",
} as const;

const patchesDirectory = "C:/k/patches";

/**
 * kubeadm merges this into kubelet's config. Images whose kubelet is a native service (image-builder v0.1.53 and
 * newer) start it once without any of kubeadm's flags, so it registers without `--cloud-provider=external` and its
 * taint, and the cloud node manager would never look at the node. The name is kubeadm's: target, order, kind of patch.
 */
const kubeletPatch: BootstrapFile = {
  path: `${patchesDirectory}/kubeletconfiguration0+strategic.yaml`,
  permissions: "0644",
  content: stringify({
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    registerWithTaints: [uninitializedTaint],
  }),
};

const runScript = (path: string): string => `powershell -NoProfile -ExecutionPolicy Bypass -File ${path}`;

const administratorsKeys = "C:/ProgramData/ssh/administrators_authorized_keys";

/**
 * sshd wants that only SYSTEM (S-1-5-18) and the Administrators (S-1-5-32-544) can touch the file. By their ids,
 * because their names are translated on Windows in other languages.
 */
const protectAdministratorsKeys = `icacls ${administratorsKeys.replaceAll("/", "\\")} /inheritance:r /grant *S-1-5-18:F /grant *S-1-5-32-544:F`;

/**
 * Bootstrap data of a Windows node of the containerd flavour, as cloudbase-init takes it: files, then users, then all
 * commands as one batch file for cmd.exe, in which no command stops those after it.
 *
 * There is no `register-with-taints` among kubelet's arguments: it would put out the taint that the bootstrap
 * provider itself passes on, and with the taint that kubelet adds it would be one too many (see the taint above).
 *
 * @throws ConfigError when extra files or commands are beyond what Cluster API or cmd.exe takes.
 */
export function windowsKubeadmConfigSpec(args: WindowsBootstrapArgs): KubeadmConfigSpec {
  const publicKey = args.sshPublicKey.trim();
  const spec: KubeadmConfigSpec = {
    files: [
      azureJsonFile("c:/k/azure.json", args.azureJsonSecret, "worker-node-azure.json"),
      {
        path: "C:/defender-exclude-calico.ps1",
        permissions: "0744",
        content: script("defender-exclude-calico.ps1"),
      },
      kubeletPatch,
      { path: "C:/restart-kubelet.ps1", permissions: "0744", content: script("restart-kubelet.ps1") },
      // Where sshd has its stock config (Windows Server 2025), it reads administrators' keys from here only.
      { path: administratorsKeys, permissions: "0640", content: `${publicKey}\n` },
      ...(args.extraFiles ?? []).map(safeFile),
    ],
    joinConfiguration: {
      nodeRegistration: {
        name: nodeNameTemplate,
        criSocket: "npipe:////./pipe/containerd-containerd",
        kubeletExtraArgs: [
          { name: "cloud-provider", value: "external" },
          { name: "v", value: "2" },
          // Busy pods otherwise keep kubelet from the processor until the node counts as lost.
          { name: "windows-priorityclass", value: "ABOVE_NORMAL_PRIORITY_CLASS" },
        ],
      },
      patches: { directory: patchesDirectory },
    },
    // Before kubeadm join, so that one can log in and look when it hangs.
    ...commands("preKubeadmCommands", [protectAdministratorsKeys], args.preKubeadmCommands),
    ...commands(
      "postKubeadmCommands",
      [runScript("C:/restart-kubelet.ps1"), runScript("C:/defender-exclude-calico.ps1")],
      args.postKubeadmCommands,
    ),
    users: [{ name: nodeUser, groups: "Administrators", sshAuthorizedKeys: [publicKey] }],
  };
  return checked(spec, batchProblems(spec));
}
