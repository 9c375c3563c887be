import type { KubernetesObject } from "capz-types";
import { winsPodObjects } from "./winsPods";

export interface KubeProxyWinsArgs {
  /** Version of the cluster, with leading v. */
  readonly kubernetesVersion: string;
  /** Whole image reference. Default: {@link kubeProxyWinsImage} of the version. */
  readonly image?: string | undefined;
}

/** Image of sig-windows-tools for wins. A tag cannot contain the `+` of a version, which becomes `_`. */
const kubeProxyWinsImage = (kubernetesVersion: string): string =>
  `sigwindowstools/kube-proxy:${kubernetesVersion.replaceAll("+", "_")}-nanoserver`;

/** kube-proxy for Windows nodes of the dockershim flavor: a pod that starts it on the host through wins. */
export const kubeProxyWinsObjects = ({
  kubernetesVersion,
  image = kubeProxyWinsImage(kubernetesVersion),
}: KubeProxyWinsArgs): KubernetesObject[] =>
  winsPodObjects({
    name: "kube-proxy-windows",
    namespace: "kube-system",
    image,
    script: "kube-proxy-windows.ps1",
    serviceAccountName: "kube-proxy",
    // The script derives the node's range from the pod's own address, so the pod starts only when Flannel has set up
    // the network.
    hostNetwork: false,
    env: [
      { name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
      { name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
    ],
    configMaps: { "kube-proxy": "/var/lib/kube-proxy" },
  });
