import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { deletedWithOf, requireProviders, webhookRetry, withoutDeletedWith } from "../childOptions";
import { componentType } from "../componentType";
import { secretFileText, secretFilesName } from "../../bootstrap/userFiles";
import { assertDefined } from "../../tools/assertDefined";
import type { CustomRolesArgs, ExistingIdentityArgs, NetworkScopesArgs } from "./controllerIdentity";
import { ControllerIdentity } from "./controllerIdentity";
import { clusterIdentityObject } from "./manifests";
import type { ChartArchivesArgs, ProviderVersionsArgs } from "./providers";
import { Providers } from "./providers";
import { pick } from "../../tools/without";

export interface ClusterApiArgs {
  /** Name of the workload cluster. */
  clusterName: string;
  /** Namespace of the workload cluster's objects. Default: clusterName. */
  namespace?: string | undefined;
  /** Create the namespace; otherwise it must exist. Default: true. */
  createNamespace?: boolean | undefined;
  /** Microsoft Entra tenant of the identities. */
  tenantId: pulumi.Input<string>;
  /** Subscription of the workload cluster. ARM ids and the names of role assignments follow from it. */
  subscriptionId: string;
  /** Azure region of the identities, in its short form. */
  location: pulumi.Input<string>;
  /** Resource group of the workload cluster. ARM ids and the names of role assignments follow from it. */
  resourceGroup: string;
  /**
   * The same name as an output of the group, so that the resources in the group wait for it. Default: resourceGroup.
   */
  resourceGroupName?: pulumi.Input<string> | undefined;
  /** ARM id of the group: the scope of the roles. */
  resourceGroupId: pulumi.Input<string>;
  /** Install cert-manager, the Cluster API operator and the providers. Default: true. */
  install?: boolean | undefined;
  /** Install cert-manager as well; otherwise it must exist. Default: true. */
  installCertManager?: boolean | undefined;
  /** What is installed. Default: the pinned versions, which were tested together. */
  versions?: ProviderVersionsArgs | undefined;
  /** Archives to install the charts from. Default: the repositories of the charts. */
  chartArchives?: ChartArchivesArgs | undefined;
  /** OCI repository with the manifests of the providers, tagged by their versions. Default: their releases on GitHub. */
  componentsRepository?: string | undefined;
  /** Minutes after which CAPZ reconciles every object. Default: 1. */
  syncPeriodMinutes?: number | undefined;
  /** OIDC issuer of the management cluster. Needed unless `identity` is given. */
  oidcIssuerUrl?: pulumi.Input<string> | undefined;
  /** An identity that CAPZ on the management cluster can use already. Default: one is created. */
  identity?: ExistingIdentityArgs | undefined;
  /** The control plane creates storage accounts for volumes on Azure Files. Default: false. */
  fileShares?: boolean | undefined;
  /** ARM ids of disk encryption sets of pools whose nodes get data disks. Default: none. */
  diskEncryptionSetIds?: string[] | undefined;
  /** ARM ids of keys in Key Vault by which the API server encrypts. Default: none. */
  keyVaultKeyIds?: string[] | undefined;
  /** Subnets and security groups of others, on which the identities get Network Contributor. Default: none. */
  networkScopes?: NetworkScopesArgs | undefined;
  /** ARM ids of Azure container registries on which an identity for pools gets the role AcrPull. Default: none. */
  containerRegistryIds?: string[] | undefined;
  /** Contents of secret files by name, for the Secret CLUSTER-secret-files. Default: none. */
  secretFiles?: Record<string, pulumi.Input<string>> | undefined;
  /** Custom roles of the identities in place of built-in ones. Default: none. */
  roles?: CustomRolesArgs | undefined;
  /** Azure tags of the identities. Default: none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /** Refuse to delete the namespace, and with it every cluster in it. Default: false. */
  protect?: boolean | undefined;
}

/** Not a field of the component: resources cannot be outputs, and the component has a schema for other languages. */
const ready = new WeakMap<ClusterApi, pulumi.Resource[]>();

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
                ...(args.syncPeriodMinutes !== undefined && { syncPeriodMinutes: args.syncPeriodMinutes }),
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
    ready.set(this, [clusterIdentity, ...secrets]);
    this.registerOutputs(pick(this, "controlPlaneIdentityId", "identityName", "namespace"));
  }

  /** What every object of the workload cluster needs first, and what must exist until the last one is deleted. */
  get ready(): pulumi.Resource[] {
    return assertDefined(ready.get(this), "the resources of Cluster API");
  }
}
