import { olderThan } from "./finders";
import { crashLoops, podWith } from "./podFinders";
import { cloudTaint, hasCloudTaint, nodesOf, systemOf } from "../cluster/scope";
import type { Detectors, Match } from "./rule";
import type { World } from "../cluster/snapshot";
import { at, list, textAt } from "capz-windows-kit/untyped";
import type { KubeObject } from "../cluster/objects";
import { present } from "capz-windows-kit/present";

/** The cloud controller manager and the cloud node managers, which initialize nodes. */

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

/** A node is initialized within a minute after the cloud provider has started on it. */
const minutes = 10;

function noneInitialized(world: World): Match[] {
  const nodes = nodesOf(world);
  const waiting = nodes.filter((node) => hasCloudTaint(node) && olderThan(node, minutes, world));
  // A single node may have its own fault.
  return present(
    nodes.length >= 2 &&
      waiting.length >= nodes.length && {
        proof: {
          where: `all ${nodes.length} nodes, spec.taints`,
          text: `${cloudTaint} on ${nodes.map(({ metadata }) => metadata.name).join(", ")}`,
        },
      },
  );
}

const cloudPods = /^cloud-(controller-manager|node-manager)/;

/** Nodes that keep the taint because there is no Pod of the cloud provider that would remove it. */
const uninitializedNodes = (world: World): Match[] => {
  const pods = world.all("Pod", "workload");
  const managers = pods.filter(({ metadata }) => cloudPods.test(metadata.name));
  return pods.length === 0 || managers.length > 0
    ? []
    : nodesOf(world)
        .filter((node) => hasCloudTaint(node) && olderThan(node, 10, world))
        .slice(0, 1)
        .map((node) => ({
          object: node,
          proof: {
            where: `Node ${node.metadata.name}, spec.taints; Pods of kube-system`,
            text: `${cloudTaint} is set, and there is no cloud-controller-manager and no cloud-node-manager`,
          },
        }));
};

export const cloudProviderRules: Detectors = {
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
  "cloud-provider-crashes": crashLoops({
    side: "workload",
    where: ({ metadata }) => cloudPods.test(metadata.name),
  }),
  "cloud-provider-missing": uninitializedNodes,
  "cloud-provider-idle": noneInitialized,
};
