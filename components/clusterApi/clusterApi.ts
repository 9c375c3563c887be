import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { deletedWithOf, requireProviders, webhookRetry, withoutDeletedWith } from "../childOptions";
import { componentType } from "../componentType";
import { secretFileText, secretFilesName } from "../../bootstrap/userFiles";
import type { ClusterApiArgs } from "./clusterApiArgs";
import { ControllerIdentity } from "./controllerIdentity";
import { clusterIdentityObject } from "./manifests";
import { Providers } from "./providers";
import { pick, withoutUndefined } from "capz-windows-kit/without";

/**
 * Cluster API with CAPZ on the management cluster, and what one workload cluster needs from it: a namespace, an Azure
 * identity that CAPZ may use, and an identity for the control plane. It needs two providers in `opts.providers`: one of
 * azure-native, and one of kubernetes for the management cluster. `opts.deletedWith` is for the objects in the management
 * cluster: if it names a management cluster that is deleted along with the component, they are not deleted one by one.
 * The identities and their roles in Azure are.
 */
export class ClusterApi extends pulumi.ComponentResource {
  /** ARM id of the identity that the control plane carries; known before deployment. */
  readonly controlPlaneIdentityId: string;
  /** Name of the AzureClusterIdentity. */
  readonly identityName: string;
  /** Namespace of the workload cluster's objects. */
  readonly namespace: string;
  readonly #ready: pulumi.Resource[];

  constructor(name: string, args: ClusterApiArgs, opts?: pulumi.ComponentResourceOptions) {
    // Excludes what waits for a resource group or an AKS cluster.
    const inputs = {
      ...args,
      resourceGroupName: undefined,
      resourceGroupId: undefined,
      oidcIssuerUrl: undefined,
      secretFiles: undefined,
    };
    // Or the identities and their roles would inherit it, and stay in Azure when AKS is deleted.
    super(componentType("ClusterApi"), name, inputs, withoutDeletedWith(opts));
    requireProviders(this, "kubernetes", "azure-native");
    const inManagement = deletedWithOf(opts);
    const namespaceName = args.namespace ?? args.clusterName;
    const installed =
      args.install === false
        ? []
        : [
            new Providers(
              `${name}-providers`,
              {
                ...args.versions,
                installCertManager: args.installCertManager,
                chartArchives: args.chartArchives,
                componentsRepository: args.componentsRepository,
                ...withoutUndefined(pick(args, "syncPeriodMinutes", "bootstrapTtlMinutes")),
              },
              { parent: this, ...inManagement },
            ),
          ];
    const { clusterName, subscriptionId, location, resourceGroup, resourceGroupId, oidcIssuerUrl } = args;
    const { fileShares, diskEncryptionSetIds, keyVaultKeyIds, networkScopes } = args;
    const { containerRegistryIds, roles, tags } = args;
    const identity = new ControllerIdentity(
      `${name}-identity`,
      {
        ...{ clusterName, subscriptionId, location, resourceGroup, resourceGroupId, oidcIssuerUrl },
        resourceGroupName: args.resourceGroupName ?? resourceGroup,
        existing: args.identity,
        ...{ fileShares, diskEncryptionSetIds, keyVaultKeyIds, networkScopes },
        ...{ containerRegistryIds, roles, tags },
      },
      { parent: this },
    );
    // The namespace outlives the Cluster, and the providers outlive the namespace.
    const namespace =
      args.createNamespace === false
        ? // Read, so that a missing one is reported by the preview.
          core.Namespace.get(`${name}-existing-namespace`, namespaceName, {
            parent: this,
            dependsOn: installed,
          })
        : new core.Namespace(
            `${name}-namespace`,
            { metadata: { name: namespaceName } },
            { parent: this, ...inManagement, dependsOn: installed, protect: args.protect ?? false },
          );
    this.namespace = namespaceName;
    this.identityName = `${args.clusterName}-identity`;
    this.controlPlaneIdentityId = identity.controlPlaneIdentityId;
    const clusterIdentity = new apiextensions.CustomResource(
      `${name}-cluster-identity`,
      clusterIdentityObject<pulumi.Input<string>>({
        name: this.identityName,
        namespace: namespaceName,
        tenantId: args.tenantId,
        clientId: identity.clientId,
      }),
      { parent: this, ...inManagement, dependsOn: [namespace, identity], hooks: webhookRetry(name) },
    );
    const secrets =
      args.secretFiles === undefined
        ? []
        : [
            new core.Secret(
              `${name}-secret-files`,
              {
                metadata: { name: secretFilesName(args.clusterName), namespace: namespaceName },
                stringData: Object.fromEntries(
                  Object.entries(args.secretFiles).map(([key, content]) => [
                    key,
                    pulumi.secret(pulumi.output(content).apply(secretFileText)),
                  ]),
                ),
              },
              { parent: this, ...inManagement, dependsOn: [namespace] },
            ),
          ];
    this.#ready = [clusterIdentity, ...secrets];
    this.registerOutputs(pick(this, "controlPlaneIdentityId", "identityName", "namespace"));
  }

  /** What every object of the workload cluster needs first, and what must exist until the last one is deleted. */
  get ready(): pulumi.Resource[] {
    return this.#ready;
  }
}
