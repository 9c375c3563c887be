import type { Path } from "../advice/steps";

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
  refusedValues.find((one) => path.map(String).join(".").endsWith(one.key) && one.value.test(String(value)))
    ?.problem;
