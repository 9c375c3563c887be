import { quantity } from "capz-windows-kit/quantity";
import { present } from "capz-windows-kit/present";
import { at, list, ownValue, text, textAt, texts } from "capz-windows-kit/untyped";
import {
  affinityText,
  hostname,
  labelsFor,
  unmetAffinity,
  unmetSelector,
  type NodeLabels,
} from "capz-windows-platform/workloads/nodeAffinity";
import { tolerates } from "capz-windows-platform/workloads/tolerations";
import type { RuntimeClass } from "./read";
import type { NodePool } from "./types";

/** Whether the scheduler would place a pod on the nodes of a pool, and if not, why. */

/** The node selector of a pod, with what its RuntimeClass adds (Kubernetes, RuntimeClass admission). */
const selectorOf = (podSpec: unknown, runtimeClass: RuntimeClass | undefined): Record<string, string> => ({
  ...runtimeClass?.nodeSelector,
  ...texts(at(podSpec, "nodeSelector")),
});

function selectorProblems(
  selector: Readonly<Record<string, string>>,
  labels: NodeLabels,
  isOpen: boolean,
): string[] {
  return unmetSelector(selector, labels, isOpen).map(
    ([key, value]) => `the nodeSelector ${key}: ${value || '""'}${labelOf(ownValue(labels, key))}`,
  );
}

/** A pod that names its node passes the scheduler by. */
function nodeProblems(podSpec: unknown, labels: NodeLabels): string[] {
  const name = textAt(podSpec, "nodeName");
  return name === "" || ownValue(labels, hostname)?.includes(name) === true
    ? []
    : [`the nodeName ${name}, which is no node here`];
}

const labelOf = (values: readonly string[] | undefined): string =>
  values === undefined ? ", a label that no node has here" : ` (here ${values.join(" or ")})`;

function affinityProblems(podSpec: unknown, labels: NodeLabels, isOpen: boolean): string[] {
  const unmet = unmetAffinity(podSpec, labels, isOpen);
  return unmet.length === 0 ? [] : [`its node affinity: ${affinityText(unmet)}`];
}

function taintProblems(
  podSpec: unknown,
  runtimeClass: RuntimeClass | undefined,
  { taints }: NodePool,
): string[] {
  const tolerations = [...list(at(podSpec, "tolerations")), ...(runtimeClass?.tolerations ?? [])];
  return taints
    .filter(
      ({ effect }) =>
        effect === "NoExecute" || (effect === "NoSchedule" && textAt(podSpec, "nodeName") === ""),
    )
    .filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)))
    .map(
      ({ key, value, effect }) =>
        `the taint ${key}${value === "" ? "" : `=${value}`}:${effect}, which it does not tolerate`,
    );
}

const gib = (bytes: number): string => `${Math.round((bytes / 1024 ** 3) * 10) / 10} GiB`;

/** Why a node of a pool is too small. */
export function resourceProblems(
  podSpec: unknown,
  runtimeClass: RuntimeClass | undefined,
  pool: NodePool,
): string[] {
  const cpu = podRequest(podSpec, "cpu", runtimeClass?.overhead.cpu);
  const memory = podRequest(podSpec, "memory", runtimeClass?.overhead.memory);
  return [
    ...(pool.cpus !== undefined && cpu > pool.cpus
      ? [`its requests: ${cpu} CPUs, of which a node (${pool.vmSize}) has ${pool.cpus}`]
      : []),
    ...(pool.memoryBytes !== undefined && memory > pool.memoryBytes
      ? [
          `its requests: ${gib(memory)} of memory, of which a node (${pool.vmSize}) leaves ${gib(pool.memoryBytes)} to pods`,
        ]
      : []),
  ];
}

/** Why the pods are not for the nodes of a pool; empty if they are. */
export const selectionProblems = (
  podSpec: unknown,
  runtimeClass: RuntimeClass | undefined,
  pool: NodePool,
): string[] => {
  const labels = labelsFor(podSpec, pool.labels);
  const isOpen = pool.isAssumed === true;
  return [
    ...nodeProblems(podSpec, labels),
    ...selectorProblems(selectorOf(podSpec, runtimeClass), labels, isOpen),
    ...affinityProblems(podSpec, labels, isOpen),
    ...taintProblems(podSpec, runtimeClass, pool),
  ];
};

/** What only the labels and taints of nodes tell that nobody has described. */
export function selectionUnknowns(
  podSpec: unknown,
  runtimeClass: RuntimeClass | undefined,
  { isAssumed, labels }: NodePool,
): string[] {
  if (isAssumed !== true) {
    return [];
  }
  const known = labelsFor(podSpec, labels);
  const affinity = unmetAffinity(podSpec, known);
  const tolerations = [...list(at(podSpec, "tolerations")), ...(runtimeClass?.tolerations ?? [])];
  const toleratesAll = ["NoSchedule", "NoExecute"].every((effect) =>
    tolerations.some((each) => tolerates(each, { key: "*", value: "", effect })),
  );
  return present(
    ...unmetSelector(selectorOf(podSpec, runtimeClass), known).map(
      ([key, value]) => `whether a node has the label ${key}: ${value || '""'}`,
    ),
    affinity.length > 0 && `whether a node meets its node affinity: ${affinityText(affinity)}`,
    !toleratesAll && "whether it tolerates the taints of the nodes",
  );
}

/** Entries of a node selector that contradict those of the RuntimeClass, for which the API server refuses the pod. */
export function classConflicts(podSpec: unknown, runtimeClass: RuntimeClass | undefined): string[] {
  const own = texts(at(podSpec, "nodeSelector"));
  return Object.entries(runtimeClass?.nodeSelector ?? {})
    .filter(([key, value]) => own[key] !== undefined && own[key] !== value)
    .map(
      ([key, value]) =>
        `the API server refuses it: nodeSelector ${key} is ${text(own[key])}, and ${value} in its RuntimeClass`,
    );
}

export type PodResource = "cpu" | "memory";

/** What Kubernetes reserves for a container: its request, or its limit where it has no request. */
const requestOf = (container: unknown, resource: PodResource): number =>
  quantity(
    at(container, "resources", "requests", resource) ?? at(container, "resources", "limits", resource),
  ) ?? 0;

/**
 * What the scheduler reserves for a pod: the sum of containers and sidecars (init containers that keep running), or an init
 * container with the sidecars that were started before it, if that is more (Kubernetes, "Resource sharing within
 * containers").
 * @param overhead - quantity that the RuntimeClass adds
 */
export function podRequest(podSpec: unknown, resource: PodResource, overhead: unknown): number {
  let sidecars = 0;
  let mostAtStart = 0;
  for (const init of list(at(podSpec, "initContainers"))) {
    const request = requestOf(init, resource);
    mostAtStart = Math.max(mostAtStart, sidecars + request);
    if (at(init, "restartPolicy") === "Always") {
      sidecars += request;
    }
  }
  const running = list(at(podSpec, "containers")).reduce<number>(
    (total, container) => total + requestOf(container, resource),
    sidecars,
  );
  return Math.max(running, mostAtStart) + (quantity(overhead) ?? 0);
}
