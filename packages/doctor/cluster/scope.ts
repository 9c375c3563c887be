import { grouped } from "capz-windows-kit/grouped";
import { at, list, numberAt, textAt } from "capz-windows-kit/untyped";
import { type KubeObject, ownerOf } from "./objects";
import type { World } from "./snapshot";

/** The machines that a finding is about: all of the cluster, those of the control plane, or those of a pool. */
export type Scope = "cluster" | "control-plane" | `pool ${string}`;

/** The pool that a scope names. */
export const poolIn = (scope: Scope): string | undefined =>
  scope.startsWith("pool ") ? scope.slice("pool ".length) : undefined;

const poolLabels = ["cluster.x-k8s.io/pool-name", "cluster.x-k8s.io/deployment-name"];
const controlPlaneLabel = "cluster.x-k8s.io/control-plane";

const isPool = ({ kind }: KubeObject): boolean =>
  ["MachinePool", "AzureMachinePool", "MachineDeployment"].includes(kind);

/** The pools of the cluster: scale sets (MachinePool) and single machines (MachineDeployment). */
export const poolsOf = (world: World): KubeObject[] => [
  ...world.all("MachinePool"),
  ...world.all("MachineDeployment"),
];

/** The Machine or AzureMachinePoolMachine of a node. */
const machineOf = (world: World, node: string): KubeObject | undefined =>
  world
    .index("machines by node", () =>
      grouped([...world.all("Machine"), ...world.all("AzureMachinePoolMachine")], ({ status }) =>
        textAt(status, "nodeRef", "name"),
      ),
    )
    .get(node)?.[0];

/**
 * The name of the Machine that runs a node, by the management cluster alone: the node's own annotations are written by its
 * kubelet, and a command that deletes a machine may not follow what a node says of itself.
 */
export const machineOfNode = (world: World, node: string): string | undefined => {
  const machine = machineOf(world, node);
  return machine?.kind === "Machine" ? machine.metadata.name : machine && ownerOf(machine, "Machine");
};

const isComputerName = (node: string, pool: string): boolean =>
  node.toLowerCase().startsWith(pool.toLowerCase()) && /^[0-9a-z]{6}$/i.test(node.slice(pool.length));

/**
 * The pool of a node that is not linked to a machine yet, by its name: computer names begin with that of the scale set.
 */
const poolOfName = (world: World, node: string): string | undefined =>
  world
    .all("AzureMachinePool")
    .map(({ metadata }) => metadata.name)
    .filter((pool) => isComputerName(node, pool))
    .sort((a, b) => b.length - a.length)[0];

/** The pool that refers to a KubeadmConfig or a template, which do not name their pool themselves. */
const poolThatNames = (world: World, { kind, metadata }: KubeObject): string | undefined =>
  poolsOf(world).find(({ spec }) =>
    [
      at(spec, "template", "spec", "bootstrap", "configRef"),
      at(spec, "template", "spec", "infrastructureRef"),
    ].some((ref) => textAt(ref, "kind") === kind && textAt(ref, "name") === metadata.name),
  )?.metadata.name;

function scopeOfNode(node: KubeObject, world: World): Scope {
  const machine = machineOf(world, node.metadata.name);
  if (machine !== undefined) {
    return scopeOf(machine, world);
  }
  if (isControlPlaneNode(node)) {
    return "control-plane";
  }
  const pool = poolOfName(world, node.metadata.name);
  return pool === undefined ? "cluster" : `pool ${pool}`;
}

export const scopeOf = (object: KubeObject | undefined, world: World): Scope =>
  object === undefined ? "cluster" : world.once(object, "scope", () => findScope(object, world));

function findScope(object: KubeObject, world: World): Scope {
  const { kind, metadata } = object;
  if (isPool(object)) {
    return `pool ${metadata.name}`;
  }
  if (kind === "Node") {
    return scopeOfNode(object, world);
  }
  if (kind === "KubeadmControlPlane" || metadata.labels?.[controlPlaneLabel] !== undefined) {
    return "control-plane";
  }
  const pool =
    poolLabels.map((label) => metadata.labels?.[label]).find((name) => name !== undefined) ??
    ownerOf(object, "AzureMachinePool") ??
    ownerOf(object, "MachinePool") ??
    ownerOf(object, "MachineDeployment") ??
    poolThatNames(world, object);
  if (pool !== undefined) {
    return `pool ${pool}`;
  }
  const machine = world.find("Machine", ownerOf(object, "Machine") ?? "");
  if (kind === "AzureMachine" && machine !== undefined) {
    return scopeOf(machine, world);
  }
  return controlPlaneNames(world, object) ? "control-plane" : "cluster";
}

