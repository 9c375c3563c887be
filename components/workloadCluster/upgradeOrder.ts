import * as pulumi from "@pulumi/pulumi";
import type { PoolKind } from "capz-windows-platform/machines/pools";
import { childOf, givenOptions, requireDeletedWith, requireProviders, webhookRetry } from "../childOptions";
import { componentType } from "../componentType";
import { rollTimeouts } from "../timeouts";
import { WaitingPatch } from "../waitingPatch";
import { controlPlaneUpgradedPatch, poolUpgradedPatch } from "./manifests";

/** A pool whose updates are waited for: fields of LinuxPool and WindowsPool have the same names. */
export interface UpgradedPoolArgs {
  /** Name of the MachinePool or MachineDeployment. */
  poolName: string;
  /** Its ID in the state, namespace/name. */
  poolId: pulumi.Input<string>;
  /** Which of the two it is. */
  kind: PoolKind;
  /** Number of machines of a MachineDeployment, for which it is waited longer. Default: 1. */
  machines?: number | undefined;
}

export interface UpgradeOrderArgs {
  /** Name of the workload cluster. */
  clusterName: string;
  /** Namespace of the cluster's objects. */
  namespace: string;
  /** ID of the KubeadmControlPlane in the state, namespace/name. */
  controlPlaneId: pulumi.Input<string>;
  /** Pools that are updated before what depends on them. Default: none. */
  pools?: UpgradedPoolArgs[] | undefined;
}

/**
 * Makes upgrades go in order: every later update of the control plane waits until all of its machines have the version
 * of the spec, and every later update of a pool likewise until its nodes have. What depends on them is updated
 * afterwards. An update of a MachineDeployment waits until its old machines are gone, because Pulumi deletes the templates
 * that they need right after it.
 *
 * They cannot carry the wait themselves, because there is no machine to wait for before the Cluster is created, which
 * depends on them. The patches add it to the live objects, where the Kubernetes provider reads it at each update. They
 * never change.
 *
 * Name in `opts.dependsOn` the Cluster with its API server, and in `opts.deletedWith` the Cluster.
 */
export class UpgradeOrder extends pulumi.ComponentResource {
  constructor(name: string, args: UpgradeOrderArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("UpgradeOrder"), name, { ...args }, givenOptions(opts));
    requireProviders(this, "kubernetes");
    const { clusterName, namespace, controlPlaneId, pools = [] } = args;
    const hooks = webhookRetry(name);
    const deletedWith = requireDeletedWith(this, opts);
    new WaitingPatch(
      `${name}-control-plane`,
      controlPlaneUpgradedPatch(clusterName, namespace),
      controlPlaneId,
      { ...childOf(this, opts), hooks, deletedWith },
    );
    for (const { poolName, poolId, kind, machines } of pools) {
      new WaitingPatch(`${name}-${poolName}`, poolUpgradedPatch({ kind, poolName }, namespace), poolId, {
        ...childOf(this, opts),
        hooks,
        deletedWith,
        // Machines of a MachineDeployment are replaced one after another.
        customTimeouts: rollTimeouts(machines),
      });
    }
    this.registerOutputs();
  }
}
