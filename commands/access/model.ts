import type { WayIn } from "../../platform/cluster/wayIn";
import { computerName, type NodeOs } from "../../platform/machines/naming";
import { at, list, numberAt, text, textAt } from "../../tools/untyped";
import { armIdWord, hostWord } from "../../tools/shell";
import { type KubeObject, ownerOf } from "../cluster/objects";
import { type Snapshot, World } from "../cluster/snapshot";
import { instancesOf, isWindowsPool, nodesOf, poolsOf, scopeOf } from "../cluster/scope";

/**
 * The machines to which a user can log in, read from the objects of both clusters. Names and addresses that cannot be those of a
 * machine are words in capitals: ssh would read more in them.
 */

export interface ControlPlaneMachine {
  /** Name of the Machine, and also of its AzureMachine, its virtual machine and its NAT rule. */
  readonly name: string;
  readonly ip?: string | undefined;
  /** Port of the load balancer, from its NAT rules; `undefined` if Azure could not be asked. */
  readonly port?: number | undefined;
  readonly resourceId?: string | undefined;
}

export interface PoolNode {
  readonly name: string;
  readonly pool: string;
  readonly os: NodeOs;
  /** Address or name at which the jump host reaches the machine. */
  readonly host: string;
  /** Whether the machine has become a node. */
  readonly joined: boolean;
  /** Instance ID in its scale set; `undefined` for a single machine. */
  readonly instanceId?: string | undefined;
  /** Name of the virtual machine if it is in no scale set. */
  readonly vm?: string | undefined;
  /** ARM ID of the machine, once it has one. */
  readonly resourceId?: string | undefined;
}

export interface Reachable {
  readonly cluster: Snapshot["cluster"];
  readonly stack?: string | undefined;
  readonly resourceGroup: string;
  readonly loadBalancer: string;
  /** Host name of the API server. */
  readonly host: string;
  readonly isPrivate: boolean;
  /** Name of the Azure Bastion that the AzureCluster describes. */
  readonly bastion?: string | undefined;
  /** The way in that the stack file names (network.bastion). */
  readonly wayIn?: WayIn | undefined;
  readonly controlPlane: readonly ControlPlaneMachine[];
  readonly nodes: readonly PoolNode[];
  readonly pools: readonly string[];
}

/** NAT rules of the API server's load balancer: the port that leads to each machine. */
export type NatRules = ReadonlyMap<string, number>;

/**
 * Reads the output of `az network lb inbound-nat-rule list -o json`, or the answer of Azure's API, which has the port in
 * `properties`.
 */
export const natRulesOf = (answer: unknown): NatRules =>
  new Map(
    list(Array.isArray(answer) ? answer : at(answer, "value")).flatMap((rule) => {
      const port = numberAt(rule, "frontendPort") ?? numberAt(rule, "properties", "frontendPort");
      return port === undefined ? [] : [[textAt(rule, "name"), port] as const];
    }),
  );

/** The ARM ID in a provider ID, which is `azure://` followed by the ARM ID. */
const resourceIdOf = ({ spec }: KubeObject): string | undefined => {
  const id = textAt(spec, "providerID").replace(/^azure:\/\//, "");
  return id === "" ? undefined : armIdWord(id);
};

const addressOf = ({ status }: KubeObject): string | undefined =>
  list(at(status, "addresses"))
    .filter((address) => textAt(address, "type") === "InternalIP")
    .map((address) => hostWord(textAt(address, "address"), "ADDRESS"))[0];

function controlPlaneOf(world: World, ports: NatRules): ControlPlaneMachine[] {
  return world
    .all("AzureMachine")
    .filter((machine) => scopeOf(machine, world) === "control-plane")
    .map((machine) => ({
      name: hostWord(machine.metadata.name, "MACHINE"),
      ip: addressOf(machine),
      port: ports.get(machine.metadata.name),
      resourceId: resourceIdOf(machine),
    }))
    .sort((a, b) => (a.port ?? 65536) - (b.port ?? 65536) || (a.name < b.name ? -1 : 1));
}

/**
 * Instances of a scale set. One that is not a node yet is addressed by its computer name, which Azure's DNS resolves in
 * the VNET.
 */
function scaleSetNodes(world: World, pool: string): PoolNode[] {
  const os: NodeOs = isWindowsPool(world, pool) ? "windows" : "linux";
  return instancesOf(world, pool).map((instance) => {
    const instanceId = textAt(instance.spec, "instanceID");
    const joined = textAt(instance.status, "nodeRef", "name");
    const node = nodesOf(world).find(({ metadata }) => metadata.name === joined);
    const name = hostWord(joined === "" ? computerName(pool, os, Number(instanceId)) : joined, "NODE");
    const host = (node && addressOf(node)) ?? name;
    return {
      ...{ name, pool, os, host, joined: joined !== "", instanceId },
      resourceId: resourceIdOf(instance),
    };
  });
}

function singleMachines(world: World, pool: string): PoolNode[] {
  return world
    .all("Machine")
    .filter(
      (machine) => scopeOf(machine, world) === `pool ${pool}` && ownerOf(machine, "MachineSet") !== undefined,
    )
    .map((machine) => {
      const joined = textAt(machine.status, "nodeRef", "name");
      const azure = world.find("AzureMachine", textAt(machine.spec, "infrastructureRef", "name"));
      const windows = textAt(azure?.spec, "osDisk", "osType") === "Windows";
      const name = hostWord(joined === "" ? machine.metadata.name : joined, "NODE");
      return {
        name,
        pool,
        os: windows ? "windows" : "linux",
        host: addressOf(machine) ?? name,
        joined: joined !== "",
        vm: azure?.metadata.name,
        resourceId: azure && resourceIdOf(azure),
      };
    });
}

/** @param wayIn - of the stack file */
export function reachableOf(snapshot: Snapshot, ports: NatRules, wayIn?: WayIn): Reachable {
  const world = new World(snapshot);
  const [azure] = world.all("AzureCluster");
  const balancer = at(azure?.spec, "networkSpec", "apiServerLB");
  const bastion = at(azure?.spec, "bastionSpec", "azureBastion");
  const pools = poolsOf(world);
  return {
    cluster: snapshot.cluster,
    stack: snapshot.stack,
    resourceGroup: textAt(azure?.spec, "resourceGroup"),
    loadBalancer: textAt(balancer, "name"),
    host: hostWord(textAt(azure?.spec, "controlPlaneEndpoint", "host")),
    isPrivate: text(at(balancer, "type")) === "Internal",
    // CAPZ's default name for a Bastion.
    bastion:
      bastion === undefined ? undefined : textAt(bastion, "name") || `${snapshot.cluster.name}-azure-bastion`,
    ...(wayIn === undefined ? {} : { wayIn }),
    controlPlane: controlPlaneOf(world, ports),
    nodes: pools
      .flatMap(({ kind, metadata }) =>
        kind === "MachinePool" ? scaleSetNodes(world, metadata.name) : singleMachines(world, metadata.name),
      )
      .sort((a, b) => (`${a.pool} ${a.name}` < `${b.pool} ${b.name}` ? -1 : 1)),
    pools: pools.map(({ metadata }) => metadata.name),
  };
}
