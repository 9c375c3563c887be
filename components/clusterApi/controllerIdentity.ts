import * as authorization from "@pulumi/azure-native/authorization";
import * as managedidentity from "@pulumi/azure-native/managedidentity";
import * as pulumi from "@pulumi/pulumi";
import type { ClusterApiArgs, ExistingIdentityArgs } from "./clusterApiArgs";
import type { ProvidersArgs } from "./providers";
import { componentType } from "../componentType";
import { identityId, pullIdentityName } from "capz-windows-platform/cluster/naming";
import { registryName, registrySubscription } from "capz-windows-platform/azure/containerRegistries";
import { federatedAudience, federatedServiceAccounts, federatedSubject } from "./manifests";
import { contentHash } from "../../capi/contentHash";
import { diskEncryptionSet } from "capz-windows-platform/azure/diskEncryptionSets";
import { keyVaultKey } from "capz-windows-platform/encryption/keyVault";
import type { BuiltInRole, CustomRole } from "capz-windows-platform/azure/roles";
import { customOr, roleAssignmentName, roleDefinitionId } from "capz-windows-platform/azure/roles";

export interface ControllerIdentityArgs extends Omit<
  ClusterApiArgs,
  keyof ProvidersArgs | "createNamespace" | "identity" | "install" | "namespace" | "tenantId" | "versions"
> {
  /** The name as an output of the group. */
  resourceGroupName: pulumi.Input<string>;
  /** An identity that CAPZ on the management cluster can use already. */
  existing?: ExistingIdentityArgs | undefined;
}

/** One role for one principal. */
interface Grant {
  readonly role: BuiltInRole | CustomRole;
  readonly principalId: pulumi.Input<string>;
  readonly scope: pulumi.Input<string>;
}

/**
 * Azure identities of one workload cluster: the controllers' (CAPZ and Azure Service Operator, by federated
 * credentials) and the control plane's (cloud provider), with the smallest roles that work: for the controllers
 * Contributor on the cluster's resource group, and Reader on the subscription, because CAPZ lists VM sizes there; for
 * the control plane network and machines of the group, Reader of disk encryption sets, and its keys in Key Vault. It must not change identities: that of the controllers is in the
 * same group, and anyone who may add a federated credential to it can act as the controllers.
 */
export class ControllerIdentity extends pulumi.ComponentResource {
  /** Client id of the controllers' identity. */
  readonly clientId: pulumi.Output<string>;
  /** ARM id of the control plane's identity, computed from names. */
  readonly controlPlaneIdentityId: string;

  constructor(name: string, args: ControllerIdentityArgs, opts?: pulumi.ComponentResourceOptions) {
    // Excludes what waits for a resource group or an AKS cluster.
    const inputs = {
      ...args,
      resourceGroupName: undefined,
      resourceGroupId: undefined,
      oidcIssuerUrl: undefined,
    };
    super(componentType("ControllerIdentity"), name, inputs, opts);
    const { clusterName, subscriptionId } = args;
    const controlPlaneName = `${clusterName}-control-plane`;
    const controlPlane = this.createIdentity(`${name}-control-plane`, controlPlaneName, args);
    this.controlPlaneIdentityId = identityId(subscriptionId, args.resourceGroup, controlPlaneName);
    const { principalId: cloudProvider } = controlPlane;
    const { controllers: ofControllers, controlPlane: ofControlPlane } = args.roles ?? {};
    const inGroup: Record<string, BuiltInRole | CustomRole> =
      ofControlPlane === undefined
        ? {
            network: "networkContributor",
            machines: "virtualMachineContributor",
            ...(args.fileShares === true ? { storage: "storageAccountContributor" } : {}),
          }
        : { custom: { definitionId: ofControlPlane } };
    for (const [part, role] of Object.entries(inGroup)) {
      this.grant(`${name}-control-plane-${part}-role`, args, {
        role,
        principalId: cloudProvider,
        scope: args.resourceGroupId,
      });
    }
    // The CSI driver gives data disks the set of the OS disk (azuredisk-csi-driver v1.34.5
    // pkg/azuredisk/azure_controller_vmss.go), and Azure lets only those attach them who may read the set.
    for (const scope of args.diskEncryptionSetIds ?? []) {
      const { set, subscription } = diskEncryptionSet(scope);
      this.grant(
        // Sets of other groups and subscriptions may have the same name.
        `${name}-control-plane-${set}-${contentHash(scope.toLowerCase())}-role`,
        args,
        { role: "reader", principalId: cloudProvider, scope },
        subscription,
      );
    }

    for (const scope of args.keyVaultKeyIds ?? []) {
      const { key, subscription } = keyVaultKey(scope);
      this.grant(
        `${name}-control-plane-${key}-${contentHash(scope.toLowerCase())}-role`,
        args,
        { role: customOr(ofControlPlane, "keyVaultCryptoUser"), principalId: cloudProvider, scope },
        subscription,
      );
    }

    const { controllers: attached, controlPlane: written } = args.networkScopes ?? {};
    this.grantNetwork(`${name}-control-plane`, args, cloudProvider, ofControlPlane, written);
    this.createPullIdentity(name, args);

    const controllers = args.existing
      ? undefined
      : this.createIdentity(`${name}-controllers`, `${clusterName}-capz`, args);
    if (controllers) {
      this.federate(name, controllers, args);
    }
    const principalId = controllers?.principalId ?? args.existing?.principalId;
    if (principalId !== undefined) {
      this.grant(`${name}-controllers-role`, args, {
        role: customOr(ofControllers, "contributor"),
        principalId,
        scope: args.resourceGroupId,
      });
      this.grantNetwork(`${name}-controllers`, args, principalId, ofControllers, attached);
    }
    if (controllers) {
      // Not for an existing identity: Azure accepts only one assignment of a role to a principal at a scope, and a
      // second stack with the same identity would get 409.
      this.grant(`${name}-controllers-reader-role`, args, {
        role: "reader",
        principalId: controllers.principalId,
        scope: `/subscriptions/${subscriptionId}`,
      });
    }
    this.clientId = pulumi.output(controllers?.clientId ?? args.existing?.clientId ?? "");
    this.registerOutputs({ clientId: this.clientId, controlPlaneIdentityId: this.controlPlaneIdentityId });
  }

