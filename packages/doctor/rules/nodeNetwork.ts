import type { World } from "../cluster/snapshot";
import { nodesOf } from "../cluster/scope";
import { withVars } from "./answers";
import { hasCondition } from "./finders";
import type { Detectors, Match } from "./rule";

/** Nodes without a CNI: Calico or Flannel, which are parts of the stack, or one that the users install. */

/** Nodes on which no CNI has run for some minutes; none runs on a new node. */
const withoutNetwork = hasCondition({
  kinds: ["Node"],
  side: "workload",
  type: "Ready",
  status: ["False"],
  message: /NetworkPluginNotReady|cni (?:plugin|config) (?:not initialized|uninitialized)/,
  minutes: 15,
});

/** The CNI that the stack delivers, by the names of its add-ons. */
function cniOf(world: World): string {
  const has = (name: string): boolean =>
    world
      .all("ClusterResourceSet")
      .some(({ metadata }) => metadata.name === `${world.snapshot.cluster.name}-${name}`);
  if (has("flannel")) {
    return "Flannel";
  }
  return has("calico") ? "Calico" : "the CNI";
}

const withCni = (find: (world: World) => Match[]) => withVars(find, (_, world) => ({ cni: cniOf(world) }));

/** No node at all has a network: one finding about the CNI instead of one for each node. */
function nowhere(world: World): Match[] {
  const nodes = nodesOf(world);
  const [first, ...others] = withoutNetwork(world);
  return first === undefined || nodes.length < 2 || others.length + 1 < nodes.length
    ? []
    : [{ proof: { ...first.proof, where: `all ${nodes.length} nodes, condition Ready=False` } }];
}

export const nodeNetworkRules: Detectors = {
  "cni-nowhere": withCni(nowhere),
  "node-network": withCni(withoutNetwork),
};
