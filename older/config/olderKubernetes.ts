import { present } from "capz-windows-kit/present";
import { minor } from "semver";
import { calicoManifestRelease } from "../addons/calicoManifests";
import { defaultsToFrozenRegistry } from "../../bootstrap/registry";
import { endOfLife } from "capz-windows-platform/kubernetesReleases";
import { monthName } from "capz-windows-platform/machines/patchMonths";
import type { Warning } from "capz-windows-kit/problem";
import type { Settings } from "../../config/settings";
import { supportedMinors } from "capz-windows-platform/versions";

/** Month of the last patch of a minor, in words. */
const lastPatchMonth = (kubernetesMinor: number): string => {
  const month = endOfLife(kubernetesMinor);
  return month === undefined ? "the past" : monthName(month);
};

/**
 * Warnings for a Kubernetes version that Cluster API no longer supports but can still create: what is missing, which
 * components are no longer published, and how to move to a supported version.
 */
export function olderKubernetesWarnings(settings: Settings): Warning[] {
  const { kubernetesVersion, flavor, platform } = settings;
  const clusterMinor = minor(kubernetesVersion);
  if (clusterMinor >= supportedMinors.oldest) {
    return [];
  }
  const version = (message: string): Warning => ({ path: "kubernetesVersion", message });
  return present<Warning>(
    version(
      `Kubernetes 1.${clusterMinor} received its last patch release in ${lastPatchMonth(clusterMinor)}; Cluster API and CAPZ support 1.${supportedMinors.oldest} and newer. They can still create this cluster, but it is untested: do not expose it to untrusted networks`,
    ),
    // CAPI 1.11 removed the code that created the ConfigMap and Role kubelet-config-1.23 and kubelet-config (CAPI #12303).
    clusterMinor < 24 &&
      version(
        `the control plane cannot be upgraded to 1.${clusterMinor + 1}: since 1.11, Cluster API no longer creates the ConfigMap from which kubeadm join of that version reads kubelet's configuration. Create a new cluster instead: add a stack with flavor containerd and v1.${supportedMinors.oldest} or newer, deploy the workloads there, then destroy this stack (docs/older-kubernetes.md)`,
      ),
    flavor === "dockershim" && {
      path: "flavor",
      message:
        "the components of this flavor are no longer published: the Marketplace images with Docker are withdrawn, Microsoft's installer for Docker EE (DockerMsftProvider) was removed in September 2022, and image-builder dropped Docker EE and wins in December 2023. Plan to build your own image: Windows Server 2019 with Docker (now Mirantis Container Runtime), wins v0.0.4, cloudbase-init and kubelet",
    },
    flavor === "dockershim" && {
      path: "addons",
      message:
        "the images quay.io/coreos/flannel, sigwindowstools/flannel and sigwindowstools/kube-proxy (-nanoserver) are no longer built: copy them to your own registry while they are available, and set addons.flannelImage, flannelWindowsImage and kubeProxyWindowsImage",
    },
    platform.cni === "calico-manifests" &&
      version(
        `Calico ${calicoManifestRelease} is installed, the last release that was tested with this version. Its images for Windows and those of kube-proxy are no longer built: copy them to your own registry. They run in HostProcess containers, so the Windows node images need containerd 1.6 or newer`,
      ),
    clusterMinor >= 24 &&
      clusterMinor < 26 &&
      version(
        "the control plane cannot be upgraded to 1.26, which uses another cloud provider and CNI: create a new cluster instead (docs/older-kubernetes.md)",
      ),
    defaultsToFrozenRegistry(kubernetesVersion) &&
      version(
        "kubeadm of this version pulls from k8s.gcr.io by default, which has been frozen since April 2023; it is configured to use registry.k8s.io instead",
      ),
    platform.cloudProvider === "in-tree" &&
      clusterMinor >= 25 &&
      version(
        "since 1.25, volumes on Azure disks need the CSI driver, which is not installed with the in-tree cloud provider",
      ),
  );
}
