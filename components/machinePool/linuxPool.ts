import * as pulumi from "@pulumi/pulumi";
import type { NodeOs } from "../../platform/machines/naming";
import type { PoolKind } from "../../platform/machines/pools";
import { givenOptions, requireProviders } from "../childOptions";
import { componentType } from "../componentType";
import type { LinuxPoolArgs } from "./poolArgs";
import { poolObjectArgs } from "./poolObjectArgs";
import { poolResources, type PoolOutputs } from "./poolResources";

/** A named pool of Linux nodes in a scale set. */
export class LinuxPool extends pulumi.ComponentResource implements PoolOutputs {
  /** Name of the pool, of its MachinePool or MachineDeployment and of what it has in Azure. */
  declare readonly poolName: string;
  /** ID of its MachinePool or MachineDeployment in the state: namespace/name. */
  declare readonly poolId: pulumi.Output<string>;
  /** A scale set, or single machines. */
  declare readonly kind: PoolKind;
  /** Operating system of the nodes. */
  declare readonly os: NodeOs;
  /** Hash of the contents of all objects of the pool: another one after every change. */
  declare readonly contentHash: string;
  /** Updates of the pool wait until its nodes are upgraded, once UpgradeOrder or RunningPools has said so. */
  declare readonly ordersUpgrades: boolean;
  /** What the computer names of all machines begin with; for a MachinePool also the name of the scale set. */
  declare readonly computerNamePrefix: string;
  /** Computer names of the machines that a scale set creates first; those of a MachineDeployment cannot be known. */
  declare readonly firstNodes: string[];
  /** Image of the machines, in one line. */
  declare readonly image: string;
  /** Command that lists the images of this kind. */
  declare readonly listImages: string;

  constructor(name: string, args: LinuxPoolArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("LinuxPool"), name, { ...args }, givenOptions(opts));
    requireProviders(this, "kubernetes");
    const pool = poolResources(this, name, poolObjectArgs(args, "linux"), opts);
    Object.assign(this, pool);
    this.registerOutputs(pool);
  }
}