const controlPlaneNames = (world: World, { kind, metadata }: KubeObject): boolean =>
  world
    .all("KubeadmControlPlane")
    .some(({ spec }) =>
      [
        at(spec, "machineTemplate", "spec", "infrastructureRef"),
        at(spec, "machineTemplate", "infrastructureRef"),
      ].some((ref) => textAt(ref, "kind") === kind && textAt(ref, "name") === metadata.name),
    ) ||
  (kind === "AzureMachine" && metadata.ownerReferences === undefined);

/** Whether a problem of `outer` also affects `inner`. A problem of the control plane affects everything. */
export const covers = (outer: Scope, inner: Scope): boolean =>
  outer === "cluster" || outer === inner || outer === "control-plane";

/** Whether a pool has Windows: from the scale set, from the template of single machines, or from its machines and nodes. */
export function isWindowsPool(world: World, pool: string): boolean {
  const scaleSet = world.find("AzureMachinePool", pool);
  const template = textAt(
    world.find("MachineDeployment", pool)?.spec,
    ...["template", "spec", "infrastructureRef", "name"],
  );
  const described = scaleSet ?? world.find("AzureMachineTemplate", template);
  if (described !== undefined) {
    const path = scaleSet === undefined ? ["template", "spec"] : ["template"];
    return textAt(described.spec, ...path, "osDisk", "osType") === "Windows";
  }
  const inPool = (kind: string): KubeObject[] =>
    world.all(kind).filter((object) => scopeOf(object, world) === `pool ${pool}`);
  return (
    inPool("AzureMachine").some(({ spec }) => textAt(spec, "osDisk", "osType") === "Windows") ||
    inPool("Node").some((node) => systemOf(node) === "windows")
  );
}

/** The AzureMachinePoolMachines of a pool, which stand for the instances of its scale set. */
export const instancesOf = (world: World, pool: string): readonly KubeObject[] =>
  world.all("AzureMachinePoolMachine").filter((object) => scopeOf(object, world) === `pool ${pool}`);

/** Number of nodes of a pool, from its own status. */
export const nodesOfPool = ({ status }: KubeObject): number =>
  Math.max(numberAt(status, "readyReplicas") ?? 0, list(at(status, "nodeRefs")).length);

export const nodesOf = (world: World): readonly KubeObject[] => world.all("Node");

/** Operating system of a node, "windows" or "linux"; "" if the node is not known. */
export const systemOf = (node: KubeObject | undefined): string =>
  node?.metadata.labels?.["kubernetes.io/os"] ?? textAt(node?.status, "nodeInfo", "operatingSystem");

/** Operating system of the Pod's node, or that it selects. */
export const systemOfPod = ({ spec }: KubeObject, world: World): string =>
  systemOf(world.find("Node", textAt(spec, "nodeName"))) ||
  textAt(spec, "nodeSelector", "kubernetes.io/os") ||
  textAt(spec, "os", "name");

/** Operating system of what an object runs on: a Pod, a Node, or the machines of a pool; "" if it is not known. */
export function systemUnder(object: KubeObject | undefined, world: World): string {
  const scope = scopeOf(object, world);
  const pool = poolIn(scope);
  if (object?.kind === "Pod") {
    return systemOfPod(object, world);
  }
  if (object?.kind === "Node") {
    return systemOf(object);
  }
  if (pool !== undefined) {
    return isWindowsPool(world, pool) ? "windows" : "linux";
  }
  return scope === "control-plane" ? "linux" : "";
}

/** The taint with which a node registers, and which the cloud provider removes when it has found the machine. */
export const cloudTaint = "node.cloudprovider.kubernetes.io/uninitialized";

export const hasCloudTaint = (node: KubeObject): boolean => taintsOf(node).includes(cloudTaint);

export const isControlPlaneNode = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined;

/** The keys of a node's taints. */
export const taintsOf = (node: KubeObject): string[] =>
  list(at(node.spec, "taints")).map((taint) => textAt(taint, "key"));
