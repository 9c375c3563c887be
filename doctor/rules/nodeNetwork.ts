import { hasCondition } from "./finders";
import type { Match, Rule } from "./rule";
import type { World } from "../model/snapshot";

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

/** Whether the users install the CNI: the stack delivers add-ons, and none of them is a CNI. */
function hasOwnCni(world: World): boolean {
  const prefix = `${world.snapshot.cluster.name}-`;
  const roles = world
    .all("ClusterResourceSet")
    .flatMap(({ metadata: { name } }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  return (
    roles.some((role) => otherAddon.test(role)) && !roles.some((role) => ["calico", "flannel"].includes(role))
  );
}

export const nodeNetworkRules: readonly Rule[] = [
  {
    id: "node-network",
    stage: "nodes",
    symptom: "NetworkPluginNotReady: cni plugin not initialized",
    cause: "Calico does not run on {name}, so the node is not Ready.",
    proof: "Node, condition Ready",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get pods -n calico-system -o wide --field-selector spec.nodeName={name}",
      "kubectl --kubeconfig workload.kubeconfig get tigerastatus",
    ],
    source: "https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/network-plugins/",
    follows: [
      ...["network", "add-ons", "refused-add-on", "node-clock", "os-mismatch"],
      ...["image-registry", "registries", "image-no-room", "container-layers", "layer-access"],
    ],
    find: (world) => (hasOwnCni(world) ? [] : withoutNetwork(15)(world)),
  },
  {
    id: "node-own-network",
    stage: "nodes",
    symptom: "NetworkPluginNotReady, with `addons.cni: none`",
    cause:
      "The stack installs no CNI, and the one that its users bring does not run on {name}: the node is not Ready.",
    proof: "Node, condition Ready",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get pods -A -o wide --field-selector spec.nodeName={name}   # is a Pod of your CNI there, and does it run?",
      "npm run access -- --stack {stack} --node {name}   # its binaries and configuration: /opt/cni/bin and /etc/cni/net.d; Windows: C:\\opt\\cni\\bin and C:\\etc\\cni\\net.d",
      "docs/own-cni.md   # how a CNI is delivered with the stack, and what nodes need",
    ],
    source: "https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/network-plugins/",
    follows: [
      ...["add-ons", "refused-add-on", "node-clock", "os-mismatch"],
      ...["image-pull", "image-registry", "registries"],
    ],
    find: (world) => (hasOwnCni(world) ? withoutNetwork(5)(world) : []),
  },
];
