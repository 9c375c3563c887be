import type { World } from "../../cluster/snapshot";
import { olderThan } from "./finders";
import type { Detectors, Match } from "./rule";
import { cloudTaint, hasCloudTaint, nodesOf } from "../../cluster/scope";

/** The cloud provider runs and initializes no node at all: then the nodes are not at fault. */

/** A node is initialized within a minute after the cloud provider has started on it. */
const minutes = 10;

function noneInitialized(world: World): Match[] {
  const nodes = nodesOf(world);
  const waiting = nodes.filter((node) => hasCloudTaint(node) && olderThan(node, minutes, world));
  // One node alone may have a fault of its own.
  return nodes.length < 2 || waiting.length < nodes.length
    ? []
    : [
        {
          proof: {
            where: `all ${nodes.length} nodes, spec.taints`,
            text: `${cloudTaint} on ${nodes.map(({ metadata }) => metadata.name).join(", ")}`,
          },
        },
      ];
}

export const cloudProviderIdle: Detectors = {
  "cloud-provider-idle": noneInitialized,
};
