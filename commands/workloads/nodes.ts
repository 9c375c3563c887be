import type { Taint } from "../../platform/machines/nodeLabels";
import { at, list, ownValue, textAt } from "../../tools/untyped";
import type { KubeObject } from "../cluster/objects";
import { windowsBuilds } from "../../platform/machines/windowsReleases";
import { windowsVersion } from "../../platform/workloads/windowsVersions";
import { quantity } from "../../tools/quantity";
import type { NodePool } from "./types";

/** The nodes of a running cluster. Nodes that are alike count as one pool. */

const controlPlaneLabel = "node-role.kubernetes.io/control-plane";

/** Kubernetes and Cluster API add and remove these taints as nodes join and leave. */
const passing = /^node\.(?:kubernetes\.io|cloudprovider\.kubernetes\.io|cluster\.x-k8s\.io)\//;

const taintsOf = (node: KubeObject): Taint[] =>
  list(at(node.spec, "taints"))
    .map((taint) => ({
      key: textAt(taint, "key"),
      value: textAt(taint, "value"),
      effect: textAt(taint, "effect"),
    }))
    .filter(({ key }) => !passing.test(key));

const label = ({ metadata }: KubeObject, key: string): string => metadata.labels?.[key] ?? "";

/**
 * A node's name without the suffix of CAPZ or Azure: six characters for an instance of a scale set; a hyphen and five
 * characters for a single machine.
 */
const poolName = (node: KubeObject): string =>
  node.metadata.labels?.[controlPlaneLabel] !== undefined
    ? "control plane"
    : node.metadata.name.replace(/-[a-z0-9]{5}$|[0-9a-z]{6}$/, "") || node.metadata.name;

/** The properties in which nodes differ for the scheduler and for containers. */
const keyOf = (node: KubeObject): string =>
  JSON.stringify([
    poolName(node),
    ...["kubernetes.io/os", "kubernetes.io/arch", "node.kubernetes.io/windows-build"].map((key) =>
      label(node, key),
    ),
    label(node, "node.kubernetes.io/instance-type"),
    taintsOf(node),
  ]);

/** The smallest allocatable amount of any of the nodes; `undefined` if no node reports one. */
function smallest(nodes: readonly KubeObject[], resource: "cpu" | "memory"): number | undefined {
  const known = nodes.flatMap((node) => quantity(at(node.status, "allocatable", resource)) ?? []);
  return known.length === 0 ? undefined : Math.min(...known);
}

function labelsOf(nodes: readonly KubeObject[]): Record<string, string[]> {
  const labels: Record<string, string[]> = {};
  for (const { metadata } of nodes) {
    for (const [key, value] of Object.entries(metadata.labels ?? {})) {
      labels[key] = [...new Set([...(ownValue(labels, key) ?? []), value])];
    }
  }
  return labels;
}

/** Groups nodes into pools. */
export function poolsOfNodes(nodes: readonly KubeObject[]): NodePool[] {
  const groups = new Map<string, KubeObject[]>();
  for (const node of nodes) {
    groups.set(keyOf(node), [...(groups.get(keyOf(node)) ?? []), node]);
  }
  const names = [...groups.values()].flatMap(([first]) => (first === undefined ? [] : [poolName(first)]));
  return [...groups.values()].flatMap((group): NodePool[] => {
    const [first] = group;
    if (first === undefined) {
      return [];
    }
    const build = label(first, "node.kubernetes.io/windows-build");
    const name = poolName(first);
    return [
      {
        // If nodes of different kinds have the same pool name, each kind gets the name of its first node.
        name: names.filter((other) => other === name).length > 1 ? first.metadata.name : name,
        os: label(first, "kubernetes.io/os") === "windows" ? "windows" : "linux",
        version: windowsVersion(build),
        windowsServer: Object.entries(windowsBuilds).find(([, known]) => known === build)?.[0],
        architecture: label(first, "kubernetes.io/arch"),
        vmSize: label(first, "node.kubernetes.io/instance-type"),
        cpus: smallest(group, "cpu"),
        memoryBytes: smallest(group, "memory"),
        labels: labelsOf(group),
        taints: taintsOf(first),
      },
    ];
  });
}
