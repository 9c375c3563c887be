import type { Addon } from "../../addons/addon";
import { manifestText } from "../../addons/pinnedManifest";
import { vxlanMtu } from "capz-windows-platform/network/mtu";
import { calicoLinuxManifest, calicoManifestRelease, calicoManifestResources } from "./calicoManifests";
import { flannelObjects } from "./flannel";
import { kubeProxyWinsObjects } from "./kubeProxyWins";

/** The network and kube-proxy of clusters on which the current ones do not run. */
export const catalogue: readonly Addon[] = [
  {
    role: "flannel",
    label: "cni",
    known: /flannel/i,
    delivers: "its network",
    instead: "flavor",
    in: ({ platform }) => platform.cni === "flannel",
    objects: (cluster) =>
      flannelObjects({
        ...cluster,
        podMtu: vxlanMtu(cluster.networkMtu),
        images: { linux: cluster.flannelImage, windows: cluster.flannelWindowsImage },
      }),
  },
  {
    role: "calico",
    label: "cni",
    known: /calico/i,
    delivers: "Calico, with the MTU of Azure's network",
    instead: "addons.calicoVersion",
    in: ({ platform }) => platform.cni === "calico-manifests",
    version: () => calicoManifestRelease,
    pinned: (version) => (version === calicoManifestRelease ? calicoLinuxManifest : undefined),
    objects: async (cluster) =>
      calicoManifestResources({
        ...cluster,
        podMtu: vxlanMtu(cluster.networkMtu),
        linuxManifest: await manifestText(calicoLinuxManifest, cluster),
      }),
  },
  {
    role: "kube-proxy-windows",
    label: "cniWindows",
    known: /kube-?proxy/i,
    delivers: "kube-proxy for Windows",
    instead: "addons.kubeProxyWindowsImage",
    in: ({ platform, kubeProxyWindows = true }) => kubeProxyWindows && platform.flavor === "dockershim",
    // Wins starts it on the host; containerd runs it in a HostProcess container.
    objects: ({ kubernetesVersion, kubeProxyWindowsImage: image }) =>
      kubeProxyWinsObjects({ kubernetesVersion, image }),
  },
];
