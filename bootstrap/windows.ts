import type { Arg, BootstrapFile, KubeadmConfigSpec, NodeRegistration } from "capz-types";
import { nodeUser } from "capz-windows-platform/cluster/wayIn";
import type { Platform } from "capz-windows-platform/cluster/platform";
import { kubeletLabels } from "capz-windows-platform/machines/nodeLabels";
import { azureAdapterMtu, vxlanMtu } from "capz-windows-platform/network/mtu";
import { batchProblems } from "./batch";
import type { ExtraBootstrap } from "./files";
import { azureJsonFile, validateSpec, commandField, safeFile } from "./files";
import { nodeNameTemplate } from "./jinja";
import { kubeletArguments, taintField } from "./kubelet";
import {
  kubeletFields,
  kubeletPatch,
  servingFields,
  type KubeletPatch,
  type NodeSettings,
} from "./kubeletConfig";
import { windowsDisks, type NodeDisk } from "./dataDisks";
import { windowsEgress } from "./egress";
import type { NodePlatform } from "./linux";
import { registryCredentials } from "./registryCredentials";
import { authorizedKey } from "./sshKeys";
import { runScript, scriptFile } from "./windowsScript";

export interface WindowsBootstrapArgs extends ExtraBootstrap, NodePlatform, NodeSettings {
  /** Secret that contains azure.json: `<AzureMachinePool>-azure-json`. */
  readonly azureJsonSecret: string;
  /** Data disks by their LUN, and how the node uses them. Default: none. */
  readonly dataDisks?: readonly NodeDisk[] | undefined;
  /** OpenSSH public key, one line. Azure ignores the scale set's key on Windows, so the bootstrap data contains it. */
  readonly sshPublicKey: string;
}

/**
 * The taint by which the cloud node manager knows a node that it has not given its provider id yet; it compares
 * only the key, and removes every taint with that key (cloud-provider-azure pkg/nodemanager/nodemanager.go).
 *
 * Its effect is NoExecute although kubelet's own taint has NoSchedule. With `--cloud-provider=external` kubelet adds
 * its own without checking for one (Kubernetes v1.35.6 pkg/kubelet/kubelet_node_status.go, initialNode), and
 * the API server refuses a node with two taints of the same key and effect: the node would never register.
 */
export const uninitializedTaint = {
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
  effect: "NoExecute",
} as const;

const patchesDirectory = "C:/k/patches";

const administratorsKeys = "C:/ProgramData/ssh/administrators_authorized_keys";

/**
 * sshd requires that only SYSTEM (S-1-5-18) and the Administrators (S-1-5-32-544) have access to the file. The command
 * uses their SIDs, because their names differ on localized Windows.
 */
const protectAdministratorsKeys = `icacls ${administratorsKeys.replaceAll("/", "\\")} /inheritance:r /grant *S-1-5-18:F /grant *S-1-5-32-544:F`;

const azureJson = "c:/k/azure.json";

/** What a flavor adds to the bootstrap data of every Windows node. */
interface Additions {
  readonly files: readonly BootstrapFile[];
  readonly criSocket?: string;
  readonly kubeletExtraArgs: readonly Arg[];
  readonly preKubeadmCommands: readonly string[];
  readonly postKubeadmCommands: readonly string[];
}

const containerd = ({ cni }: Platform): Additions => ({
  files: cni === "none" ? [] : [scriptFile("defender-exclude-calico.ps1")],
  criSocket: "npipe:////./pipe/containerd-containerd",
  kubeletExtraArgs: [],
  preKubeadmCommands: [],
  postKubeadmCommands: cni === "none" ? [] : [runScript("C:/defender-exclude-calico.ps1")],
});

/** Pause image for Windows that CAPZ v1.3.2 used with Docker; kubeadm's default is for Linux. */
const pauseImage = "mcr.microsoft.com/oss/kubernetes/pause:1.4.1";

/** There is no criSocket, because kubeadm detects Docker's. `mtu` is the MTU of the VNET in bytes. */
const dockershim = (mtu: number): Additions => ({
  files: ["create-external-network.ps1", "schedule-mtu.ps1", "windows-mtu.ps1"].map(scriptFile),
  kubeletExtraArgs: [{ name: "pod-infra-container-image", value: pauseImage }],
  preKubeadmCommands: [
    `${runScript("C:/schedule-mtu.ps1")} -HostMtu ${mtu} -PodMtu ${vxlanMtu(mtu)}`,
    runScript("C:/create-external-network.ps1"),
  ],
  postKubeadmCommands: [],
});

