import { minor } from "semver";

/** CAPZ's word for a kind of cluster. Here it selects the container runtime of the Windows nodes and the CNI. */
export const Flavor = { containerd: "containerd", dockershim: "dockershim" } as const;
export type Flavor = (typeof Flavor)[keyof typeof Flavor];

/**
 * `calico` is installed by its operator. `calico-manifests` is for Kubernetes versions on which the operator does not
 * support Windows. `flannel` reaches the Windows host through wins. `none` is one that the users bring.
 */
export type Cni = "calico" | "calico-manifests" | "flannel" | "none";

/** `external` is cloud-provider-azure in separate pods; `in-tree` is the code that Kubernetes included until 1.30. */
export type CloudProvider = "external" | "in-tree";

/** The choices that follow from the flavor and the control plane's Kubernetes version. */
export interface Platform {
  readonly flavor: Flavor;
  readonly cni: Cni;
  readonly cloudProvider: CloudProvider;
}

/**
 * First minor with the current add-ons. Calico's operator uses HostProcess containers on Windows nodes since v3.27,
 * which was tested with Kubernetes 1.26 and newer. CAPZ's templates switched to the external cloud provider in v1.8,
 * around the same time.
 */
const firstModernMinor = 26;

/**
 * The platform of a cluster.
 * @param kubernetesVersion - version of the control plane, `v1.MINOR.PATCH`
 * @param ownCni - whether the users bring the CNI; with dockershim it is always Flannel, which wins starts on the host
 */
export function platformOf(flavor: Flavor, kubernetesVersion: string, ownCni = false): Platform {
  if (flavor === "dockershim") {
    return { flavor, cni: "flannel", cloudProvider: "in-tree" };
  }
  const modern = minor(kubernetesVersion) >= firstModernMinor;
  const installed = modern ? "calico" : "calico-manifests";
  return {
    flavor,
    cni: ownCni ? "none" : installed,
    cloudProvider: modern ? "external" : "in-tree",
  };
}

/**
 * Whether kube-controller-manager gives each node a range of the pods. Calico has its own address management. What a
 * CNI of the users needs is not known: Flannel and Antrea wait for the range, and others ignore it (Antrea
 * docs/getting-started.md). kubeadm, too, assigns ranges whenever it knows the range of the pods.
 */
export const allocatesNodeRanges = ({ cni }: Platform): boolean => cni === "flannel" || cni === "none";

/**
 * Whether the feature gate of HostProcess containers must be set. It is alpha in 1.22 and on by default from 1.23 to
 * 1.27. In 1.28 it was removed, and components do not start with an unknown gate (CAPZ v1.27.0 docs, windows.md).
 */
const needsHostProcessGate = (flavor: Flavor, kubernetesVersion: string): boolean =>
  flavor === "containerd" && minor(kubernetesVersion) === 22;

const hostProcessGate = "WindowsHostProcessContainers=true";

/**
 * Feature gates that keep Azure volumes on the in-tree code, because the CSI drivers are not deployed. By default,
 * migration to them is on for disks from 1.23 on (locked from 1.25 on) and for files from 1.24 on (kube_features.go
 * of each minor).
 */
function volumeGates(cloudProvider: CloudProvider, kubernetesVersion: string): string[] {
  const kubernetesMinor = minor(kubernetesVersion);
  return cloudProvider === "external"
    ? []
    : [
        ...(kubernetesMinor === 23 || kubernetesMinor === 24 ? ["CSIMigrationAzureDisk=false"] : []),
        ...(kubernetesMinor === 24 || kubernetesMinor === 25 ? ["CSIMigrationAzureFile=false"] : []),
      ];
}

export type GatedComponent =
  "kube-apiserver" | "kube-controller-manager" | "kubelet-linux" | "kubelet-windows";

/** Value of `--feature-gates` for a component in a Kubernetes version; empty when it needs no gates. */
export function featureGates(
  component: GatedComponent,
  { flavor, cloudProvider }: Platform,
  kubernetesVersion: string,
): string {
  const hostProcess =
    (component === "kube-apiserver" || component === "kubelet-windows") &&
    needsHostProcessGate(flavor, kubernetesVersion);
  const volumes = component === "kube-apiserver" ? [] : volumeGates(cloudProvider, kubernetesVersion);
  return [...(hostProcess ? [hostProcessGate] : []), ...volumes].join(",");
}
