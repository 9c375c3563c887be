import { addonNamespaces } from "capz-windows-platform/cluster/addonNamespaces";
import { grouped } from "capz-windows-kit/grouped";
import { someNames } from "capz-windows-kit/someNames";
import { textAt } from "capz-windows-kit/untyped";
import {
  conditionNamed,
  containersOf,
  isTrue,
  type KubeObject,
  minutesBetween,
  ownerOf,
  stays,
} from "../cluster/objects";
import { nodesOf } from "../cluster/scope";
import type { World } from "../cluster/snapshot";
import { conditionProof, eventProof, isFresh, isNotReady, olderThan } from "./finders";
import { noImage } from "./podFinders";
import type { Match, Proof } from "./rule";

/** Nodes whose Pods fail together, while those of other nodes run: then it is not the programs. */

/** Fewer may fail at once by chance. */
const fewest = { pods: 3, makers: 2 };

/** Shares of Pods that are not Ready: on the node at least, and on all others at most. */
const share = { here: 0.6, elsewhere: 0.2 };

/** Minutes: programs may start for so long, and a new version or a failing probe may make a Pod not Ready for a moment. */
const minutes = { age: 15, notReady: 5 };

/** Pods of DaemonSets and of add-ons are those of the node itself: most use its network, and they have rules of their own. */
const isOfNode = (pod: KubeObject): boolean =>
  ownerOf(pod, "DaemonSet") !== undefined || addonNamespaces.includes(pod.metadata.namespace ?? "");

const runs = (pod: KubeObject): boolean =>
  stays(pod) && /^(?:Running|Pending)$/.test(textAt(pod.status, "phase")) && !isOfNode(pod);

/** Whether a Pod is not Ready for longer than a start takes, and not for what only its own objects explain. */
function fails(pod: KubeObject, world: World): boolean {
  const since = conditionNamed(pod, "Ready")?.since ?? "";
  return (
    isNotReady(pod) &&
    olderThan(pod, minutes.age, world) &&
    minutesBetween(since, world.now) >= minutes.notReady &&
    containersOf(pod).every(
      ({ waiting }) => !noImage.test(waiting) && waiting !== "CreateContainerConfigError",
    )
  );
}

/** What is said of a Pod that is not Ready: its last warning, or its condition. */
function proofOf(pod: KubeObject, world: World): Proof {
  const [warning] = world
    .eventsOf(pod, "workload")
    .filter((event) => event.type === "Warning" && isFresh(event, world.now))
    .sort((a, b) => b.last.localeCompare(a.last));
  const ready = conditionNamed(pod, "Ready");
  if (warning !== undefined) {
    return eventProof(pod, warning);
  }
  return ready === undefined ? { where: pod.metadata.name, text: "" } : conditionProof(pod, ready);
}

const makerOf = ({ metadata }: KubeObject): string =>
  `${metadata.namespace ?? ""}/${metadata.ownerReferences?.[0]?.name ?? metadata.name}`;

/** Pods by their node, but for those that a node has by itself. */
const podsByNode = (world: World): ReadonlyMap<string, readonly KubeObject[]> =>
  world.index("Pods with a node, by its name", () =>
    grouped(
      world.all("Pod", "workload").filter((pod) => runs(pod) && textAt(pod.spec, "nodeName") !== ""),
      (pod) => textAt(pod.spec, "nodeName"),
    ),
  );

/** What the Pods of other nodes show; `undefined` if they fail, too. */
function comparison(others: readonly KubeObject[]): string | undefined {
  const ready = others.filter((pod) => !isNotReady(pod)).length;
  if (others.length === 0) {
    return "No other node has Pods to compare with, so it is the node, its network, or what these Pods have in common";
  }
  return ready >= others.length * (1 - share.elsewhere)
    ? `Of those on other nodes ${ready} of ${others.length} are, so it is most likely the node, its network or its disk, and not their programs`
    : undefined;
}

/** The Pods of Ready nodes that fail together, one match for each. */
export function failTogether(world: World): Match[] {
  const byNode = podsByNode(world);
  const all = [...byNode.values()].flat();
  return nodesOf(world).flatMap((node): Match[] => {
    const { name } = node.metadata;
    const here = byNode.get(name) ?? [];
    const failing = here.filter((pod) => fails(pod, world));
    const areMany =
      failing.length >= Math.max(fewest.pods, here.length * share.here) &&
      new Set(failing.map(makerOf)).size >= fewest.makers;
    const compared =
      areMany && isTrue(node, "Ready")
        ? comparison(all.filter(({ spec }) => textAt(spec, "nodeName") !== name))
        : undefined;
    if (compared === undefined) {
      return [];
    }
    const names = failing.map(({ metadata }) => `${metadata.namespace ?? ""}/${metadata.name}`).sort();
    const vars = {
      ...{ pods: someNames(names, 5), count: String(failing.length) },
      ...{ total: String(here.length), compared },
    };
    return failing.map((object) => ({ object, proof: proofOf(object, world), vars }));
  });
}
