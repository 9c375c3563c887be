import { type KubeObject, ownerOf } from "./cluster/objects";
import { instancesOf, machineOfNode, type Scope, scopeOf, poolIn } from "./cluster/scope";
import { vmNameOf } from "./cluster/virtualMachines";
import type { World } from "./cluster/snapshot";
import { at, textAt } from "capz-windows-kit/untyped";
import type { Match } from "./rules/rule";

/** The values that the doctor knows of every finding, for the names in braces in the texts of its rule. */

/** Kinds whose objects stand for a virtual machine. */
export const vmKinds: ReadonlySet<string> = new Set(["AzureMachine", "Machine", "Node"]);

/** The Pod of a DaemonSet on a node. */
const daemonOn = (node: string, namespace: string, daemon: string, world: World): string | undefined =>
  (node === "" ? [] : world.podsOn(node)).find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name.startsWith(`${daemon}-`),
  )?.metadata.name;

/** Kinds of the management cluster that belong to a Machine. What others name as their owner is not believed. */
const machineKinds = ["AzureMachine", "AzureMachinePoolMachine", "KubeadmConfig"];

/** The Machine to which an object of the management cluster belongs. */
const ownerMachine = (object: KubeObject | undefined): string | undefined =>
  object && machineKinds.includes(object.kind) ? ownerOf(object, "Machine") : undefined;

/** The instance of a scale set that a finding is about: that of its machine, or else the first one without a node. */
function instanceOf(object: KubeObject | undefined, pool: string | undefined, world: World): string {
  const instances = pool === undefined ? [] : instancesOf(world, pool);
  const found =
    instances.find(({ metadata }) => metadata.name === object?.metadata.name) ??
    instances.find(({ status }) => at(status, "nodeRef") === undefined) ??
    instances[0];
  return textAt(found?.spec, "instanceID");
}

/** The host of the registry in the name of an image, if it names one. */
const hostOf = (image: string | undefined): string | undefined =>
  /^(?=[^/]+[.:])([^/]+)\//.exec(image ?? "")?.[1];

/** The values for the names in braces in the texts of rules; names without a value are left out. */
export function variables(world: World, { object, vars = {} }: Match, scope: Scope): Record<string, string> {
  const { cluster, stack, kubeconfig } = world.snapshot;
  const [azure] = world.all("AzureCluster");
  const pool = poolIn(scope);
  const node = object?.kind === "Node" ? object.metadata.name : textAt(object?.spec, "nodeName");
  const worker = world.find("Node", node);
  const nodeScope = pool === undefined && node !== "" ? scopeOf(worker, world) : scope;
  // Of a node of the control plane, no command that deletes the machine is ready to be pasted.
  const machine =
    ownerMachine(object) ?? (nodeScope === "control-plane" ? undefined : machineOfNode(world, node));
  const isVm = object !== undefined && vmKinds.has(object.kind);
  const entries: [string, string | undefined][] = [
    ["cluster", cluster.name],
    ["namespace", cluster.namespace],
    ["stack", stack],
    ["kubeconfig", kubeconfig ?? "FILE"],
    ["kind", object?.kind],
    ["name", object?.metadata.name],
    ["podNamespace", object?.metadata.namespace],
    ["group", textAt(azure?.spec, "resourceGroup")],
    ["location", textAt(azure?.spec, "location")],
    ["subscription", textAt(azure?.spec, "subscriptionID")],
    ["vnet", textAt(azure?.spec, "networkSpec", "vnet", "name")],
    [
      "vnetGroup",
      textAt(azure?.spec, "networkSpec", "vnet", "resourceGroup") || textAt(azure?.spec, "resourceGroup"),
    ],
    ["zone", textAt(azure?.spec, "networkSpec", "privateDNSZoneName")],
    ["identity", textAt(azure?.spec, "identityRef", "name")],
    ["apiServer", textAt(azure?.spec, "controlPlaneEndpoint", "host")],
    ["node", node || (object?.kind === "Machine" ? textAt(object.status, "nodeRef", "name") : "")],
    ["calicoPod", daemonOn(node, "calico-system", "calico-node", world)],
    ["nodeManagerPod", daemonOn(node, "kube-system", "cloud-node-manager", world)],
    ["pool", pool ?? poolIn(nodeScope)],
    ["instance", instanceOf(object, pool, world)],
    ["machine", machine],
    ["machineName", (object?.kind === "Machine" ? object.metadata.name : ownerMachine(object)) ?? "MACHINE"],
    ["registryHost", hostOf(vars.image) ?? "REGISTRY"],
    ["singleMachine", isVm ? (ownerMachine(object) ?? object.metadata.name) : undefined],
    ["vm", isVm ? vmNameOf(object, world) : undefined],
    ...Object.entries(vars),
  ];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ""),
  );
}
