import { isIP } from "node:net";
import type { WayIn } from "capz-windows-contract";
import { computerName, type NodeOs } from "capz-windows-platform/machines/naming";
import { at, list, numberAt, text, textAt } from "capz-windows-kit/untyped";
import { armIdWord, hostWord } from "capz-windows-kit/shell";
import { type KubeObject, ownerOf } from "../cluster/objects";
import { type Snapshot, World } from "../cluster/snapshot";
import { vmNameOf } from "../cluster/virtualMachines";
import { instancesOf, isWindowsPool, nodesOf, poolsOf, scopeOf } from "../cluster/scope";

/**
 * The machines to which a user can log in, read from the objects of both clusters. Names and addresses that cannot be those of a
 * machine are words in capitals: ssh would read more in them.
 */

export interface Machine {
  /** Of a machine of the control plane also that of its AzureMachine, its virtual machine and its NAT rule. */
  readonly name: string;
  /** Missing for a machine of the control plane. */
  readonly pool?: string | undefined;
  readonly os: NodeOs;
  /** Address or name at which a jump host reaches the machine. */
  readonly address: string;
  /** Whether the machine has become a node. */
  readonly joined: boolean;
  /** ARM ID of the machine, once it has one. */
  readonly id?: string | undefined;
  /** Port of the load balancer, from its NAT rules; `undefined` if Azure could not be asked. */
  readonly port?: number | undefined;
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
  readonly controlPlane: readonly Machine[];
  readonly nodes: readonly Machine[];
  readonly pools: readonly string[];
}

/** NAT rules of the API server's load balancer: the port that leads to each machine. */
export type NatRules = ReadonlyMap<string, number>;

/** Reads the output of `az network lb inbound-nat-rule list -o json`. */
export function natRulesOf(answer: unknown): NatRules {
  const rules = new Map<string, number>();
  for (const rule of list(answer)) {
    const port = numberAt(rule, "frontendPort");
    if (port !== undefined) {
      rules.set(textAt(rule, "name"), port);
    }
  }
  return rules;
}

/** The ARM ID in a provider ID, which is `azure://` followed by the ARM ID. */
const resourceIdOf = ({ spec }: KubeObject): string | undefined => {
  const id = textAt(spec, "providerID").replace(/^azure:\/\//, "");
  return id === "" ? undefined : armIdWord(id);
};

const addressOf = ({ status }: KubeObject): string | undefined =>
  list(at(status, "addresses"))
    .filter((address) => textAt(address, "type") === "InternalIP")
    .map((address) => textAt(address, "address"))
    // A node says its own addresses: a host name among them would lead a login anywhere.
    .find((address) => isIP(address) !== 0);

function controlPlaneOf(world: World, ports: NatRules): Machine[] {
  return world
    .all("AzureMachine")
    .filter((machine) => scopeOf(machine, world) === "control-plane")
    .map((machine): Machine => {
      const name = hostWord(machine.metadata.name, "MACHINE");
      const port = ports.get(machine.metadata.name);
      const address = addressOf(machine) ?? name;
      return { name, os: "linux", address, joined: true, id: resourceIdOf(machine), port };
    })
    .sort((a, b) => (a.port ?? 65536) - (b.port ?? 65536) || (a.name < b.name ? -1 : 1));
}

/**
 * Instances of a scale set. One that is not a node yet is addressed by its computer name, which Azure's DNS resolves in
 * the VNET.
 */
function scaleSetNodes(world: World, pool: string): Machine[] {
  const os: NodeOs = isWindowsPool(world, pool) ? "windows" : "linux";
  return instancesOf(world, pool).map((instance) => {
    const joined = textAt(instance.status, "nodeRef", "name");
    const node = nodesOf(world).find(({ metadata }) => metadata.name === joined);
    const computer = computerName(pool, os, Number(textAt(instance.spec, "instanceID")));
    const name = hostWord(joined === "" ? computer : joined, "NODE");
    const address = (node && addressOf(node)) ?? name;
    return { name, pool, os, address, joined: joined !== "", id: resourceIdOf(instance) };
  });
}

function singleMachines(world: World, pool: string): Machine[] {
  return world
    .all("Machine")
    .filter(
      (machine) => scopeOf(machine, world) === `pool ${pool}` && ownerOf(machine, "MachineSet") !== undefined,
    )
    .map((machine) => {
      const joined = textAt(machine.status, "nodeRef", "name");
      const azure = world.find("AzureMachine", textAt(machine.spec, "infrastructureRef", "name"));
      const os: NodeOs = textAt(azure?.spec, "osDisk", "osType") === "Windows" ? "windows" : "linux";
      const name = hostWord(joined === "" ? vmNameOf(machine, world) : joined, "NODE");
      const address = addressOf(machine) ?? name;
      return { name, pool, os, address, joined: joined !== "", id: azure && resourceIdOf(azure) };
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
