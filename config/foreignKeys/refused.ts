import type { Path } from "../advice/steps";
import type { Absent } from "./foreignKey";

/** Keys that cannot exist under any similar name. `path` matches the whole path, with dots. */
export const refusedKeys: readonly { readonly path: RegExp; readonly answer: Absent }[] = [
  {
    path: /passw(or)?d$/i,
    answer: {
      problem:
        "passwords are not supported: cloudbase-init sets a random one on each node, which is not stored anywhere and not needed",
      allowed: "access.sshPublicKey, for logging in to Windows and Linux nodes",
      holds: "nothing",
      note: "for RDP, set a password over SSH (docs/operations.md)",
    },
  },
  {
    path: /^(linux|windows)Pools\.[^.]+\.(in_?place|upgrade(?!settings))/i,
    answer: {
      problem: "nodes are not upgraded in place: Cluster API treats machines as immutable and replaces them",
      allowed:
        "kubernetesVersion or image for what changes, rollout for how many nodes are replaced at a time",
    },
  },
  {
    path: /^(linuxPools\.[^.]+|poolDefaults)\.deletion\.node(Drain|VolumeDetach)Timeout/i,
    answer: {
      problem:
        "Cluster API v1.14 passes no drain limit to machines of a scale set, and Linux pools are scale sets",
      allowed:
        "drain and waitForVolumeDetach; the limit in Windows pools of kind MachineDeployment and in controlPlane",
    },
  },
];

/** Values of other tools that a key cannot have, with the reason. */
const refusedValues: readonly {
  readonly key: string;
  readonly value: RegExp;
  readonly problem: string;
}[] = [
  {
    key: "windowsServer",
    value: /^2016/,
    problem: "Windows Server 2016 cannot run nodes: Kubernetes supports Windows Server 2019 and newer",
  },
  {
    key: "windowsServer",
    value: /^(1709|1803|1809|1903|1909|2004|20H2|21H2|22H2|23H2|24H2)/i,
    problem:
      "CAPZ builds no images of the semi-annual and annual channels of Windows Server; version 1809 is Windows Server 2019",
  },
  {
    key: "image",
    value: /^(?:[a-z0-9-]+\.)+[a-z]+(?::\d+)?\/[^\s]+$/,
    problem: "this is an image for containers; a machine needs an image of a disk (docs/images.md)",
  },
  {
    key: "management.kind",
    value: /^(kind|k3d|k3s|minikube|rke2?|eks|gke|openshift|capz?|self|local)$/i,
    problem: "the program creates a management cluster on AKS only; any cluster of yours is kind: existing",
  },
  {
    key: "addons.cni",
    value: /^(azure|kubenet|overlay)/i,
    problem:
      "CAPZ has no Azure CNI and no kubenet for Windows nodes (CAPZ issue 3650): the program installs Calico with VXLAN; none is a cluster without a network until you bring one (docs/own-cni.md)",
  },
  {
    key: "addons.cni",
    value: /^flannel/i,
    problem:
      "the program installs Flannel with flavor: dockershim only, on Kubernetes 1.22 and 1.23; calico uses VXLAN as well, and none is a cluster without a network until you bring one (docs/own-cni.md)",
  },
  {
    key: "addons.cni",
    value: /^(cilium|weave|antrea|ovn|canal|wincni)/i,
    problem:
      "the program installs no CNI but Calico; none is a cluster without a network until you bring one (docs/own-cni.md)",
  },
];

/** Why a value is refused that other tools accept. */
export const reasonAgainst = (path: Path, value: unknown): string | undefined =>
  refusedValues.find(
    (one) =>
      (path.at(-1) === one.key ||
        path.map(String).join(".").endsWith(`.${one.key}`) ||
        path.map(String).join(".") === one.key) &&
      one.value.test(String(value)),
  )?.problem;
