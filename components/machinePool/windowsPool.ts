import * as pulumi from "@pulumi/pulumi";
import type { NodeOs } from "capz-windows-platform/machines/naming";
import type { PoolKind } from "capz-windows-platform/machines/pools";
import { givenOptions, requireProviders } from "../childOptions";
import { componentType } from "../componentType";
import type { WindowsPoolArgs } from "./poolArgs";
import { poolObjectArgs } from "./poolObjectArgs";
import { poolResources, type PoolOutputs } from "./poolResources";

/**
 * A named pool of Windows nodes, in a scale set or as single machines: a capi-windows image that cloudbase-init sets
 * up. A name of up to 9 characters is also that of the scale set and the prefix of the computer names.
 */
export class WindowsPool extends pulumi.ComponentResource implements PoolOutputs {
  /** Name of the pool, of its MachinePool or MachineDeployment and of what it has in Azure. */
  readonly poolName: string;
  /** ID of its MachinePool or MachineDeployment in the state: namespace/name. */
  readonly poolId: pulumi.Output<string>;
  /** A scale set, or single machines. */
  readonly kind: PoolKind;
  /** Operating system of the nodes. */
  readonly os: NodeOs;
  /** Hash of the contents of all objects of the pool: another one after every change. */
  readonly contentHash: string;
  /** Updates of the pool wait until its nodes are upgraded, once UpgradeOrder or RunningPools has said so. */
  readonly ordersUpgrades: boolean;
  /** What the computer names of all machines begin with; for a MachinePool also the name of the scale set. */
  readonly computerNamePrefix: string;
  /** Computer names of the machines that a scale set creates first; those of a MachineDeployment cannot be known. */
  readonly firstNodes: string[];
  /** Image of the machines, in one line. */
  readonly image: string;
  /** Command that lists the images of this kind. */
  readonly listImages: string;

  constructor(name: string, args: WindowsPoolArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("WindowsPool"), name, { ...args }, givenOptions(opts));
    requireProviders(this, "kubernetes");
    const pool = poolResources(this, name, poolObjectArgs(args, "windows"), opts);
    this.poolName = pool.poolName;
    this.poolId = pool.poolId;
    this.kind = pool.kind;
    this.os = pool.os;
    this.contentHash = pool.contentHash;
    this.ordersUpgrades = pool.ordersUpgrades;
    this.computerNamePrefix = pool.computerNamePrefix;
    this.firstNodes = pool.firstNodes;
    this.image = pool.image;
    this.listImages = pool.listImages;
    this.registerOutputs(pool);
  }
}
