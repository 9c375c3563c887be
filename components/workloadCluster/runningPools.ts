import * as pulumi from "@pulumi/pulumi";
import type { PoolKind } from "capz-windows-platform/machines/pools";
import { childOf, givenOptions, requireDeletedWith, requireProviders, webhookRetry } from "../childOptions";
import { componentType } from "../componentType";
import { rollTimeouts } from "../timeouts";
import { WaitingPatch } from "../waitingPatch";
import { poolRunningPatch } from "./manifests";

/** A pool to wait for: fields of LinuxPool and WindowsPool have the same names. */
export interface AwaitedPoolArgs {
  /** Name of the MachinePool or MachineDeployment. */
  poolName: string;
  /** Its ID in the state, namespace/name. */
  poolId: pulumi.Input<string>;
  /** Which of the two it is. */
  kind: PoolKind;
  /** A text that changes with its objects: Pulumi waits only for what it updates. */
  contentHash: string;
  /** Updates of the pool wait until its nodes are upgraded. */
  ordersUpgrades: boolean;
  /** Number of machines of a MachineDeployment, for which it is waited longer. Default: 1. */
  machines?: number | undefined;
}

export interface RunningPoolsArgs {
  /** Namespace of the cluster's objects. */
  namespace: string;
  /** Pools to wait for. */
  pools: AwaitedPoolArgs[];
}

/**
 * Waits until all machines of the pools are nodes.
 *
 * Name in `opts.dependsOn` what nodes need to become ready: the Cluster with its API server, and the network. The pools
 * cannot wait themselves, because the Cluster depends on them. Name in `opts.deletedWith` the Cluster, with which Cluster
 * API takes the pools apart.
 */
export class RunningPools extends pulumi.ComponentResource {
  constructor(name: string, args: RunningPoolsArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("RunningPools"), name, { ...args }, givenOptions(opts));
    requireProviders(this, "kubernetes");
    const hooks = webhookRetry(name);
    const deletedWith = requireDeletedWith(this, opts);
    for (const pool of args.pools) {
      new WaitingPatch(
        `${name}-${pool.poolName}-running`,
        poolRunningPatch(pool, args.namespace),
        pool.poolId,
        {
          ...childOf(this, opts),
          hooks,
          deletedWith,
          // Machines of a MachineDeployment are replaced one after another.
          customTimeouts: rollTimeouts(pool.machines),
        },
      );
    }
    this.registerOutputs();
  }
}
