import { withMinutes } from "./answers";
import { hasCondition, olderThan, eventProof, keptMinutes } from "./finders";
import { nodeProviderRules } from "./nodeProvider";
import { nodeNetworkRules } from "./nodeNetwork";
import { lostNodeRules, lostTogether } from "./lostNodes";
import { failTogether } from "./nodePods";
import { versionRules } from "./versions";
import type { Detectors, Match } from "./rule";
import type { World } from "../cluster/snapshot";
import { textAt } from "capz-windows-kit/untyped";
import { conditionNamed, minutesBetween, stays } from "../cluster/objects";
import { nodesOf, taintsOf } from "../cluster/scope";

/** Nodes that have joined. */

/** Nodes that kubelet has found restarted several times; once is what an operator or Azure's maintenance does. */
const rebootsOften = (world: World): Match[] =>
  nodesOf(world).flatMap((object) => {
    const reboots = world
      .eventsOf(object, "workload")
      .filter(({ reason, last }) => reason === "Rebooted" && minutesBetween(last, world.now) <= keptMinutes)
      .sort((a, b) => b.last.localeCompare(a.last));
    const times = reboots.reduce((sum, { count }) => sum + count, 0);
    const [last] = reboots;
    return last === undefined || times < 2
      ? []
      : [{ object, proof: eventProof(object, last), vars: { times: String(times) } }];
  });

/** Nodes whose machine is off, according to the cloud provider. */
const shutDown = (world: World): Match[] =>
  nodesOf(world)
    .filter(
      (node) =>
        conditionNamed(node, "Ready")?.status !== "True" &&
        taintsOf(node).includes("node.cloudprovider.kubernetes.io/shutdown"),
    )
    .map((object) => ({
      object,
      proof: { where: `Node ${object.metadata.name}, spec.taints`, text: taintsOf(object).join(", ") },
    }));

/**
 * Nodes that do not answer, unless all of several pools do not: then it is not their machine. Nor those of machines that
 * are being deleted, such as spot machines that Azure has taken back: their deletion has its own rules.
 */
const stopped = (world: World): Match[] => {
  const leaving = world.all("Machine").filter((machine) => !stays(machine));
  const known = new Set([
    ...lostTogether(world).map(({ metadata }) => metadata.name),
    ...leaving.map(({ status }) => textAt(status, "nodeRef", "name")),
  ]);
  return hasCondition({
    kinds: ["Node"],
    side: "workload",
    type: "Ready",
    status: ["Unknown"],
    message: /stopped posting/,
    minutes: 2,
    where: ({ metadata }) => !known.has(metadata.name),
  })(world);
};

/** Nodes that have not been Ready for a long time, for a reason that no other rule matches. */
const notReady = hasCondition({
  kinds: ["Node"],
  side: "workload",
  type: "Ready",
  status: ["False", "Unknown"],
  minutes: 15,
  where: (node, world) => olderThan(node, 20, world),
});

export const nodes: Detectors = {
  ...lostNodeRules,
  "node-shut-down": shutDown,
  "node-stopped": stopped,
  "node-reboots": rebootsOften,
  ...nodeNetworkRules,
  ...nodeProviderRules,
  ...versionRules,
  "node-pods": failTogether,
  "node-not-ready": withMinutes(notReady),
};
