import { at, list, textAt } from "../../../tools/untyped";
import { minutesBetween, stays } from "../../cluster/objects";
import { unscheduled } from "./unscheduled";
import { schedulerAnswers } from "./schedulerAnswers";
import { nodesOf } from "../../cluster/scope";
import type { Detectors, Match } from "./rule";
import type { World } from "../../cluster/snapshot";

/** Pods that are not scheduled although there are nodes. */

const cordonTaint = "node.kubernetes.io/unschedulable";

/** Minutes after which a cordoned node is reported; upgrades and scale-ins also cordon nodes while they drain them. */
const cordonedMinutes = 24 * 60;

/** Nodes that have been cordoned for long, and whose machines are not being deleted. */
const cordoned = (world: World): Match[] =>
  nodesOf(world).flatMap((object) => {
    const taint = list(at(object.spec, "taints")).find((each) => textAt(each, "key") === cordonTaint);
    const since = textAt(taint, "timeAdded");
    return at(object.spec, "unschedulable") === true &&
      stays(object) &&
      minutesBetween(since, world.now) >= cordonedMinutes
      ? [
          {
            object,
            proof: { where: `Node ${object.metadata.name}, spec.unschedulable`, text: "true", since },
          },
        ]
      : [];
  });

export const scheduling: Detectors = {
  ...schedulerAnswers,
  "pod-cordoned": (world) => {
    const nodes = nodesOf(world)
      .filter(({ spec }) => at(spec, "unschedulable") === true)
      .map(({ metadata }) => metadata.name);
    return nodes.length === 0
      ? []
      : unscheduled(/were unschedulable/)(world).map((match) => ({
          ...match,
          vars: { ...match.vars, nodes: nodes.join(", ") },
        }));
  },
  "node-cordoned": cordoned,
};
