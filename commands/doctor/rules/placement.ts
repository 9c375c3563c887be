import type { Taint } from "../../../platform/workloads/tolerations";
import { labelsText, unmetAffinity, unmetSelector } from "../../../platform/workloads/nodeAffinity";
import { autoscalerAnnotation } from "../../../bootstrap/autoscaler";
import { at, numberAt } from "../../../tools/untyped";
import { stays, type KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import type { Match, Rule } from "./rule";
import { isWindowsPool, nodesOf, poolsOf, taintsOn } from "../../cluster/scope";
import { machinesMissing, unscheduled } from "./unscheduled";
import { workloadKubectl } from "./commands";

/** What in a Pod's spec keeps it from the nodes: its selectors, or a missing toleration. */

/** Taints that Kubernetes, Cluster API, the cloud provider and the autoscaler set and take away by themselves. */
const transient =
  /^node\.kubernetes\.io\/|^node\.cloudprovider\.kubernetes\.io\/|^node\.cluster\.x-k8s\.io\/|ClusterAutoscaler/;

const controlPlane = "node-role.kubernetes.io/control-plane";

/** Taints of the scheduler's message that stay: `untolerated taint {os: windows}`. */
const taintsIn = (message: string): Taint[] =>
  [...message.matchAll(/untolerated taint \{([^:}\s]+)(?::\s*([^}\s]*))?\s*\}/g)]
    .map(([, key = "", value = ""]) => ({ key, value, effect: "NoSchedule" }))
    .filter(({ key }) => !transient.test(key) && key !== controlPlane);

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

const source = "https://kubernetes.io/docs/concepts/scheduling-eviction/";

export const placement: readonly Rule[] = [
  {
    id: "pod-taint",
    stage: "pods",
    symptom: "FailedScheduling: node(s) had untolerated taint",
    cause: "The nodes that {name} could use have the taint {taint}, which it does not tolerate.",
    remedy: [
      "tolerations: [{key: {key}, operator: Equal, value: {value}, effect: {effect}}]   # in the Pod's template",
      `${workloadKubectl} taint node {taintedNode} {key}:{effect}-   # or, when nothing needs the taint: takes it away`,
      "capz-windows:windowsPools: {POOL: {taints: []}}   # or without the taint: new machines then take every Pod",
      `${workloadKubectl} get nodes -o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints[*].key`,
    ],
    source: `${source}taint-and-toleration/`,
    follows: machinesMissing,
    find: unplaced(({ proof }, selected, world) => {
      const taint = taintsIn(proof.text).find(
        (each) => selected.some((node) => has(node, each)) || !nodesOf(world).some((node) => has(node, each)),
      );
      if (taint === undefined) {
        return undefined;
      }
      const { key, value } = taint;
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
  },
  {
    id: "pod-control-plane",
    stage: "pods",
    symptom: "FailedScheduling: untolerated taint {node-role.kubernetes.io/control-plane: }",
    cause:
      "Only machines of the control plane have what {name} selects, {selector}, and they take no applications.",
    remedy: [
      "capz-windows:linuxPools: {linux1: {replicas: 2}}   # for what runs on Linux only",
      "nodeSelector: {kubernetes.io/os: windows}   # in the Pod's template, when its image is for Windows",
    ],
    source: `${source}taint-and-toleration/`,
    follows: machinesMissing,
    find: unplaced(({ object }, selected) =>
      selected.length > 0 && selected.every((node) => taintsOn(node).some(({ key }) => key === controlPlane))
        ? { selector: labelsText(object?.spec) || "of all nodes" }
        : undefined,
    ),
  },
  {
    id: "pod-node-away",
    stage: "pods",
    symptom: "FailedScheduling: untolerated taint {node.kubernetes.io/...} or of the autoscaler",
    cause:
      "The nodes that {name} could use take no Pods at present: {nodes}. Such taints are set and taken away by the cluster itself.",
    remedy: [
      `${workloadKubectl} get nodes`,
      `${workloadKubectl} describe node {first}   # its conditions and events say why`,
      "capz-windows:windowsPools: {POOL: {replicas: MORE}}   # so that one node is enough to lose",
    ],
    source: `${source}taint-and-toleration/#taint-based-evictions`,
    follows: machinesMissing,
    find: unplaced((_, selected) => {
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
  },
  {
    id: "pod-pool-empty",
    stage: "pods",
    symptom:
      "FailedScheduling: didn't match Pod's node affinity/selector, and the pool for it has 0 replicas",
    cause: "{name} selects nodes of the pool {pool} ({selector}), which has 0 replicas, {scaler}.",
    remedy: [
      "capz-windows:windowsPools: {{pool}: {replicas: 1}}   # without autoscale",
      "capz-windows:windowsPools: {{pool}: {autoscale: {min: 1, max: 3}}}   # with autoscale: one machine always, until the autoscaler works",
      `kubectl logs deployment/{cluster}-autoscaler -n {namespace} --tail=30   # with autoscale: why it adds none. It knows the labels of nodes that do not exist from the annotation ${labelsAnnotation} of the pool, which npx pulumi up writes`,
    ],
    source: `${source}assign-pod-node/; cluster-autoscaler 1.35 clusterapi_nodegroup.go, TemplateNodeInfo`,
    follows: [...machinesMissing, "autoscaler-down"],
    find: unplaced(({ object }, selected, world) => {
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
  },
  {
    id: "pod-label",
    stage: "pods",
    symptom: "FailedScheduling: didn't match Pod's node affinity/selector",
    cause: "No node has the labels that {name} selects: {selector}.",
    remedy: [
      "capz-windows:windowsPools: {POOL: {labels: {KEY: VALUE}}}   # gives the label to the nodes of a pool; or correct the Pod's nodeSelector:",
      "nodeSelector: {kubernetes.io/os: windows}   # Windows images; linux for others",
      `${workloadKubectl} get nodes --show-labels`,
    ],
    source: `${source}assign-pod-node/`,
    follows: machinesMissing,
    find: unplaced(({ object }, selected) => {
      const selector = labelsText(object?.spec);
      return selected.length === 0 && selector !== "" ? { selector } : undefined;
    }),
  },
];
