import { stringify } from "yaml";
import type {
  Arg,
  BootstrapFile,
  KubeadmConfigSpec,
  JoinConfiguration,
  NodeRegistration,
} from "../capi/types";
import { nodeUser } from "../cluster/access";
import type { Platform } from "../cluster/platform";
import { batchProblems } from "./batch";
import type { ExtraBootstrap } from "./files";
import { azureJsonFile, checked, commands, safeFile, script } from "./files";
import { nodeNameTemplate } from "./jinja";
import { kubeletArguments } from "./kubelet";
import type { NodePlatform } from "./linux";

export interface WindowsBootstrapArgs extends ExtraBootstrap, NodePlatform {
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

const scriptFile = (name: string): BootstrapFile => ({
  path: `C:/${name}`,
  permissions: "0744",
  content: script(name),
});

const administratorsKeys = "C:/ProgramData/ssh/administrators_authorized_keys";

/**
 * sshd wants that only SYSTEM (S-1-5-18) and the Administrators (S-1-5-32-544) can touch the file. By their ids,
 * because their names are translated on Windows in other languages.
 */
const protectAdministratorsKeys = `icacls ${administratorsKeys.replaceAll("/", "\\")} /inheritance:r /grant *S-1-5-18:F /grant *S-1-5-32-544:F`;

const azureJson = "c:/k/azure.json";

/** What a flavour needs on its Windows nodes beside what all of them have. */
interface Additions {
  readonly files: readonly BootstrapFile[];
  readonly criSocket?: string;
  readonly kubeletExtraArgs: readonly Arg[];
  readonly preKubeadmCommands: readonly string[];
  readonly postKubeadmCommands: readonly string[];
}

const containerd: Additions = {
  files: [scriptFile("defender-exclude-calico.ps1")],
  criSocket: "npipe:////./pipe/containerd-containerd",
  kubeletExtraArgs: [],
  preKubeadmCommands: [],
  postKubeadmCommands: [runScript("C:/defender-exclude-calico.ps1")],
};

/** Windows sandbox image of the dockershim days (CAPZ v1.3.2): kubeadm's own default is for Linux. */
const pauseImage = "mcr.microsoft.com/oss/kubernetes/pause:1.4.1";

/** Docker's socket is what kubeadm takes by itself. */
const dockershim = (mtu: number): Additions => ({
  files: [scriptFile("create-external-network.ps1")],
  kubeletExtraArgs: [{ name: "pod-infra-container-image", value: pauseImage }],
  preKubeadmCommands: [`${runScript("C:/create-external-network.ps1")} -Mtu ${mtu}`],
  postKubeadmCommands: [],
});

/** The in-tree cloud provider initialises a node when it registers: there is no taint to wait under. */
const patchOf = ({
  cloudProvider,
}: Platform): {
  readonly files: readonly BootstrapFile[];
  readonly join: Pick<JoinConfiguration, "patches">;
} =>
  cloudProvider === "external"
    ? { files: [kubeletPatch], join: { patches: { directory: patchesDirectory } } }
    : { files: [], join: {} };

/**
 * Bootstrap data of a Windows node, as cloudbase-init takes it: files, then users, then all commands as one batch file
 * for cmd.exe, in which no command stops those after it.
 *
 * There is no `register-with-taints` among kubelet's arguments: it would put out the taint that the bootstrap
 * provider itself passes on, and with the taint that kubelet adds it would be one too many (see the taint above).
 *
 * @throws ConfigError when extra files or commands are beyond what Cluster API or cmd.exe takes.
 */
export function windowsKubeadmConfigSpec(args: WindowsBootstrapArgs): KubeadmConfigSpec {
  const publicKey = args.sshPublicKey.trim();
  const own = args.platform.flavor === "dockershim" ? dockershim(args.mtu) : containerd;
  const patch = patchOf(args.platform);
  const spec: KubeadmConfigSpec = {
    files: [
      azureJsonFile(azureJson, args.azureJsonSecret, "worker-node-azure.json"),
      ...own.files,
      ...patch.files,
      scriptFile("restart-kubelet.ps1"),
      // Where sshd has its stock config (Windows Server 2025), it reads administrators' keys from here only.
      { path: administratorsKeys, permissions: "0640", content: `${publicKey}\n` },
      ...(args.extraFiles ?? []).map(safeFile),
    ],
    joinConfiguration: {
      nodeRegistration: {
        name: nodeNameTemplate,
        ...(own.criSocket === undefined
          ? {}
          : ({ criSocket: own.criSocket } satisfies Partial<NodeRegistration>)),
        kubeletExtraArgs: [
          ...kubeletArguments({ ...args, os: "windows", azureJson }),
          ...own.kubeletExtraArgs,
          { name: "v", value: "2" },
          // Busy pods otherwise keep kubelet from the processor until the node counts as lost.
          { name: "windows-priorityclass", value: "ABOVE_NORMAL_PRIORITY_CLASS" },
        ],
      },
      ...patch.join,
    },
    // Access first, so that one can log in and look when what comes after hangs.
    ...commands(
      "preKubeadmCommands",
      [protectAdministratorsKeys],
      own.preKubeadmCommands,
      args.preKubeadmCommands,
    ),
    ...commands(
      "postKubeadmCommands",
      [runScript("C:/restart-kubelet.ps1")],
      own.postKubeadmCommands,
      args.postKubeadmCommands,
    ),
    users: [{ name: nodeUser, groups: "Administrators", sshAuthorizedKeys: [publicKey] }],
  };
  return checked(spec, batchProblems(spec));
}
