import type { Problem } from "capz-windows-kit/problem";
import { type Path, pathText } from "./steps";

/** Keys and values of other tools that a stack file cannot have under any name, with the reason. */

/** Keys by their path or the end of it. */
export const refusedKeys: readonly (Pick<Problem, "problem" | "allowed"> & {
  path: RegExp;
  note?: string;
})[] = [
  {
    path: /passw(or)?d$/i,
    problem:
      "passwords are not supported: cloudbase-init sets a random one on each node, which is not stored anywhere and not needed",
    allowed: "access.sshPublicKey, for logging in to Windows and Linux nodes",
    note: "for RDP, set a password over SSH (docs/operations.md)",
  },
  {
    path: /^(linux|windows)Pools\.[^.]+\.(in_?place|upgrade(?!settings))/i,
    problem: "nodes are not upgraded in place: Cluster API treats machines as immutable and replaces them",
    allowed: "kubernetesVersion or image for what changes, rollout for how many nodes are replaced at a time",
  },
  {
    path: /^(management|controlPlane)\.(osType|windowsServer)$/i,
    problem:
      "these machines run Linux: the Kubernetes control plane does not run on Windows, and Cluster API's controllers have no Windows images",
    allowed: "Windows nodes in windowsPools",
  },
  {
    path: /^(linuxPools\.[^.]+|poolDefaults)\.deletion\.node(Drain|VolumeDetach)Timeout/i,
    problem:
      "Cluster API v1.14 passes no drain limit to machines of a scale set, and Linux pools are scale sets",
    allowed:
      "drain and waitForVolumeDetach; the limit in Windows pools of kind MachineDeployment and in controlPlane",
  },
  {
    path: /\.vmExtensions\[\d+\]\.protectedSettings$/i,
    problem:
      "secrets do not belong in a stack file, and anyone who reads the AzureMachinePool would see them",
    allowed: "settings without secrets",
  },
];

const refusedValues: readonly { path: RegExp; value: RegExp; problem: string }[] = [
  {
    path: /\.windowsServer$/,
    value: /^2016/,
    problem: "Windows Server 2016 cannot run nodes: Kubernetes supports Windows Server 2019 and newer",
  },
  {
    path: /\.windowsServer$/,
    value: /^(1709|1803|1809|1903|1909|2004|20H2|21H2|22H2|23H2|24H2)/i,
    problem:
      "CAPZ builds no images of the semi-annual and annual channels of Windows Server; version 1809 is Windows Server 2019",
  },
  {
    path: /^management\.kind$/,
    value: /^(kind|k3d|k3s|minikube|rke2?|eks|gke|openshift|capz?|self|local)$/i,
    problem: "the program creates a management cluster on AKS only; any cluster of yours is kind: existing",
  },
  {
    path: /^addons\.cni$/,
    value: /^(azure|kubenet|overlay)/i,
    problem:
      "CAPZ has no Azure CNI and no kubenet for Windows nodes (CAPZ issue 3650): the program installs Calico with VXLAN; none is a cluster without a network until you bring one (docs/own-cni.md)",
  },
  {
    path: /^addons\.cni$/,
    value: /^(flannel|cilium|weave|antrea|ovn|canal|wincni)/i,
    problem:
      "the program installs no CNI but Calico; none is a cluster without a network until you bring one (docs/own-cni.md)",
  },
];

/** Why a value is refused that other tools accept. */
export const reasonAgainst = (path: Path, value: unknown): string | undefined =>
  refusedValues.find((one) => one.path.test(pathText(path)) && one.value.test(String(value)))?.problem;
