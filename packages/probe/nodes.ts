import { isIPv4 } from "node:net";
import type { PoolFacts, StackFacts } from "capz-windows-contract";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import { isControlPlaneNode, systemOf } from "capz-windows-doctor/cluster/scope";
import { NodeOs } from "capz-windows-platform/machines/naming";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { controlPlanePool, type ProbeNode } from "./model";

/** Which nodes belong to the stack, and which of them are measured. */

/** What the names of a pool's nodes are like. A scale set appends six characters to its own name. */
const nodeNames = ({ kind, computerNamePrefix }: PoolFacts): RegExp =>
  new RegExp(`^${computerNamePrefix}${kind === "MachinePool" ? "[0-9a-z]{6}" : ".+"}$`, "i");

const conditionIs = (node: KubeObject, type: string, status: string): boolean =>
  list(at(node.status, "conditions")).some(
    (condition) => textAt(condition, "type") === type && textAt(condition, "status") === status,
  );

const addressOf = (node: KubeObject): string =>
  list(at(node.status, "addresses"))
    .filter((address) => textAt(address, "type") === "InternalIP")
    .map((address) => textAt(address, "address"))
    .find(isIPv4) ?? "";

export const isReady = (node: KubeObject): boolean => conditionIs(node, "Ready", "True");

/** The nodes that the stack's pools and its control plane have made, sorted by name. */
export function nodesOf(facts: StackFacts, objects: readonly KubeObject[]): ProbeNode[] {
  const pools = facts.pools.map((pool) => ({ name: pool.name, nodes: nodeNames(pool) }));
  return objects
    .flatMap((object): ProbeNode[] => {
      const { name, labels = {} } = object.metadata;
      const pool = isControlPlaneNode(object)
        ? controlPlanePool
        : pools.find((each) => each.nodes.test(name))?.name;
      const os = systemOf(object) === "windows" ? NodeOs.windows : NodeOs.linux;
      return pool === undefined
        ? []
        : [
            {
              ...{ name, os, pool, object, ip: addressOf(object) },
              zone: labels["topology.kubernetes.io/zone"] ?? "",
              ready: isReady(object) && at(object.spec, "unschedulable") !== true,
            },
          ];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const first = <T>(items: readonly T[], keyOf: (item: T) => string): T[] =>
  items.filter((item, index) => items.findIndex((other) => keyOf(other) === keyOf(item)) === index);

/**
 * One ready node of each pool in each zone; of a cluster with a single such node that runs Windows also a second one, so that
 * packets can go from Windows to Windows.
 * @param also - a node that must be among them
 */
export function chosenNodes(nodes: readonly ProbeNode[], also?: string): ProbeNode[] {
  const ready = nodes.filter((node) => node.ready);
  const placeOf = ({ pool, zone }: ProbeNode): string => `${pool} ${zone}`;
  const chosen = first([...ready.filter(({ name }) => name === also), ...ready], placeOf);
  const windows = chosen.filter(({ os }) => os === "windows");
  const second = ready.find(
    (node) => node.os === "windows" && windows.length === 1 && !chosen.includes(node),
  );
  return [...chosen, ...(second === undefined ? [] : [second])].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The next node of a system after a given one, in a ring, so that the pairs reach all pools and zones. */
export function nextNode(nodes: readonly ProbeNode[], from: ProbeNode, os: NodeOs): ProbeNode | undefined {
  const others = nodes.filter((node) => node.os === os && node.name !== from.name);
  return others.find(({ name }) => name > from.name) ?? others[0];
}

/** Two ready nodes of a pool in the same zone, for a disk that moves: a disk stays in its zone. */
export function pairOf(nodes: readonly ProbeNode[], pool: string): [ProbeNode, ProbeNode] | undefined {
  const ready = nodes.filter((node) => node.pool === pool && node.ready);
  for (const node of ready) {
    const other = ready.find(({ name, zone }) => name !== node.name && zone === node.zone);
    if (other !== undefined) {
      return [node, other];
    }
  }
  return undefined;
}
