import { textAt } from "../../../tools/untyped";
import { conditionNamed, type KubeObject, minutesBetween, stays } from "../../cluster/objects";
import { workloadKubectl } from "./commands";
import { hasCondition } from "./finders";
import type { Match, Rule } from "./rule";
import type { World } from "../../cluster/snapshot";

/** Nodes without a CNI: Calico, which is part of the stack, or one that the users install. */

/** Nodes on which no CNI runs after some minutes; none runs on a new node. */
const withoutNetwork = (minutes: number): ((world: World) => Match[]) =>
  hasCondition({
    kinds: ["Node"],
    side: "workload",
    type: "Ready",
    status: ["False"],
    message: /NetworkPluginNotReady|cni (?:plugin|config) (?:not initialized|uninitialized)/,
    minutes,
  });

/** Add-ons that the program delivers with any CNI. */
const otherAddon = /^(cloud-provider-azure|kube-proxy-windows|windows-workloads|(extra|once)-.+)$/;

const rolesOf = (world: World): string[] => {
  const prefix = `${world.snapshot.cluster.name}-`;
  return world
    .all("ClusterResourceSet")
    .flatMap(({ metadata: { name } }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
};

/** Whether the users install the CNI: the stack delivers add-ons, and none of them is a CNI. */
export function hasOwnCni(world: World): boolean {
  const roles = rolesOf(world);
  return (
    roles.some((role) => otherAddon.test(role)) && !roles.some((role) => ["calico", "flannel"].includes(role))
  );
}

/** Pods that write the CNI configuration of their node, one on each. */
const cniPods = /^(?:calico-node|kube-flannel)-(?:linux-|windows-|ds-)?\w+$/;

/** For longer than containerd needs to find a configuration that is written while it runs. */
const runsFor = 10;

/** The Pod of the CNI on a node, if it has been Ready for a while: then the CNI runs, and something else is wrong. */
const cniPodOn = (node: string, world: World): KubeObject | undefined =>
  world
    .all("Pod", "workload")
    .filter((pod) => cniPods.test(pod.metadata.name) && textAt(pod.spec, "nodeName") === node && stays(pod))
    .find((pod) => {
      const ready = conditionNamed(pod, "Ready");
      return ready?.status === "True" && minutesBetween(ready.since, world.now) >= runsFor;
    });

/** Nodes without a network, by whether the Pod of the CNI runs on them. */
export const byCniPod =
  (runs: boolean, minutes: number) =>
  (world: World): Match[] =>
    withoutNetwork(minutes)(world).flatMap((match) => {
      const pod = cniPodOn(match.object?.metadata.name ?? "", world);
      const own = pod && { cniPod: pod.metadata.name, cniNamespace: pod.metadata.namespace ?? "" };
      return (pod !== undefined) === runs ? [{ ...match, vars: { ...match.vars, ...own } }] : [];
    });

export const isFlannel = (world: World): boolean => rolesOf(world).includes("flannel");

const calico = { cni: "Calico", cniNamespace: "calico-system", cniState: "get tigerastatus" };
const flannel = {
  cni: "Flannel",
  cniNamespace: "kube-flannel",
  cniState: "get daemonsets -n kube-flannel",
};

const docs = "https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/network-plugins/";

const follows = [
  ...["network", "add-ons", "refused-add-on", "node-clock", "os-mismatch"],
  ...["registries", "image-no-room", "container-layers"],
];

export const nodeNetworkRules: readonly Rule[] = [
  {
    id: "node-network-config",
    stage: "nodes",
    symptom: "NetworkPluginNotReady: cni plugin not initialized, although calico-node runs on the node",
    cause:
      "{cniPod} runs on {name} and is Ready, but containerd there has no CNI configuration: it was not written, was deleted, is in another folder than containerd reads, or containerd has not noticed it.",
    remedy: [
      "npm run access -- --stack {stack} --node {name}   # log in; Windows: Get-ChildItem C:\\etc\\cni\\net.d, C:\\opt\\cni\\bin; Linux: ls /etc/cni/net.d /opt/cni/bin. Is there a .conf or .conflist?",
      `Restart-Service containerd   # when it is there; on Linux: sudo systemctl restart containerd. Which folder containerd reads: conf_dir in C:\\Program Files\\containerd\\config.toml or /etc/containerd/config.toml`,
      `${workloadKubectl} delete pod {cniPod} -n {cniNamespace}   # when it is not there: the next one writes it`,
      `${workloadKubectl} logs -n {cniNamespace} {cniPod} --all-containers --tail=50   # the container install-cni says where it writes`,
    ],
    source: `sig-windows-tools #285; ${docs}`,
    follows: [...follows, "node-runtime", "node-disk"],
    find: byCniPod(true, 15),
  },
  {
    id: "node-network",
    stage: "nodes",
    symptom: "NetworkPluginNotReady: cni plugin not initialized",
    cause: "{cni} does not run on {name}, so the node is not Ready.",
    remedy: [
      `${workloadKubectl} get pods -n {cniNamespace} -o wide --field-selector spec.nodeName={name}`,
      `${workloadKubectl} {cniState}`,
    ],
    source: docs,
    follows,
    find: (world) =>
      hasOwnCni(world)
        ? []
        : byCniPod(
            false,
            15,
          )(world).map((match) => ({
            ...match,
            vars: { ...match.vars, ...(isFlannel(world) ? flannel : calico) },
          })),
  },
  {
    id: "node-own-network",
    stage: "nodes",
    symptom: "NetworkPluginNotReady, with `addons.cni: none`",
    cause:
      "The stack installs no CNI, and the one that its users bring does not run on {name}: the node is not Ready.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get pods -A -o wide --field-selector spec.nodeName={name}   # is a Pod of your CNI there, and does it run?",
      "npm run access -- --stack {stack} --node {name}   # its binaries and configuration: /opt/cni/bin and /etc/cni/net.d; Windows: C:\\opt\\cni\\bin and C:\\etc\\cni\\net.d",
      "docs/own-cni.md   # how a CNI is delivered with the stack, and what nodes need",
    ],
    source: docs,
    follows: [...["add-ons", "refused-add-on", "node-clock", "os-mismatch"], ...["image-pull", "registries"]],
    find: (world) => (hasOwnCni(world) ? byCniPod(false, 5)(world) : []),
  },
];
