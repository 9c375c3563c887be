import { minor } from "semver";
import { calicoManifestRelease } from "../domain/addons/calico";
import { defaultsToFrozenRegistry } from "../domain/bootstrap/registry";
import type { Warning } from "../domain/problem";
import type { Settings } from "./settings";
import { supportedMinors } from "../domain/versions";

/** When the Kubernetes project made its last release of a minor (kubernetes.io, "Patch Releases"). */
const endOfLife: Readonly<Record<number, string>> = {
  22: "October 2022",
  23: "February 2023",
  24: "July 2023",
  25: "October 2023",
  26: "February 2024",
  27: "June 2024",
  28: "October 2024",
  29: "February 2025",
};

/**
 * What a cluster is told that Cluster API still builds and nobody supports: what it lacks, what of it cannot be had any
 * more, and the way out.
 */
export function olderKubernetesWarnings(settings: Settings): Warning[] {
  const { kubernetesVersion, flavor, platform } = settings;
  const own = minor(kubernetesVersion);
  if (own >= supportedMinors.oldest) {
    return [];
  }
  const version = (message: string): Warning => ({ path: "kubernetesVersion", message });
  const found: (Warning | false)[] = [
    version(
      `Kubernetes 1.${own} got its last fix in ${endOfLife[own] ?? "the past"}; Cluster API and CAPZ support 1.${supportedMinors.oldest} and newer. They still build this cluster, untested by anybody: not for anything that strangers reach`,
    ),
    // CAPI 1.11 dropped what made ConfigMap and Role kubelet-config-1.23 and kubelet-config (CAPI #12303).
    own < 24 &&
      version(
        `the control plane cannot be upgraded to 1.${own + 1}: Cluster API since 1.11 no longer makes the ConfigMap from which kubeadm join reads kubelet's configuration there. The way out is a new cluster beside this one: another stack with flavor containerd and v1.${supportedMinors.oldest} or newer, workloads deployed there, then destroy this one (docs/older-kubernetes.md)`,
      ),
    flavor === "dockershim" && {
      path: "flavor",
      message:
        "what this flavor is made of is not made any more: the Marketplace images with Docker are withdrawn, Microsoft's installer for Docker EE (DockerMsftProvider) went in September 2022, and image-builder left out Docker EE and wins in December 2023. Sooner or later you need an image of your own: Windows Server 2019 with Docker (Mirantis Container Runtime today), wins v0.0.4, cloudbase-init and kubelet",
    },
    flavor === "dockershim" && {
      path: "addons",
      message:
        "quay.io/coreos/flannel and sigwindowstools/flannel and /kube-proxy (-nanoserver) are not built any more: copy them to a registry of your own while they are there, and name them in addons.flannelImage, flannelWindowsImage and kubeProxyWindowsImage",
    },
    platform.cni === "calico-manifests" &&
      version(
        `Calico is the release of its day (${calicoManifestRelease}), whose images for Windows, as kube-proxy's, nobody builds any more: copy them to a registry of your own. They run in HostProcess containers, so the Windows images need containerd 1.6 or newer`,
      ),
    own >= 24 &&
      own < 26 &&
      version(
        "the control plane cannot be upgraded to 1.26, where cloud provider and CNI are others; the way out is a new cluster beside this one (docs/older-kubernetes.md)",
      ),
    defaultsToFrozenRegistry(kubernetesVersion) &&
      version(
        "its kubeadm would pull from k8s.gcr.io, which is frozen since April 2023; registry.k8s.io is written into its configuration instead",
      ),
    platform.cloudProvider === "in-tree" &&
      own >= 25 &&
      version(
        "volumes on Azure disks need their CSI driver from 1.25 on, and it is not delivered with the in-tree cloud provider",
      ),
  ];
  return found.filter((warning) => warning !== false);
}
