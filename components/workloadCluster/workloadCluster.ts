import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { assertDefined } from "../../domain/assertDefined";
import { apiVersions } from "../../domain/capi/apiVersions";
import { refuseChanges } from "../../domain/capi/refusedChanges";
import { apiServerHost, kubeconfigSecret } from "../../domain/cluster/naming";
import type { Flavor } from "../../domain/cluster/platform";
import { platformOf } from "../../domain/cluster/platform";
import type { PoolKind } from "../../domain/machines/pools";
import { defaultSubnets } from "../../domain/network/addressing";
import { defaultPodCidr, defaultServiceCidr, defaultVnetCidr } from "../../domain/network/defaults";
import { childOf, webhookRetry } from "../childOptions";
import { componentType } from "../componentType";
import { machineTimeouts } from "../timeouts";
import { azureClusterObject, clusterObject, poolRunningPatch } from "./manifests";

/** A pool to wait for: fields of LinuxPool and WindowsPool have the same names. */
export interface AwaitedPoolArgs {
  /** Name of the MachinePool or MachineDeployment. */
  poolName: string;
  /** Which of the two it is. */
  kind: PoolKind;
  /** Another text after every change of its objects: Pulumi waits for what it updates only. */
  contentHash: string;
}

export interface WorkloadClusterArgs {
  /** Name of the workload cluster. */
  clusterName: string;
  /** Namespace of the cluster's objects. Default: clusterName. */
  namespace?: string | undefined;
  /** Subscription of the cluster. The host of the API server follows from it. */
  subscriptionId: string;
  /** Resource group of the cluster. The host of the API server follows from it. Default: clusterName. */
  resourceGroup?: string | undefined;
  /** Azure region in its short form. The host of the API server follows from it. */
  location: string;
  /** Kubernetes version of the control plane, with leading v. */
  kubernetesVersion: string;
  /** Container runtime of the Windows nodes, and with it the CNI. Default: containerd. */
  flavor?: Flavor;
  /** Name of the AzureClusterIdentity by which CAPZ logs in. */
  identityName: pulumi.Input<string>;
  /** Address range of the VNET. Default: 10.10.0.0/16. */
  vnetCidr?: pulumi.Input<string> | undefined;
  /** Subnet of the control plane. Default: the one of VirtualNetwork. */
  controlPlaneSubnetCidr?: pulumi.Input<string> | undefined;
  /** Subnet of all pools. Default: the one of VirtualNetwork. */
  nodeSubnetCidr?: pulumi.Input<string> | undefined;
  /** Range of the pods. Default: 192.168.0.0/16 with Calico, 10.244.0.0/16 with Flannel. */
  podCidr?: pulumi.Input<string> | undefined;
  /** Range of the Services. Default: 10.96.0.0/12. */
  serviceCidr?: pulumi.Input<string> | undefined;
  /** Azure tags of what CAPZ creates. Default: none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /** Wait until the API server answers, and then read the kubeconfig. Default: true. */
  wait?: boolean | undefined;
  /** Pools to wait for after that. Default: none. */
  awaitedPools?: AwaitedPoolArgs[] | undefined;
  /** Refuse to delete the Cluster. Default: false. */
  protect?: boolean | undefined;
}

/**
 * The AzureCluster and the Cluster, which binds everything together.
 *
 * Name in `opts.dependsOn` everything that the Cluster is made of or lives on: control plane, pools, add-ons,
 * identities, network. Being dependencies they exist before it and, what matters, are deleted after it: Cluster API must
 * take a cluster apart itself, and for that it needs all of them.
 */
export class WorkloadCluster extends pulumi.ComponentResource {
  /** Host of the API server; known before deployment. */
  readonly apiServerHost: string;
  /** Kubeconfig of the cluster, a secret; missing when nothing is waited for. */
  readonly kubeconfig?: pulumi.Output<string> | undefined;

