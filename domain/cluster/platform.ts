import { minor } from "semver";

/** Container runtime of the Windows nodes, and with it the CNI. */
export const Flavor = { containerd: "containerd", dockershim: "dockershim" } as const;
export type Flavor = (typeof Flavor)[keyof typeof Flavor];

/**
 * Calico by its operator; Calico by manifests, for Kubernetes that the operator's Windows part never knew; Flannel,
 * whose Windows part reaches the host through wins.
 */
export type Cni = "calico" | "calico-manifests" | "flannel";

/** `external`: cloud-provider-azure in pods of its own. `in-tree`: the code that Kubernetes itself had until 1.30. */
export type CloudProvider = "external" | "in-tree";

/** What flavour and version of a control plane decide for every part of its cluster. */
export interface Platform {
  readonly flavor: Flavor;
  readonly cni: Cni;
  readonly cloudProvider: CloudProvider;
}

/**
 * First minor that gets today's add-ons. Calico's operator runs Windows nodes in HostProcess containers since v3.27,
 * which was tested from Kubernetes 1.26 on. CAPZ's own templates went over to the external cloud provider with v1.8,
 * at the same time.
 */
const firstModernMinor = 26;

/** @param kubernetesVersion of the control plane, `v1.MINOR.PATCH` */
export function platformOf(flavor: Flavor, kubernetesVersion: string): Platform {
  const modern = flavor === "containerd" && minor(kubernetesVersion) >= firstModernMinor;
  return {
    flavor,
    cni: flavor === "dockershim" ? "flannel" : modern ? "calico" : "calico-manifests",
    cloudProvider: modern ? "external" : "in-tree",
  };
}

/**
 * Whether HostProcess containers must be switched on: an alpha feature of 1.22, on by itself from 1.23 to 1.27, and an
 * unknown name from 1.28 on, with which no component starts (CAPZ v1.26.0 docs, windows.md).
 */
const needsHostProcessGate = (flavor: Flavor, kubernetesVersion: string): boolean =>
  flavor === "containerd" && minor(kubernetesVersion) === 22;

const hostProcessGate = "WindowsHostProcessContainers=true";

/**
 * Gates that leave Azure volumes to the in-tree code: migration to the CSI drivers, which are not delivered, is on by
 * default for disks from 1.23 on (locked from 1.25 on) and for files from 1.24 on (kube_features.go of each minor).
 */
function volumeGates(cloudProvider: CloudProvider, kubernetesVersion: string): string[] {
  const own = minor(kubernetesVersion);
  return cloudProvider === "external"
    ? []
    : [
        ...(own === 23 || own === 24 ? ["CSIMigrationAzureDisk=false"] : []),
        ...(own === 24 || own === 25 ? ["CSIMigrationAzureFile=false"] : []),
      ];
}

export type GatedComponent =
  "kube-apiserver" | "kube-controller-manager" | "kubelet-linux" | "kubelet-windows";

/** Value of `--feature-gates` of a component of a given version; empty when it needs none. */
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
