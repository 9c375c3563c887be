import { textAt } from "capz-windows-kit/untyped";
import { conditionNamed, type KubeObject, stays } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { deletingSays, drainsInTime } from "./deletionFinders";
import { isNotReady, olderThan } from "./finders";
import type { Detectors, Match } from "./rule";

/** "Pod NAMESPACE/NAME: cannot evict pod as it would violate the pod's disruption budget. The disruption budget NAME needs ..." */
const overBudget = deletingSays(
  ["Machine"],
  /(?:Pods? (?<budgetNamespace>[\w.-]+)\/[^\n]*?)?(?<why>[Cc]annot evict pod[^\n]*?disruption budget(?:[^\n]*?disruption budget (?<budget>[\w.-]+) (?:needs|does)[^.;\n]*|[^.;\n]*))/,
  5,
);

const nodeOf = ({ object }: Match, world: World): KubeObject | undefined =>
  world.find("Node", textAt(object?.status, "nodeRef", "name"));

const isLost = (match: Match, world: World): boolean => {
  const node = nodeOf(match, world);
  return node !== undefined && conditionNamed(node, "Ready")?.status === "Unknown";
};

/** Minutes that a Pod of Windows may take to be ready on another node, most of them for its image. */
const startMinutes = 25;

const ownerKey = ({ metadata }: KubeObject): string =>
  `${metadata.namespace ?? ""}/${metadata.ownerReferences?.[0]?.name ?? metadata.name}`;

/** Whether a Pod that was evicted is starting elsewhere: when it is ready, the budget allows the next one. */
const isMoving = ({ proof }: Match, world: World): boolean => {
  const pods = world.all("Pod", "workload");
  const owners = pods
    .filter(({ metadata }) => proof.text.includes(`${metadata.namespace ?? ""}/${metadata.name}`))
    .map(ownerKey);
  return pods.some(
    (pod) =>
      owners.includes(ownerKey(pod)) && stays(pod) && isNotReady(pod) && !olderThan(pod, startMinutes, world),
  );
};

const rules: Detectors = {
  "drain-node-lost": (world) =>
    overBudget(world)
      .filter((match) => isLost(match, world))
      .map((match) => ({
        ...match,
        vars: { ...match.vars, node: nodeOf(match, world)?.metadata.name ?? "" },
      })),
  drain: (world) => overBudget(world).filter((match) => !isLost(match, world) && !isMoving(match, world)),
  "drain-refused": deletingSays(
    ["Machine"],
    // Left out: evictions that timed out, which Cluster API repeats, and Pods of namespaces that are being deleted.
    /(?:failed to evict Pod, (?!eviction timeout|Cannot evict pod from terminating namespace)|(?=admission webhook "[^"]+" denied the request)|(?=failed calling webhook)|(?=This pod has more than one PodDisruptionBudget))(?<why>[^\n]+?)\.?(?:\n|$)/,
    5,
  ),
  "drain-slow": deletingSays(["Machine"], /(?<why>Drain not completed yet[^]*)/, 20),
};

export const drainRules: Detectors = Object.fromEntries(
  Object.entries(rules).map(([id, find]) => [
    id,
    (world) => find(world).filter(({ object }) => object === undefined || !drainsInTime(object, world)),
  ]),
);
