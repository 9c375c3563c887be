import { at, list, ownValue, text } from "../../tools/untyped";
import { affinityText, unmetAffinity, unmetSelector } from "../../platform/workloads/nodeAffinity";
import { tolerates } from "../../platform/workloads/tolerations";
import { podRequest } from "./quantities";
import { containersOf } from "./windowsPods";
import { textsOf, type RuntimeClass } from "./read";
import type { NodePool } from "./types";

/** Whether the scheduler would place a pod on the nodes of a pool, and if not, why. */

/** The node selector of a pod, with what its RuntimeClass adds (Kubernetes, RuntimeClass admission). */
const selectorOf = (podSpec: unknown, runtimeClass: RuntimeClass | undefined): Record<string, string> => ({
  ...runtimeClass?.nodeSelector,
  ...textsOf(at(podSpec, "nodeSelector")),
});

function selectorProblems(selector: Readonly<Record<string, string>>, { labels }: NodePool): string[] {
  return unmetSelector(selector, labels).map(
    ([key, value]) => `the nodeSelector ${key}: ${value}${labelOf(ownValue(labels, key))}`,
  );
}

const labelOf = (values: readonly string[] | undefined): string =>
  values === undefined ? ", a label that no node has here" : ` (here ${values.join(" or ")})`;

function affinityProblems(podSpec: unknown, { labels }: NodePool): string[] {
  const unmet = unmetAffinity(podSpec, labels);
  return unmet.length === 0 ? [] : [`its node affinity: ${affinityText(unmet)}`];
}

function taintProblems(
  podSpec: unknown,
  runtimeClass: RuntimeClass | undefined,
  { taints }: NodePool,
): string[] {
  const tolerations = [...list(at(podSpec, "tolerations")), ...(runtimeClass?.tolerations ?? [])];
  return taints
    .filter(({ effect }) => effect !== "PreferNoSchedule")
    .filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)))
    .map(
      ({ key, value, effect }) =>
        `the taint ${key}${value === "" ? "" : `=${value}`}:${effect}, which it does not tolerate`,
    );
}

const gib = (bytes: number): string => `${Math.round((bytes / 1024 ** 3) * 10) / 10} GiB`;

function resourceProblems(
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

/** Windows has no huge pages (Kubernetes documentation, "Windows containers in Kubernetes"). */
const hugePageProblems = (podSpec: unknown, { os }: NodePool): string[] => {
  const names = containersOf(podSpec).flatMap((container) =>
    ["requests", "limits"].flatMap((side) =>
      Object.keys(Object(at(container, "resources", side)) as object).filter((name) =>
        name.startsWith("hugepages-"),
      ),
    ),
  );
  return os === "windows"
    ? [...new Set(names)].map((name) => `its requests: ${name}, which Windows does not have`)
    : [];
};

/** Why the pods are not scheduled to the nodes of a pool; empty if they are. */
export const schedulingProblems = (
  podSpec: unknown,
  runtimeClass: RuntimeClass | undefined,
  pool: NodePool,
): string[] => [
  ...selectorProblems(selectorOf(podSpec, runtimeClass), pool),
  ...affinityProblems(podSpec, pool),
  ...taintProblems(podSpec, runtimeClass, pool),
  ...resourceProblems(podSpec, runtimeClass, pool),
  ...hugePageProblems(podSpec, pool),
];

/** Entries of a node selector that contradict those of the RuntimeClass, for which the API server refuses the pod. */
export function classConflicts(podSpec: unknown, runtimeClass: RuntimeClass | undefined): string[] {
  const own = textsOf(at(podSpec, "nodeSelector"));
  return Object.entries(runtimeClass?.nodeSelector ?? {})
    .filter(([key, value]) => own[key] !== undefined && own[key] !== value)
    .map(
      ([key, value]) =>
        `the API server refuses it: nodeSelector ${key} is ${text(own[key])}, and ${value} in its RuntimeClass`,
    );
}
