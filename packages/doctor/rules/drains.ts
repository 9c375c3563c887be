import { tolerates } from "capz-windows-platform/workloads/tolerations";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { conditionNamed, type KubeObject, minutesBetween, stays, title } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { deleting, deletingSays, drainsInTime } from "./deletionFinders";
import { isNotReady, olderThan } from "./finders";
import type { Detectors, Match } from "./rule";

const cordon = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** Whether a Pod goes to a node that is cordoned. */
const toleratesCordon = ({ spec }: KubeObject): boolean =>
  list(at(spec, "tolerations")).some((toleration) => tolerates(toleration, cordon));

/** Pods that have come to a node since its drain began. A drain passes over those of DaemonSets. */
const returned = (world: World): Match[] =>
  deleting(world)
    .filter(({ kind }) => kind === "Machine")
    .flatMap((object) => {
      const node = textAt(object.status, "nodeRef", "name");
      const began =
        textAt(object.status, "deletion", "nodeDrainStartTime") || (object.metadata.deletionTimestamp ?? "");
      const isDraining = conditionNamed(object, "Deleting")?.reason === "DrainingNode";
      const pod = world
        .all("Pod", "workload")
        .find(
          (each) =>
            textAt(each.spec, "nodeName") === node &&
            minutesBetween(began, each.metadata.creationTimestamp ?? "") > 0 &&
            !/^(?:DaemonSet|Node)$/.test(each.metadata.ownerReferences?.[0]?.kind ?? "") &&
            toleratesCordon(each),
        );
      return node === "" || !isDraining || pod === undefined
        ? []
        : [
            {
              object,
              proof: {
                where: `${title(pod)}, metadata.creationTimestamp and spec.tolerations`,
                text: `created at ${pod.metadata.creationTimestamp ?? ""} on ${node}, whose drain began at ${began}`,
              },
              vars: {
                node,
                pod: `${pod.metadata.namespace ?? ""}/${pod.metadata.name}`,
                owner: pod.metadata.ownerReferences?.[0]?.name.replace(/-[a-z0-9]{8,10}$/, "") ?? "OWNER",
                ownerNamespace: pod.metadata.namespace ?? "",
              },
            },
          ];
    });

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
  "drain-returns": returned,
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
  "drain-slow": deletingSays(["Machine"], /Drain not completed yet(?<why>[^]*)/, 20),
};

export const drainRules: Detectors = Object.fromEntries(
  Object.entries(rules).map(([id, find]) => [
    id,
    (world) => find(world).filter(({ object }) => object === undefined || !drainsInTime(object, world)),
  ]),
);