  constructor(name: string, args: WorkloadClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("WorkloadCluster"), name, { ...args }, opts);
    const { clusterName, namespace = clusterName, resourceGroup = clusterName, wait = true } = args;
    const { subscriptionId, location } = args;
    const retry = webhookRetry(name);
    const hooks = {
      ...retry,
      beforeUpdate: [new pulumi.ResourceHook(`${name}-refuse`, refuseChanges, { onDryRun: true })],
    };
    const objects = this.objects(args, { namespace, resourceGroup, wait });
    const azureCluster = new apiextensions.CustomResource(
      `${name}-azure`,
      {
        apiVersion: apiVersions.azure,
        kind: "AzureCluster",
        metadata: objects.apply((known) => known.azureCluster.metadata),
        spec: objects.apply((known) => known.azureCluster.spec),
      },
      { ...childOf(this, opts), hooks },
    );
    const clusterArgs = {
      apiVersion: apiVersions.cluster,
      kind: "Cluster",
      metadata: objects.apply((known) => known.cluster.metadata),
      spec: objects.apply((known) => known.cluster.spec),
    };
    const cluster = new apiextensions.CustomResource(`${name}-cluster`, clusterArgs, {
      ...childOf(this, opts, azureCluster),
      hooks,
      protect: args.protect ?? false,
      // The first control plane machine, and on deletion every machine, disk and load balancer.
      customTimeouts: machineTimeouts,
    });
    for (const pool of args.awaitedPools ?? []) {
      new apiextensions.CustomResourcePatch(
        `${name}-${pool.poolName}-running`,
        poolRunningPatch(pool, namespace),
        {
          // After the Cluster, because a pool cannot run before: on the pool itself, which the Cluster depends
          // on, this wait would never end.
          ...childOf(this, opts, cluster),
          hooks: retry,
          // Cluster API takes the pool apart with the Cluster, and a patch of a pool that is gone cannot be taken back.
          deletedWith: cluster,
          // Windows nodes come up last: image, first boot, reboot of the network.
          customTimeouts: machineTimeouts,
        },
      );
    }
    this.apiServerHost = apiServerHost({ clusterName, subscriptionId, resourceGroup, location });
    this.kubeconfig = wait ? this.readKubeconfig(name, { namespace, clusterName }, cluster) : undefined;
    this.registerOutputs({ apiServerHost: this.apiServerHost, kubeconfig: this.kubeconfig });
  }

  /** Both objects, once all inputs are known. */
  private objects(
    args: WorkloadClusterArgs,
    { namespace, resourceGroup, wait }: { namespace: string; resourceGroup: string; wait: boolean },
  ) {
    const { clusterName, subscriptionId, location, flavor = "containerd" } = args;
    const platform = platformOf(flavor, args.kubernetesVersion);
    return pulumi
      .all([
        args.vnetCidr ?? defaultVnetCidr,
        args.controlPlaneSubnetCidr,
        args.nodeSubnetCidr,
        args.podCidr ?? defaultPodCidr(platform.cni),
        args.serviceCidr ?? defaultServiceCidr,
        args.identityName,
        args.tags,
      ])
      .apply(([vnetCidr, controlPlaneCidr, nodeCidr, podCidr, serviceCidr, identityName, tags = {}]) => {
        const subnets = defaultSubnets(vnetCidr);
        return {
          cluster: clusterObject({ clusterName, namespace, platform, podCidr, serviceCidr, wait }),
          azureCluster: azureClusterObject({
            ...{ clusterName, namespace, subscriptionId, resourceGroup, location, identityName, tags },
            vnetCidr,
            controlPlaneSubnetCidr: controlPlaneCidr ?? subnets.controlPlane,
            nodeSubnetCidr: nodeCidr ?? subnets.nodes,
          }),
        };
      });
  }

  private readKubeconfig(
    name: string,
    { namespace, clusterName }: { namespace: string; clusterName: string },
    cluster: pulumi.CustomResource,
  ) {
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
