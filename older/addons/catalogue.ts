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
    privileged: {
      "kube-flannel-linux": "writes routes, and the configuration of the CNI",
      "kube-flannel-windows": "writes the network of HNS, by wins, which starts processes of Windows",
    },
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
    privileged: {
      "calico-node": "writes routes and rules of the node, and the configuration of the CNI",
      "calico-node-windows": "writes the network and the policies of HNS",
    },
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
    privileged: { "kube-proxy-windows": "writes the rules of Services into HNS, by wins" },
    instead: "addons.kubeProxyWindowsImage",
    in: ({ platform, kubeProxyWindows = true }) => kubeProxyWindows && platform.flavor === "dockershim",
    // Wins starts it on the host; containerd runs it in a HostProcess container.
    objects: ({ kubernetesVersion, kubeProxyWindowsImage: image }) =>
      kubeProxyWinsObjects({ kubernetesVersion, image }),
  },
];
