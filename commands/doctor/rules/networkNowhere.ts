import type { World } from "../../cluster/snapshot";
import { byCniPod, hasOwnCni, isFlannel } from "./nodeNetwork";
import type { Detectors, Match } from "./rule";
import { nodesOf } from "../../cluster/scope";

/** No node at all has a network: one finding about the CNI instead of one for each node. */

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

export const networkNowhere: Detectors = {
  "cni-nowhere": (world) =>
    hasOwnCni(world) ? [] : nowhere(world, 15).map((match) => ({ ...match, vars: cniOf(world) })),
  "own-cni-nowhere": (world) => (hasOwnCni(world) ? nowhere(world, 5) : []),
};
