import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { kubeconfigOfCluster } from "../kubeconfigOfCluster";
import { assertDefined } from "capz-windows-kit/assertDefined";
import { apiVersions } from "../../capi/apiVersions";
import { overridden, overriddenMetadata, parseOverrides } from "../../capi/overrides/overrides";
import { apiServerHost } from "capz-windows-platform/cluster/naming";
import { type Flavor, platformOf } from "capz-windows-platform/cluster/platform";
import { defaultSubnets } from "capz-windows-platform/network/addressing";
import { defaultPodCidr, defaultServiceCidr, defaultVnetCidr } from "capz-windows-platform/network/defaults";
import {
  childOf,
  givenOptions,
  guarded,
  neverDeletedFirst,
  requireProviders,
  webhookRetry,
} from "../childOptions";
import { componentType } from "../componentType";
import { machineTimeouts } from "../timeouts";
import { WaitingPatch } from "../waitingPatch";
import type { ExistingNetworkIds } from "capz-windows-platform/company-network/existingNetwork";
import type { OutboundArgs } from "capz-windows-platform/company-network/outbound";
import { kubeconfigId } from "./kubeconfigId";
import {
  apiServerPatch,
  azureClusterMetadata,
  azureClusterObject,
  clusterMetadata,
  clusterObject,
  linkServicePatch,
} from "./manifests";

export interface PrivateApiServerArgs {
  /** Address in the control plane subnet. */
  ip: string;
  /** Name of the private DNS zone that has the record apiserver. */
  zoneName: string;
  /**
   * Subscriptions whose private endpoints reach it by a private link service, without approval. Default: there is no
   * private link service.
   */
  privateLinkSubscriptions?: pulumi.Input<string[]> | undefined;
}

export interface WorkloadClusterOptions extends pulumi.ComponentResourceOptions {
  /**
   * Makes that by which the management cluster reaches the API server, where the private link service is there. Default:
   * nothing is made, and nothing waits for the service.
   */
  readonly endpoints?: ((service: pulumi.Resource) => pulumi.Resource[]) | undefined;
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
  /** Further subnets of the VNET for pools: name to address range. Default: none. */
  poolSubnets?: Record<string, string> | undefined;
  /** Subnets of a VNET that others have made. Default: the VNET is the one of VirtualNetwork. */
  existingNetwork?: ExistingNetworkIds | undefined;
  /** The way out of the VNET, as VirtualNetwork has it. Default: a NAT gateway with one public address. */
  outbound?: OutboundArgs | undefined;
  /** Range of the pods. Default: the one of the CNI, as in the stack file. */
  podCidr?: pulumi.Input<string> | undefined;
  /** Range of the Services. Default: 10.96.0.0/12. */
  serviceCidr?: pulumi.Input<string> | undefined;
  /** Address and DNS zone of an API server without a public address. Default: it has one. */
  privateApiServer?: PrivateApiServerArgs | undefined;
  /** Azure tags of what CAPZ creates. Default: none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /** RFC 7386 merge patches of Cluster and AzureCluster, as JSON by kind. Default: none. */
  overrides?: Record<string, string> | undefined;
  /** Wait until the API server answers, and then read the kubeconfig. Default: true. */
  wait?: boolean | undefined;
  /** Refuse to delete the Cluster. Default: false. */
  protect?: boolean | undefined;
}

/**
 * The AzureCluster and the Cluster, which binds everything together.
 *
 * Name in `opts.dependsOn` everything that the Cluster consists of or needs: control plane, pools, add-ons, identities,
 * network. As dependencies they are created before it and, more importantly, deleted after it: Cluster API must delete
 * a cluster itself, and needs all of them for that.
 */
export class WorkloadCluster extends pulumi.ComponentResource {
  /** Host of the API server; known before deployment. */
  readonly apiServerHost: string;
  /** Kubeconfig of the cluster, a secret; missing when nothing is waited for. */
  readonly kubeconfig?: pulumi.Output<string> | undefined;
  readonly #cluster: pulumi.Resource;
  readonly #apiServer: pulumi.Resource;

