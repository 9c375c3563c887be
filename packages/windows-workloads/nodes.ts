import { windowsBuilds } from "capz-windows-platform/machines/windowsReleases";
import { windowsVersion } from "capz-windows-platform/workloads/windowsVersions";
import { quantity } from "capz-windows-kit/quantity";
import { at, list, textAt } from "capz-windows-kit/untyped";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import type { NodePool } from "./types";

/** The nodes of a running cluster. Nodes that are alike count as one pool. */

/** Kubernetes and Cluster API add and remove these taints as nodes join and leave. */
const passing = /^node\.(?:kubernetes\.io|cloudprovider\.kubernetes\.io|cluster\.x-k8s\.io)\//;

const taintsOf = ({ spec }: KubeObject) =>
  list(at(spec, "taints"))
    .map((taint) => ({
      key: textAt(taint, "key"),
      value: textAt(taint, "value"),
      effect: textAt(taint, "effect"),
    }))
    .filter(({ key }) => !passing.test(key));

/**
 * A node's name without the suffix of CAPZ or Azure: six characters for an instance of a scale set; a hyphen and five
 * characters for a single machine.
 */
const poolName = ({ metadata: { name, labels = {} } }: KubeObject): string =>
  labels["node-role.kubernetes.io/control-plane"] === undefined
    ? name.replace(/-[a-z0-9]{5}$|[0-9a-z]{6}$/, "") || name
    : "control plane";

const build = "node.kubernetes.io/windows-build";

/** The labels in which nodes of one name differ for the scheduler and for containers. */
const differing = ["kubernetes.io/os", "kubernetes.io/arch", build, "node.kubernetes.io/instance-type"];

const keyOf = (node: KubeObject): string =>
  JSON.stringify([poolName(node), differing.map((key) => node.metadata.labels?.[key]), taintsOf(node)]);

/** The smallest allocatable amount of any of the nodes; `undefined` if no node reports one. */
function smallest(nodes: readonly KubeObject[], resource: "cpu" | "memory"): number | undefined {
  const known = nodes.flatMap((node) => quantity(at(node.status, "allocatable", resource)) ?? []);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Each label with all values that it has. */
function labelsOf(nodes: readonly KubeObject[]): Record<string, string[]> {
  const labels = new Map<string, Set<string>>();
  for (const [key, value] of nodes.flatMap(({ metadata }) => Object.entries(metadata.labels ?? {}))) {
    labels.set(key, (labels.get(key) ?? new Set()).add(value));
  }
  return Object.fromEntries([...labels].map(([key, values]) => [key, [...values]]));
}

/** Groups nodes into pools. */
export function poolsOfNodes(nodes: readonly KubeObject[]): NodePool[] {
  const groups = new Map<string, [KubeObject, ...KubeObject[]]>();
  for (const node of nodes) {
    const alike = groups.get(keyOf(node));
    groups.set(keyOf(node), alike === undefined ? [node] : [...alike, node]);
  }
  const names = [...groups.values()].map(([first]) => poolName(first));
  return [...groups.values()].map((group): NodePool => {
    const [first] = group;
    const name = poolName(first);
    const [os = "", architecture = "", version = "", vmSize = ""] = differing.map(
      (key) => first.metadata.labels?.[key] ?? "",
    );
    return {
      // If nodes of different kinds have the same pool name, each kind gets the name of its first node.
      name: names.filter((other) => other === name).length > 1 ? first.metadata.name : name,
      os: os === "windows" ? "windows" : "linux",
      version: windowsVersion(version),
      windowsServer: Object.entries(windowsBuilds).find(([, known]) => known === version)?.[0],
      architecture,
      vmSize,
      cpus: smallest(group, "cpu"),
      memoryBytes: smallest(group, "memory"),
      labels: labelsOf(group),
      taints: taintsOf(first),
    };
  });
}
