import type { Provider as AzureProvider } from "@pulumi/azure-native/provider";
import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as core from "@pulumi/kubernetes/core/v1";
import type { Provider as KubernetesProvider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { componentType } from "../componentType";
import type { ControllerIdentityArgs } from "./controllerIdentity";
import { ControllerIdentity } from "./controllerIdentity";
import { clusterIdentityObject } from "./manifests";
import type { ProvidersArgs } from "./providers";
import { Providers } from "./providers";

export interface ClusterApiArgs {
  readonly clusterName: string;
  /** Namespace of the workload cluster's objects. */
  readonly namespace: string;
  readonly tenantId: string;
  /** What to install; missing when the management cluster has it already. */
  readonly install?: ProvidersArgs | undefined;
  readonly identity: Omit<ControllerIdentityArgs, "clusterName">;
  readonly azure: AzureProvider;
  readonly kubernetes: KubernetesProvider;
}

/**
 * Cluster API with CAPZ on the management cluster, and what one workload cluster needs of it: a namespace, an Azure
 * identity that CAPZ may use, and an identity for the control plane.
 */
export class ClusterApi extends pulumi.ComponentResource {
  /** ARM id of the identity that the control plane carries; known before deployment. */
  readonly controlPlaneIdentityId: string;
  /** Name of the AzureClusterIdentity. */
  readonly identityName: string;
  /** What every object of the workload cluster needs first, and what must be there until the last one is gone. */
  readonly ready: pulumi.Resource[];

  constructor(name: string, args: ClusterApiArgs, opts: pulumi.ComponentResourceOptions) {
    super(componentType("ClusterApi"), name, {}, opts);
    const inCluster = { parent: this, provider: args.kubernetes };
    const installed = args.install && [new Providers(`${name}-providers`, args.install, inCluster)];
    const identity = new ControllerIdentity(
      `${name}-identity`,
      { ...args.identity, clusterName: args.clusterName },
      { parent: this, provider: args.azure },
    );
    const namespace = new core.Namespace(
      `${name}-namespace`,
      { metadata: { name: args.namespace } },
      // The namespace outlives the Cluster, and the providers outlive the namespace.
      { ...inCluster, ...(installed ? { dependsOn: installed } : {}) },
    );
    this.identityName = `${args.clusterName}-identity`;
    this.controlPlaneIdentityId = identity.controlPlaneIdentityId;
    const clusterIdentity = new apiextensions.CustomResource(
      `${name}-cluster-identity`,
      clusterIdentityObject({
        name: this.identityName,
        namespace: args.namespace,
        tenantId: args.tenantId,
        clientId: identity.clientId,
      }),
      { ...inCluster, dependsOn: [namespace, identity] },
    );
    this.ready = [clusterIdentity];
    this.registerOutputs({
      identityName: this.identityName,
      controlPlaneIdentityId: this.controlPlaneIdentityId,
    });
  }
}