  constructor(name: string, args: WorkloadClusterArgs, opts?: WorkloadClusterOptions) {
    super(componentType("WorkloadCluster"), name, { ...args }, givenOptions(opts));
    requireProviders(this, "kubernetes");
    const { clusterName, namespace = clusterName, resourceGroup = clusterName, wait = true } = args;
    const { subscriptionId, location } = args;
    const retry = webhookRetry(name);
    const hooks = guarded(name, retry);
    const objects = this.objects(args, { namespace, resourceGroup });
    const azureCluster = new apiextensions.CustomResource(
      `${name}-azure`,
      {
        apiVersion: apiVersions.azure,
        kind: "AzureCluster",
        metadata: objects.azureCluster.metadata,
        spec: objects.azureCluster.spec,
      },
      { ...childOf(this, opts), hooks, ...neverDeletedFirst },
    );
    const clusterArgs = {
      apiVersion: apiVersions.cluster,
      kind: "Cluster",
      metadata: objects.cluster.metadata,
      spec: objects.cluster.spec,
    };
    const cluster = new apiextensions.CustomResource(`${name}-cluster`, clusterArgs, {
      ...childOf(this, opts, azureCluster),
      hooks,
      protect: args.protect ?? false,
      ...neverDeletedFirst,
      // Covers the first control plane machine, and on deletion every machine, disk and load balancer.
      customTimeouts: machineTimeouts,
    });
    // CAPZ makes the service once Cluster API has made the Cluster the owner of the AzureCluster.
    const ways =
      args.privateApiServer?.privateLinkSubscriptions === undefined
        ? []
        : (opts?.endpoints?.(
            new WaitingPatch(`${name}-private-link`, linkServicePatch(clusterName, namespace), cluster.id, {
              ...childOf(this, opts, azureCluster, cluster),
              hooks: retry,
              deletedWith: cluster,
            }),
          ) ?? []);
    const apiServer = wait
      ? new WaitingPatch(`${name}-initialized`, apiServerPatch(clusterName, namespace), cluster.id, {
          ...childOf(this, opts, cluster, ...ways),
          hooks: retry,
          deletedWith: cluster,
        })
      : undefined;
    this.#cluster = cluster;
    this.#apiServer = apiServer ?? cluster;
    this.apiServerHost = apiServerHost({
      ...{ clusterName, subscriptionId, resourceGroup, location },
      privateZone: args.privateApiServer?.zoneName,
    });
    this.kubeconfig = apiServer && this.readKubeconfig(name, { namespace, clusterName }, apiServer);
    this.registerOutputs({ apiServerHost: this.apiServerHost, kubeconfig: this.kubeconfig });
  }

  /** The Cluster, for the `deletedWith` of what Cluster API deletes along with it. */
  get cluster(): pulumi.Resource {
    return this.#cluster;
  }

  /**
   * Resources that depend on this are created when the API server answers, or after the Cluster if nothing is waited
   * for.
   */
  get apiServer(): pulumi.Resource {
    return this.#apiServer;
  }

  /** Both objects. Their metadata depend on no input, so a preview shows them also while a range is unknown. */
  private objects(
    args: WorkloadClusterArgs,
    { namespace, resourceGroup }: { namespace: string; resourceGroup: string },
  ) {
    const { clusterName, subscriptionId, location, flavor = "containerd" } = args;
    const platform = platformOf(flavor, args.kubernetesVersion);
    const overrides = parseOverrides(args.overrides);
    const cluster = pulumi
      .all([args.podCidr ?? defaultPodCidr(platform.cni), args.serviceCidr ?? defaultServiceCidr])
      .apply(([podCidr, serviceCidr]) =>
        overridden(clusterObject({ clusterName, namespace, platform, podCidr, serviceCidr }), overrides),
      );
    const azureCluster = pulumi
      .all([
        args.vnetCidr ?? defaultVnetCidr,
        args.controlPlaneSubnetCidr,
        args.nodeSubnetCidr,
        args.identityName,
        args.tags,
        args.privateApiServer,
      ])
      .apply(([vnetCidr, controlPlaneCidr, nodeCidr, identityName, tags = {}, privateApiServer]) => {
        const subnets = defaultSubnets(vnetCidr);
        return overridden(
          azureClusterObject({
            ...{ clusterName, namespace, subscriptionId, resourceGroup, location, identityName, tags },
            vnetCidr,
            controlPlaneSubnetCidr: controlPlaneCidr ?? subnets.controlPlane,
            nodeSubnetCidr: nodeCidr ?? subnets.nodes,
            poolSubnets: args.poolSubnets,
            privateApiServer,
            existing: args.existingNetwork,
            outbound: args.outbound,
          }),
          overrides,
        );
      });
    return {
      cluster: {
        metadata: overriddenMetadata(
          "Cluster",
          clusterMetadata({ clusterName, namespace, platform }),
          overrides,
        ),
        spec: cluster.apply(({ spec }) => spec),
      },
      azureCluster: {
        metadata: overriddenMetadata(
          "AzureCluster",
          azureClusterMetadata({ clusterName, namespace }),
          overrides,
        ),
        spec: azureCluster.apply(({ spec }) => spec),
      },
    };
  }

  private readKubeconfig(
    name: string,
    { namespace, clusterName }: { namespace: string; clusterName: string },
    apiServer: WaitingPatch,
  ) {
    const secret = core.Secret.get(
      `${name}-kubeconfig`,
      apiServer.status.apply((status) =>
        kubeconfigId({ namespace, clusterName, status, isPreview: pulumi.runtime.isDryRun() }),
      ),
      { parent: this, dependsOn: [apiServer] },
    );
    // The SDK marks the data of every Secret as secret.
    return secret.data.apply((data) =>
      kubeconfigOfCluster(
        Buffer.from(assertDefined(data.value, "the key `value` of the kubeconfig secret"), "base64").toString(
          "utf8",
        ),
      ),
    );
  }
}
