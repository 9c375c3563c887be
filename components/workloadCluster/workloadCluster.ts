import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { refuseChanges } from "../../domain/capi/refusedChanges";
import { childOf, type ComponentOptions } from "../childOptions";
import { componentType } from "../componentType";
import { machineTimeouts } from "../timeouts";
import { assertDefined } from "../../domain/assertDefined";
import type { AwaitedPool, AzureClusterArgs, ClusterObjectArgs } from "./manifests";
import { azureClusterObject, clusterObject, poolRunningPatch } from "./manifests";
import type { ClusterIdentity } from "../../domain/cluster/naming";
import { apiServerHost, kubeconfigSecret } from "../../domain/cluster/naming";

export interface WorkloadClusterArgs
  extends Omit<ClusterObjectArgs, "wait">, AzureClusterArgs, ClusterIdentity {
  /** Read the kubeconfig once the API server answers; without waiting there is nothing to read yet. */
  readonly wait: boolean;
  /** Pools to wait for after that; usually none or all. */
  readonly awaitedPools: readonly (AwaitedPool & { readonly machines: pulumi.CustomResource })[];
  readonly protect: boolean;
  /**
   * Everything that the Cluster is made of or lives on: control plane, pools, add-ons, identities, network. Being
   * dependencies they exist before it and, what matters, are deleted after it: Cluster API must take a cluster apart
   * itself, and for that it needs all of them.
   */
  readonly consistsOf: readonly pulumi.Resource[];
}

/** The AzureCluster and the Cluster, which binds everything together. */
export class WorkloadCluster extends pulumi.ComponentResource {
  /** Known before deployment. */
  readonly apiServerHost: string;
  /** Secret; missing when nothing is waited for. */
  readonly kubeconfig: pulumi.Output<string> | undefined;

  constructor(name: string, args: WorkloadClusterArgs, opts: ComponentOptions) {
    super(componentType("WorkloadCluster"), name, {}, opts);
    const hooks = {
      beforeUpdate: [new pulumi.ResourceHook(`${name}-refuse`, refuseChanges, { onDryRun: true })],
    };
    const azureCluster = new apiextensions.CustomResource(`${name}-azure`, azureClusterObject(args), {
      ...childOf(this, opts),
      hooks,
    });
    const cluster = new apiextensions.CustomResource(`${name}-cluster`, clusterObject(args), {
      ...childOf(this, opts, azureCluster, ...args.consistsOf),
      hooks,
      protect: args.protect,
      // The first control plane machine, and on deletion every machine, disk and load balancer.
      customTimeouts: machineTimeouts,
    });
    for (const pool of args.awaitedPools) {
      new apiextensions.CustomResourcePatch(
        `${name}-${pool.poolName}-running`,
        poolRunningPatch(pool, args.namespace),
        {
          // After the Cluster, because a pool cannot run before: on the pool itself, which the Cluster depends
          // on, this wait would never end.
          ...childOf(this, opts, cluster),
          // A patch of a pool that is gone cannot be taken back.
          deletedWith: pool.machines,
          // Windows nodes come up last: image, first boot, reboot of the network.
          customTimeouts: machineTimeouts,
        },
      );
    }
    this.apiServerHost = apiServerHost(args);
    this.kubeconfig = args.wait ? this.readKubeconfig(name, args, cluster) : undefined;
    this.registerOutputs({ apiServerHost: this.apiServerHost });
  }

  private readKubeconfig(name: string, args: WorkloadClusterArgs, cluster: pulumi.CustomResource) {
    const { namespace, clusterName } = args;
    const secret = core.Secret.get(
      `${name}-kubeconfig`,
      // Through the Cluster's id: a literal one would be read in the first preview, when there is no Secret yet.
      cluster.id.apply(() => `${namespace}/${kubeconfigSecret(clusterName)}`),
      { parent: this, dependsOn: [cluster] },
    );
    return pulumi.secret(
      secret.data.apply((data) =>
        Buffer.from(assertDefined(data.value, "the key `value` of the kubeconfig secret"), "base64").toString(
          "utf8",
        ),
      ),
    );
  }
}