/** What lets adapters take packets that are larger than Azure's default. `mtu` is the MTU of the VNET in bytes. */
const jumboPackets = (mtu: number): Pick<Additions, "files" | "preKubeadmCommands"> =>
  mtu <= azureAdapterMtu
    ? { files: [], preKubeadmCommands: [] }
    : {
        files: [scriptFile("set-jumbo-packet.ps1")],
        preKubeadmCommands: [`${runScript("C:/set-jumbo-packet.ps1")} -Mtu ${mtu}`],
      };

/**
 * The patch that kubeadm merges into kubelet's config. Images whose kubelet is a native service (image-builder v0.1.53
 * and newer) start it once without any of kubeadm's flags, so it would register without `--cloud-provider=external` and
 * its taint, and the cloud node manager would never look at the node; nor would it have a pool's own taints. The in-tree
 * cloud provider initializes a node when it registers, so the node needs no taint.
 */
function patchOf({
  platform,
  kubernetesVersion,
  taints = [],
  kubelet,
  servingCertificate,
}: WindowsBootstrapArgs): KubeletPatch {
  return platform.cloudProvider !== "external"
    ? { files: [], join: {} }
    : kubeletPatch(patchesDirectory, {
        registerWithTaints: [uninitializedTaint, ...(taintField(taints).taints ?? [])],
        ...servingFields(servingCertificate),
        ...kubeletFields(kubelet, "windows", kubernetesVersion),
      });
}

/**
 * Bootstrap data of a Windows node. cloudbase-init writes the files, creates the users, and runs all commands as one
 * batch file in cmd.exe, which continues after a failed command.
 *
 * The kubelet arguments do not include `register-with-taints`: it would replace the taint that the bootstrap provider
 * passes to kubelet, and it would conflict with the taint that kubelet adds (see uninitializedTaint).
 *
 * @throws ConfigError if extra files or commands are not valid in Cluster API or cmd.exe
 */
export function windowsKubeadmConfigSpec(args: WindowsBootstrapArgs): KubeadmConfigSpec {
  const keys = [args.sshPublicKey, ...(args.additionalSshPublicKeys ?? [])].map(authorizedKey);
  const additions = args.platform.flavor === "dockershim" ? dockershim(args.mtu) : containerd(args.platform);
  const jumbo = jumboPackets(args.mtu);
  const patch = patchOf(args);
  const nodeLabels = kubeletLabels(args.labels);
  const egress = windowsEgress(args.egress);
  const disks = windowsDisks(args.dataDisks);
  const registries = registryCredentials("windows", args.registryHosts);
  const spec: KubeadmConfigSpec = {
    files: [
      azureJsonFile(azureJson, args.azureJsonSecret, "worker-node-azure.json"),
      ...additions.files,
      ...jumbo.files,
      ...patch.files,
      ...egress.files,
      ...disks.files,
      ...registries.files,
      scriptFile("restart-kubelet.ps1"),
      ...(nodeLabels === "" ? [] : [scriptFile("label-node.ps1")]),
      // With its default configuration (Windows Server 2025), sshd reads the keys of administrators only from here.
      { path: administratorsKeys, permissions: "0640", content: keys.map((key) => `${key}\n`).join("") },
      ...(args.extraFiles ?? []).map(safeFile),
    ],
    joinConfiguration: {
      nodeRegistration: {
        name: nodeNameTemplate,
        ...(additions.criSocket === undefined
          ? {}
          : ({ criSocket: additions.criSocket } satisfies Partial<NodeRegistration>)),
        kubeletExtraArgs: [
          ...kubeletArguments({ ...args, os: "windows", azureJson }),
          ...additions.kubeletExtraArgs,
          ...registries.kubeletExtraArgs,
          { name: "v", value: "2" },
          // Without it, busy pods can starve kubelet of CPU time until the node becomes NotReady.
          { name: "windows-priorityclass", value: "ABOVE_NORMAL_PRIORITY_CLASS" },
        ],
        ...taintField(args.taints),
      },
      ...patch.join,
    },
    // SSH access comes first, so that users can log in to investigate if a later command hangs.
    ...commandField(
      "preKubeadmCommands",
      [protectAdministratorsKeys],
      jumbo.preKubeadmCommands,
      disks.preKubeadmCommands,
      egress.preKubeadmCommands,
      additions.preKubeadmCommands,
      args.preKubeadmCommands,
    ),
    ...commandField(
      "postKubeadmCommands",
      [runScript("C:/restart-kubelet.ps1")],
      egress.postKubeadmCommands,
      nodeLabels === "" ? [] : [`${runScript("C:/label-node.ps1")} -Labels ${nodeLabels}`],
      additions.postKubeadmCommands,
      args.postKubeadmCommands,
    ),
    users: [{ name: nodeUser, groups: "Administrators", sshAuthorizedKeys: keys }],
  };
  return validateSpec(spec, batchProblems(spec));
}
