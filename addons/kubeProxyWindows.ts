import { minor } from "semver";
import { scriptContent } from "../bootstrap/files";
import { contentHash } from "../capi/contentHash";
import type { KubernetesObject } from "capz-types";
import type { Platform } from "capz-windows-platform/cluster/platform";
import { daemonSet, windowsRollout } from "./windowsPods";
import { hostProcess, tolerateEverything } from "capz-windows-platform/workloads/hostProcess";

export interface KubeProxyWindowsArgs {
  /** Version of the cluster, with leading v. */
  readonly kubernetesVersion: string;
  /** Default: with Calico. */
  readonly platform?: Platform | undefined;
  /** Whole image reference. Default: {@link kubeProxyWindowsImage} of the version. */
  readonly image?: string | undefined;
}

/**
 * The repository ghcr.io/kubernetes-sigs/sig-windows/kube-proxy is no replacement for Docker Hub: its workflow is started
 * by hand, on a runner that GitHub has removed (sig-windows-tools 401ee6f .github/workflows/sync-registries.yml), while
 * Docker Hub gets every patch daily (sync-kube-proxy-images.yaml).
 */

/**
 * First minor without the feature gates WinDSR and WinOverlay, which the image's start.ps1 sets (sig-windows-tools 401ee6f
 * hostprocess/calico/kube-proxy/start.ps1): kube-proxy would not start with them (kubernetes #142125; gone in v1.38.0-beta.0
 * pkg/features/kube_features.go). Clusters before it keep the image's script, so that nothing changes for them.
 */
const firstMinorWithoutGates = 38;

/**
 * Image that sig-windows-tools builds for Calico in HostProcess containers. Its tag can lag a Kubernetes patch release
 * by days (sig-windows-tools #267). A tag cannot contain the `+` of a version, which becomes `_`.
 */
export const kubeProxyWindowsImage = (kubernetesVersion: string): string =>
  `sigwindowstools/kube-proxy:${kubernetesVersion.replaceAll("+", "_")}-calico-hostprocess`;

const name = "kube-proxy-windows";
const namespace = "kube-system";
const scriptName = "kube-proxy-hostprocess.ps1";
// The container runtime expands the variable (hcsshim v0.14.1 jobcontainer.go).
const root = "$env:CONTAINER_SANDBOX_MOUNT_POINT";
const nodeName = { fieldRef: { fieldPath: "spec.nodeName" } };

const kubeadms = {
  mount: { name: "kube-proxy", mountPath: "/var/lib/kube-proxy" },
  volume: { name: "kube-proxy", configMap: { name: "kube-proxy" } },
};

const kubeProxyDaemonSet = (
  container: object,
  volumes: readonly object[],
  annotations?: Readonly<Record<string, string>>,
): KubernetesObject =>
  daemonSet(
    name,
    windowsRollout,
    {
      ...hostProcess,
      serviceAccountName: "kube-proxy",
      tolerations: tolerateEverything,
      containers: [{ name: "kube-proxy", ...container }],
      volumes,
    },
    { ownLabels: { "k8s-app": "kube-proxy" }, annotations },
  );

/** By the script of the image. */
const withImageScript = (image: string): KubernetesObject[] => [
  kubeProxyDaemonSet(
    {
      image,
      // The image's entry point is PowerShell.
      args: [`${root}/kube-proxy/start.ps1`],
      workingDir: `${root}/kube-proxy/`,
      env: [
        // The image's script reads NODENAME, CAPZ's DaemonSet sets NODE_NAME: with both, either works.
        { name: "NODE_NAME", valueFrom: nodeName },
        { name: "NODENAME", valueFrom: nodeName },
        { name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
      ],
      volumeMounts: [kubeadms.mount],
    },
    [kubeadms.volume],
  ),
];

/** By a script of this program, with kube-proxy and hns.psm1 of the image. */
function withOwnScript(image: string): KubernetesObject[] {
  const script = scriptContent(scriptName);
  return [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { [scriptName]: script } },
    kubeProxyDaemonSet(
      {
        image,
        command: ["powershell.exe"],
        args: [`${root}/scripts/${scriptName}`],
        env: [{ name: "NODE_NAME", valueFrom: nodeName }],
        volumeMounts: [
          kubeadms.mount,
          { name: "scripts", mountPath: "/scripts" },
          { name: "work", mountPath: "/var/lib/kube-proxy-windows" },
        ],
      },
      [kubeadms.volume, { name: "scripts", configMap: { name } }, { name: "work", emptyDir: {} }],
      // Pods do not restart when a ConfigMap changes; with its hash in the template they do.
      { "capz-windows/script": contentHash(script) },
    ),
  ];
}

/**
 * kube-proxy for Windows nodes. kubeadm's own DaemonSet selects Linux; this one takes over its service account and
 * its ConfigMap kube-proxy (the kubeconfig). The start script waits for Calico's HNS network and endpoint, so it may be
 * delivered before the CNI.
 */
export function kubeProxyWindowsObjects(args: KubeProxyWindowsArgs): KubernetesObject[] {
  const { kubernetesVersion, platform, image } = args;
  const reference = image ?? kubeProxyWindowsImage(kubernetesVersion);
  // An image for a CNI of one's own waits for the network of that CNI.
  const isForOtherNetwork = image !== undefined && platform?.cni === "none";
  return minor(kubernetesVersion) < firstMinorWithoutGates || isForOtherNetwork
    ? withImageScript(reference)
    : withOwnScript(reference);
}
