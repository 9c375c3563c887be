import type { World } from "../../cluster/snapshot";
import { workloadKubectl } from "./commands";
import { byCniPod, hasOwnCni, isFlannel } from "./nodeNetwork";
import type { Match, Rule } from "./rule";
import { nodesOf } from "../../cluster/scope";

/** No node at all has a network: one finding about the CNI, in the place of one for each node. */

const nowhere = (world: World, minutes: number): Match[] => {
  const nodes = nodesOf(world);
  const without = byCniPod(false, minutes)(world);
  return nodes.length < 2 || without.length < nodes.length
    ? []
    : [
        {
          proof: {
            where: `all ${nodes.length} nodes, condition Ready=False`,
            text: without[0]?.proof.text ?? "",
            since: without[0]?.proof.since,
          },
        },
      ];
};

const calico = { cni: "Calico", operator: "tigera-operator", cniNamespace: "calico-system" };
const flannel = { cni: "Flannel", operator: "kube-flannel", cniNamespace: "kube-flannel" };

const cniOf = (world: World) => (isFlannel(world) ? flannel : calico);

const source = "https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/network-plugins/";
const follows = [
  ...["network", "add-ons", "refused-add-on", "node-clock", "os-mismatch", "image-pull"],
  ...["registries", "image-no-room", "container-layers"],
];

export const networkNowhere: readonly Rule[] = [
  {
    id: "cni-nowhere",
    stage: "nodes",
    symptom: "NetworkPluginNotReady: cni plugin not initialized, on all nodes",
    cause: "{cni} runs on no node of the cluster, so none is Ready and no Pod with a network starts.",
    remedy: [
      `${workloadKubectl} get pods -n {operator} -o wide   # what installs it: does it run?`,
      `${workloadKubectl} get pods,daemonsets -n {cniNamespace} -o wide`,
      `${workloadKubectl} get events -n {operator} --field-selector type=Warning`,
      "kubectl get clusterresourcesets,clusterresourcesetbindings -n {namespace}   # was it applied?",
    ],
    source,
    follows,
    find: (world) =>
      hasOwnCni(world) ? [] : nowhere(world, 15).map((match) => ({ ...match, vars: cniOf(world) })),
  },
  {
    id: "own-cni-nowhere",
    stage: "nodes",
    symptom: "NetworkPluginNotReady on all nodes, with `addons.cni: none`",
    cause:
      "The stack installs no CNI, and none that its users bring runs on any node: none is Ready, and no Pod with a network starts.",
    remedy: [
      `${workloadKubectl} get daemonsets -A -o wide   # is your CNI there, and for Windows nodes, too?`,
      "docs/own-cni.md   # how a CNI is delivered with the stack, and what nodes need",
      "capz-windows:addons: {cni: calico}   # when the stack shall install one",
    ],
    source,
    follows,
    find: (world) => (hasOwnCni(world) ? nowhere(world, 5) : []),
  },
];
