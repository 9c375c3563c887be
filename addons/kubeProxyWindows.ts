import type { KubernetesObject } from "../capi/types";
import { daemonSet, hostProcess, tolerateEverything, windowsRollout } from "./windowsPods";

export interface KubeProxyWindowsArgs {
  /** Version of the cluster, with leading v. */
  readonly kubernetesVersion: string;
  /** Whole image reference. Default: {@link kubeProxyWindowsImage} of the version. */
  readonly image?: string | undefined;
}

/**
 * Its start script sets the gates WinDSR and WinOverlay. Kubernetes removes them in 1.38 at the earliest (kubernetes
 * #142125), and kube-proxy does not start with a gate that it does not know: look at the script before 1.38 is accepted.
 * The repository ghcr.io/kubernetes-sigs/sig-windows/kube-proxy is no replacement for Docker Hub: its workflow is started
 * by hand, on a runner that GitHub has removed (sig-windows-tools 401ee6f .github/workflows/sync-registries.yml), while
 * Docker Hub gets every patch daily (sync-kube-proxy-images.yaml).
 */

/**
 * Image that sig-windows-tools builds for Calico in HostProcess containers. Its tag can lag a Kubernetes patch release
 * by days (sig-windows-tools #267). A tag cannot contain the `+` of a version, which becomes `_`.
 */
export const kubeProxyWindowsImage = (kubernetesVersion: string): string =>
  `sigwindowstools/kube-proxy:${kubernetesVersion.replaceAll("+", "_")}-calico-hostprocess`;

/**
 * kube-proxy for Windows nodes. kubeadm's own DaemonSet selects Linux; this one takes over its service account and
 * its ConfigMap kube-proxy (the kubeconfig). The image's start script waits for Calico's HNS network and endpoint,
 * so it may be delivered before the CNI.
 */
export function kubeProxyWindowsObjects(args: KubeProxyWindowsArgs): KubernetesObject[] {
  const { kubernetesVersion, image = kubeProxyWindowsImage(kubernetesVersion) } = args;
  const nodeName = { fieldRef: { fieldPath: "spec.nodeName" } };
  return [
    daemonSet(
      "kube-proxy-windows",
      windowsRollout,
      {
        ...hostProcess,
        serviceAccountName: "kube-proxy",
        tolerations: tolerateEverything,
        containers: [
          {
            name: "kube-proxy",
            image,
            // The image's entry point is PowerShell. The container runtime expands the variable (hcsshim v0.14.1 jobcontainer.go).
            args: ["$env:CONTAINER_SANDBOX_MOUNT_POINT/kube-proxy/start.ps1"],
            workingDir: "$env:CONTAINER_SANDBOX_MOUNT_POINT/kube-proxy/",
            env: [
              // The image's script reads NODENAME, CAPZ's DaemonSet sets NODE_NAME: with both, either works.
              { name: "NODE_NAME", valueFrom: nodeName },
              { name: "NODENAME", valueFrom: nodeName },
              { name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
            ],
            volumeMounts: [{ name: "kube-proxy", mountPath: "/var/lib/kube-proxy" }],
          },
        ],
        volumes: [{ name: "kube-proxy", configMap: { name: "kube-proxy" } }],
      },
      { ownLabels: { "k8s-app": "kube-proxy" } },
    ),
  ];
}