  /** For the machines of pools: it has no other role, because every pod on them can act as it. */
  private createPullIdentity(name: string, args: ControllerIdentityArgs): void {
    const { containerRegistryIds: ids = [], clusterName } = args;
    if (ids.length === 0) {
      return;
    }
    const { principalId } = this.createIdentity(`${name}-pull`, pullIdentityName(clusterName), args);
    for (const scope of ids) {
      this.grant(
        `${name}-pull-${registryName(scope)}-role`,
        args,
        { role: "acrPull", principalId, scope },
        registrySubscription(scope),
      );
    }
  }

  /**
   * At the scope of a subnet or a security group, Network Contributor is that one alone, and may also change it. A custom role
   * need not (docs/rights.md). Virtual Machine Contributor may join subnets, and not write rules of a security group. Reading
   * the VNET comes with Reader on the subscription.
   */
  private grantNetwork(
    name: string,
    args: ControllerIdentityArgs,
    principalId: pulumi.Input<string>,
    custom: string | undefined,
    scopes: readonly string[] = [],
  ): void {
    for (const scope of scopes) {
      const grant = { role: customOr(custom, "networkContributor"), principalId, scope };
      this.grant(`${name}-network-${contentHash(scope.toLowerCase())}-role`, args, grant);
    }
  }

  private createIdentity(
    name: string,
    resourceName: string,
    { resourceGroupName, location, tags = {} }: ControllerIdentityArgs,
  ): managedidentity.UserAssignedIdentity {
    return new managedidentity.UserAssignedIdentity(
      name,
      { resourceGroupName, resourceName, location, tags },
      {
        parent: this,
        // Only tags can change, and the preview of an update of an identity knows neither principal nor client: it would
        // show all role assignments and credentials of the identity as changed.
        ignoreChanges: ["tags"],
      },
    );
  }

  private federate(
    name: string,
    identity: managedidentity.UserAssignedIdentity,
    { oidcIssuerUrl, resourceGroupName }: ControllerIdentityArgs,
  ): void {
    if (oidcIssuerUrl === undefined) {
      throw new pulumi.ResourceError(
        "an identity for CAPZ needs the management cluster's oidcIssuerUrl",
        this,
        true,
      );
    }
    // One after another: Azure answers parallel writes to one identity with 409.
    const before: pulumi.Resource[] = [];
    for (const serviceAccount of federatedServiceAccounts) {
      const credential = new managedidentity.FederatedIdentityCredential(
        `${name}-federated-${serviceAccount}`,
        {
          resourceGroupName,
          resourceName: identity.name,
          federatedIdentityCredentialResourceName: serviceAccount,
          issuer: oidcIssuerUrl,
          subject: federatedSubject(serviceAccount),
          audiences: [federatedAudience],
        },
        { parent: this, dependsOn: [...before] },
      );
      before.push(credential);
    }
  }

  private grant(
    of: string,
    { subscriptionId, clusterName, resourceGroup }: ControllerIdentityArgs,
    { role, principalId, scope }: Grant,
    roleSubscription = subscriptionId,
  ): void {
    // Another custom role is another assignment: it is there before the old one is taken away.
    const name = typeof role === "string" ? of : `${of}-${contentHash(role.definitionId.toLowerCase())}`;
    new authorization.RoleAssignment(
      name,
      {
        roleAssignmentName: roleAssignmentName(subscriptionId, resourceGroup, clusterName, name),
        principalId,
        // The SDK's default is a user; Azure would look up an identity that was created a minute ago in vain.
        principalType: "ServicePrincipal",
        roleDefinitionId: roleDefinitionId(roleSubscription, role),
        scope,
      },
      // An assignment cannot move to another principal, and two of one name cannot exist.
      { parent: this, replaceOnChanges: ["principalId"], deleteBeforeReplace: true },
    );
  }
}
