import { at, list, textAt } from "../../../tools/untyped";
import type { KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { podWith } from "./podFinders";
import { systemOf } from "../../cluster/scope";
import type { Detectors } from "./rule";

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

export const serviceAccountFiles: Detectors = {
  "host-process-files": podWith({
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
