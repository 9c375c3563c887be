import { at, list, textAt } from "../../../tools/untyped";
import type { KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { workloadKubectl } from "./commands";
import { podWith } from "./podFinders";
import { systemOf } from "../../cluster/scope";
import type { Rule } from "./rule";

/**
 * Add-ons in HostProcess containers that do not find the token and certificate of their service account. containerd 1.6
 * puts volumes only below the container's own folder, and 1.7 also at the path that the Pod names.
 */

const addOnNamespaces = [
  "kube-system",
  "calico-system",
  "kube-flannel",
  "calico-apiserver",
  "tigera-operator",
];

const isHostProcess = ({ spec }: KubeObject): boolean =>
  [spec, ...list(at(spec, "containers"))].some(
    (holder) => at(holder, "securityContext", "windowsOptions", "hostProcess") === true,
  );

/** Words of Windows; in a Linux container a missing file has another cause, such as automountServiceAccountToken. */
const words =
  /serviceaccount[\\/]+(?<file>ca\.crt|token|namespace)\b[^]*?(?:cannot find the (?:path|file) specified|does not exist|FileNotFound|Could not find a part of the path)/i;

const isLinux = (pod: KubeObject, world: World): boolean =>
  systemOf(world.find("Node", textAt(pod.spec, "nodeName"))) === "linux";

export const serviceAccountFiles: Rule = {
  id: "host-process-files",
  stage: "add-ons",
  symptom:
    "open ...\\serviceaccount\\token, or unable to read certificate-authority ...\\serviceaccount\\ca.crt: The system cannot find the path specified",
  cause:
    "The HostProcess container {container} of {name} does not find the file {file} of its service account: its image or manifest expects it where another release of containerd mounts it (1.6 only below $env:CONTAINER_SANDBOX_MOUNT_POINT, 1.7 also at /var/run/secrets), or the volume was not mounted yet when it started.",
  remedy: [
    `${workloadKubectl} delete pod {name} -n {podNamespace}   # when it only started too early, the new one runs`,
    `${workloadKubectl} get nodes -o custom-columns=NAME:.metadata.name,RUNTIME:.status.nodeInfo.containerRuntimeVersion   # 1.6: an image of the node with containerd 1.7 or later`,
    "npm run images -- --stack {stack}   # newer images of nodes; or a tag of the add-on that fits them:",
    "capz-windows:addons: {cloudProviderAzureTag: A-TAG-THAT-FITS}   # kubeProxyWindowsImage for kube-proxy, calicoVersion for Calico",
  ],
  source: "cloud-provider-azure #3862; containerd #8090; kubernetes #104562",
  follows: ["node-runtime"],
  find: podWith({
    side: "workload",
    where: (pod, world) =>
      (isHostProcess(pod) || addOnNamespaces.includes(pod.metadata.namespace ?? "")) && !isLinux(pod, world),
    // Once or twice is what happens while volumes are being mounted.
    container: ({ ready, restarts, waiting, ended, endMessage, message }) =>
      ready || ended === "" || restarts < 3
        ? undefined
        : `${waiting === "" ? "" : `${waiting}: `}${endMessage || message}`,
    text: words,
  }),
};
