import type * as pulumi from "@pulumi/pulumi";
import type { ChartArchivesArgs, ProviderVersionsArgs } from "./providers";

/** An Azure identity that exists. */
export interface ExistingIdentityArgs {
  /** Its client id, by which CAPZ logs in. */
  clientId: pulumi.Input<string>;
  /**
   * Its object id. With it, the role on the cluster's resource group is assigned here; without it, you assign that role
   * yourself. You always assign Reader on the subscription yourself. Default: none.
   */
  principalId?: pulumi.Input<string> | undefined;
}

/** ARM ids of what others have made. */
export interface NetworkScopesArgs {
  /** What CAPZ attaches machines and load balancers to. */
  controllers: string[];
  /** What the cloud provider attaches load balancers to, and where it writes security rules. */
  controlPlane: string[];
}

/** ARM ids of custom roles. */
export interface CustomRolesArgs {
  /** Of the controllers, on the group and on subnets of others. Default: Contributor and Network Contributor. */
  controllers?: string | undefined;
  /** Of the control plane, on the group, subnets and security groups of others, and keys. Default: built-in roles. */
  controlPlane?: string | undefined;
}

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
  /** Minutes that a bootstrap token lives. Default: 90. Without `install`, what the management cluster has, for plans. */
  bootstrapTtlMinutes?: number | undefined;
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
