import { grouped } from "capz-windows-kit/grouped";
import { strings, at, textAt } from "capz-windows-kit/untyped";
import { conditionNamed, minutesBetween, type Condition, type KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { conditionProof } from "./finders";
import type { Detectors, Match } from "./rule";
import { isControlPlaneNode, nodesOf, scopeOf, taintsOf } from "../cluster/scope";
import { present } from "capz-windows-kit/present";

/** Nodes that do not answer, and why it is not their own machine: it is gone, or all of them are cut off. */

const machineAnnotation = "cluster.x-k8s.io/machine";

/** The cloud provider deletes the node of a machine that is gone after a minute or two. */
const leftMinutes = 30;

const notReady = (node: KubeObject): Condition | undefined => {
  const ready = conditionNamed(node, "Ready");
  return ready === undefined || ready.status === "True" ? undefined : ready;
};

/** Whether anything of Cluster API stands for the machine with a provider ID. */
const isKnown = (id: string, world: World): boolean =>
  world
    .index("provider IDs", () => {
      const single = ["Machine", "AzureMachine", "AzureMachinePoolMachine"].flatMap((kind) =>
        world.all(kind).map(({ spec }) => textAt(spec, "providerID")),
      );
      const pools = ["MachinePool", "AzureMachinePool"].flatMap((kind) =>
        world.all(kind).flatMap(({ spec }) => strings(at(spec, "providerIDList"))),
      );
      return new Set([...single, ...pools].map((each) => each.toLowerCase()));
    })
    .has(id.toLowerCase());

/** Whether the Machine of a node was deleted, and only the Node is left. */
const isLeft = (node: KubeObject, world: World): boolean =>
  world.once(node, "left", () => hasLostMachine(node, world));

const hasLostMachine = (node: KubeObject, world: World): boolean => {
  const machine = node.metadata.annotations?.[machineAnnotation];
  const ready = notReady(node);
  // Without any Machine, they were not read, or the cluster is not managed from here.
  return (
    machine !== undefined &&
    ready !== undefined &&
    minutesBetween(ready.since, world.now) >= leftMinutes &&
    world.all("Machine").length > 0 &&
    world.find("Machine", machine) === undefined &&
    !isKnown(textAt(node.spec, "providerID"), world)
  );
};

const leftNodes = (world: World): Match[] =>
  nodesOf(world)
    .filter((node) => isLeft(node, world))
    .map((object) => {
      const ready = notReady(object);
      return {
        object,
        proof:
          ready === undefined
            ? { where: `Node ${object.metadata.name}`, text: "not Ready" }
            : conditionProof(object, ready),
        vars: {
          former: object.metadata.annotations?.[machineAnnotation] ?? "",
          since: ready?.since ?? "",
        },
      };
    });

/** Nodes lose their leases within the same 40 seconds; each is looked at every five seconds. */
const togetherMinutes = 2;

/** Passing losses, such as a restart of the only API server, are over by then. */
const lostMinutes = 2;

/** The condition of a worker that has stopped to answer, unless its machine is off or gone. */
const lostCondition = (node: KubeObject, world: World): Condition | undefined => {
  const ready = notReady(node);
  return ready?.status === "Unknown" &&
    ready.message.includes("stopped posting") &&
    minutesBetween(ready.since, world.now) >= lostMinutes &&
    !taintsOf(node).includes("node.cloudprovider.kubernetes.io/shutdown") &&
    !isLeft(node, world)
    ? ready
    : undefined;
};

/** The workers of all pools that have lost every node, if these are several pools at the same time and a control plane answers. */
export function lostTogether(world: World): readonly KubeObject[] {
  const nodes = nodesOf(world);
  if (!nodes.some((node) => isControlPlaneNode(node) && notReady(node) === undefined)) {
    return [];
  }
  const workers = nodes.filter((node) => !isControlPlaneNode(node) && !isLeft(node, world));
  const pools = [...grouped(workers, (node) => scopeOf(node, world))]
    .filter(([pool]) => pool !== "cluster")
    .map(([, all]) => all)
    .filter((all) => all.every((node) => lostCondition(node, world) !== undefined));
  const lost = pools.flat();
  const times = lost.map((node) => lostCondition(node, world)?.since ?? "").sort();
  const isSameTime = minutesBetween(times[0] ?? "", times.at(-1) ?? "") <= togetherMinutes;
  return pools.length >= 2 && isSameTime ? lost : [];
}

const together = (world: World): Match[] => {
  const nodes = lostTogether(world);
  const pools = [...new Set(nodes.map((node) => scopeOf(node, world).replace(/^pool /, "")))];
  const endpoint = textAt(world.cluster?.spec, "controlPlaneEndpoint", "host");
  return nodes.flatMap((node) => {
    const ready = notReady(node);
    return present(
      ready !== undefined && {
        // Without an object, because the cause concerns the cluster, not one pool.
        // With the name of the node in the text, because equal texts would be reported once.
        proof: {
          ...conditionProof(node, ready),
          text: `${node.metadata.name} since ${ready.since}: ${ready.message}`,
        },
        vars: {
          count: String(nodes.length),
          pools: pools.join(" and "),
          ...(endpoint === "" ? {} : { endpoint }),
          since: notReady(nodes[0] ?? node)?.since ?? ready.since,
        },
      },
    );
  });
};

export const lostNodeRules: Detectors = {
  "nodes-lost-together": together,
  "node-left": leftNodes,
};
