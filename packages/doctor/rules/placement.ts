import type { Taint } from "capz-windows-platform/machines/nodeLabels";
import { labelsText, unmetAffinity, unmetSelector } from "capz-windows-platform/workloads/nodeAffinity";
import { autoscalerAnnotation } from "capz-windows-platform/machines/autoscalerAnnotation";
import { tolerates } from "capz-windows-platform/workloads/tolerations";
import { at, list, numberAt } from "capz-windows-kit/untyped";
import { stays, type KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import type { Detectors, Match } from "./rule";
import { isWindowsPool, nodesOf, poolsOf, taintsOn } from "../cluster/scope";
import { unscheduled } from "./unscheduled";

/** What in a Pod's spec keeps it from the nodes: its selectors, or a missing toleration. */

/** Taints that Kubernetes, Cluster API, the cloud provider and the autoscaler set and take away by themselves. */
const transient =
  /^node\.kubernetes\.io\/|^node\.cloudprovider\.kubernetes\.io\/|^node\.cluster\.x-k8s\.io\/|ClusterAutoscaler/;

const controlPlane = "node-role.kubernetes.io/control-plane";

/** Taints of the scheduler's message: `untolerated taint {os: windows}`. */
const taintsIn = (message: string): Taint[] =>
  [...message.matchAll(/untolerated taint \{([^:}\s]+)(?::\s*([^}\s]*))?\s*\}/g)].map(
    ([, key = "", value = ""]) => ({ key, value, effect: "NoSchedule" }),
  );

/** Taints that a Pod does not tolerate: since 1.36 the scheduler's message names none ("untolerated taint(s)"). */
const untolerated = (pod: KubeObject | undefined, nodes: readonly KubeObject[]): Taint[] =>
  nodes
    .flatMap(taintsOn)
    .filter(({ effect }) => effect !== "PreferNoSchedule")
    .filter((taint) => !list(at(pod?.spec, "tolerations")).some((each) => tolerates(each, taint)));

/** Whether a node has what the Pod's nodeSelector, and the expressions of its required affinity, ask for. */
function isSelected(pod: KubeObject | undefined, { metadata }: KubeObject): boolean {
  const labels = Object.fromEntries(
    Object.entries(metadata.labels ?? {}).map(([key, value]) => [key, [value]]),
  );
  const selector = (at(pod?.spec, "nodeSelector") ?? {}) as Record<string, string>;
  return unmetSelector(selector, labels).length === 0 && unmetAffinity(pod?.spec, labels).length === 0;
}

const has = (node: KubeObject, { key, value }: Taint): boolean =>
  taintsOn(node).some((taint) => taint.key === key && taint.value === value);

/** Pods that the scheduler cannot place, with the nodes that have what they select. */
const unplaced = (
  judge: (match: Match, selected: readonly KubeObject[], world: World) => Match["vars"] | undefined,
) => {
  const find = unscheduled(/node affinity|node selector|untolerated taint|didn't match/);
  return (world: World): Match[] =>
    find(world).flatMap((match) => {
      const selected = nodesOf(world).filter((node) => isSelected(match.object, node));
      const vars = judge(match, selected, world);
      return vars === undefined ? [] : [{ ...match, vars: { ...match.vars, ...vars } }];
    });
};

const labelsAnnotation = "capacity.cluster-autoscaler.kubernetes.io/labels";

/** A pool without machines whose nodes would have what a Pod selects, as far as the management cluster knows them. */
const emptyPoolFor = (pod: KubeObject, world: World): KubeObject | undefined =>
  labelsText(pod.spec) === ""
    ? undefined
    : poolsOf(world).find((pool) => {
        const { name, annotations } = pool.metadata;
        const told = (annotations?.[labelsAnnotation] ?? "").split(",").map((label) => label.split("="));
        const labels = {
          "kubernetes.io/os": isWindowsPool(world, name) ? "windows" : "linux",
          ...(Object.fromEntries(told) as Record<string, string>),
        };
        return (
          stays(pool) &&
          numberAt(pool.spec, "replicas") === 0 &&
          isSelected(pod, { ...pool, metadata: { name, labels } })
        );
      });

export const placement: Detectors = {
  "pod-taint": unplaced(({ proof, object }, selected, world) => {
    const taints = proof.text.includes("untolerated taint(s)")
      ? untolerated(object, selected)
      : taintsIn(proof.text);
    const taint = taints
      .filter(({ key }) => !transient.test(key) && key !== controlPlane)
      .find(
        (each) => selected.some((node) => has(node, each)) || !nodesOf(world).some((node) => has(node, each)),
      );
    if (taint === undefined) {
      return undefined;
    }
    const { key, value = "" } = taint;
    const tainted = [...selected, ...nodesOf(world)].find((node) => has(node, taint));
    const effect = (tainted === undefined ? [] : taintsOn(tainted)).find(
      (each) => each.key === key && each.value === value,
    )?.effect;
    return {
      ...(tainted === undefined ? {} : { taintedNode: tainted.metadata.name }),
      ...{ key, value: value === "" ? '""' : value, effect: effect ?? taint.effect },
      taint: value === "" ? key : `${key}=${value}`,
    };
  }),
  "pod-control-plane": unplaced(({ object }, selected) =>
    selected.length > 0 && selected.every((node) => taintsOn(node).some(({ key }) => key === controlPlane))
      ? { selector: labelsText(object?.spec) || "of all nodes" }
      : undefined,
  ),
  "pod-node-away": unplaced((_, selected) => {
    const away = selected.map((node) => ({
      name: node.metadata.name,
      taint: taintsOn(node).find(({ key }) => transient.test(key))?.key,
    }));
    return away.length > 0 && away.every(({ taint }) => taint !== undefined)
      ? {
          first: away[0]?.name ?? "",
          nodes: away.map(({ name, taint }) => `${name} (${taint ?? ""})`).join(", "),
        }
      : undefined;
  }),
  "pod-pool-empty": unplaced(({ object }, selected, world) => {
    const pool = object && selected.length === 0 ? emptyPoolFor(object, world) : undefined;
    if (pool === undefined) {
      return undefined;
    }
    const { name, annotations } = pool.metadata;
    return {
      pool: name,
      selector: labelsText(object?.spec),
      ...(annotations?.[autoscalerAnnotation.max] === undefined
        ? {}
        : { scaler: "and the autoscaler has not enlarged it" }),
    };
  }),
  "pod-label": unplaced(({ object }, selected) => {
    const selector = labelsText(object?.spec);
    return selected.length === 0 && selector !== "" ? { selector } : undefined;
  }),
};
