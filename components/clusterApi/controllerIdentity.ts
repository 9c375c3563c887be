import * as authorization from "@pulumi/azure-native/authorization";
import * as managedidentity from "@pulumi/azure-native/managedidentity";
import * as pulumi from "@pulumi/pulumi";
import { componentType } from "../componentType";
import { identityId } from "../../domain/cluster/naming";
import { federatedAudience, federatedServiceAccounts, federatedSubject } from "./manifests";
import type { BuiltInRole } from "../../domain/azure/roles";
import { roleAssignmentName, roleDefinitionId } from "../../domain/azure/roles";

export interface ControllerIdentityArgs {
  readonly clusterName: string;
  readonly subscriptionId: string;
  readonly location: string;
  /** Resource group of the workload cluster, with its ARM id: the scope of the roles. */
  readonly resourceGroup: string;
  readonly resourceGroupName: pulumi.Input<string>;
  readonly resourceGroupId: pulumi.Input<string>;
  /** OIDC issuer of the management cluster; needed unless `existing` is given. */
  readonly oidcIssuerUrl?: pulumi.Input<string> | undefined;
  /** An identity that CAPZ on the management cluster can use already. */
  readonly existing?: { readonly clientId: string; readonly principalId?: string | undefined } | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

/** One role for one principal. */
interface Grant {
  readonly role: BuiltInRole;
  readonly principalId: pulumi.Input<string>;
  readonly scope: pulumi.Input<string>;
}

/**
 * Azure identities of one workload cluster: the controllers' (CAPZ and Azure Service Operator, by federated
 * credentials) and the control plane's (cloud provider), with the smallest roles that work: Contributor on the cluster's
 * resource group, and Reader on the subscription for the controllers, because CAPZ lists VM sizes there.
 */
export class ControllerIdentity extends pulumi.ComponentResource {
  /** Client id of the controllers' identity. */
  readonly clientId: pulumi.Output<string>;
  /** ARM id of the control plane's identity, computed from names. */
  readonly controlPlaneIdentityId: string;

  constructor(
    name: string,
    private readonly args: ControllerIdentityArgs,
    opts: pulumi.ComponentResourceOptions,
  ) {
    super(componentType("ControllerIdentity"), name, {}, opts);
    const { clusterName, subscriptionId } = args;
    const controlPlaneName = `${clusterName}-control-plane`;
    const controlPlane = this.identity(`${name}-control-plane`, controlPlaneName);
    this.controlPlaneIdentityId = identityId(subscriptionId, args.resourceGroup, controlPlaneName);
    this.grant(`${name}-control-plane-role`, {
      role: "contributor",
      principalId: controlPlane.principalId,
      scope: args.resourceGroupId,
    });

    const controllers = args.existing
      ? undefined
      : this.identity(`${name}-controllers`, `${clusterName}-capz`);
    if (controllers) {
      this.federate(name, controllers);
    }
    const principalId = controllers?.principalId ?? args.existing?.principalId;
    if (principalId !== undefined) {
      this.grant(`${name}-controllers-role`, {
        role: "contributor",
        principalId,
        scope: args.resourceGroupId,
      });
      this.grant(`${name}-controllers-reader-role`, {
        role: "reader",
        principalId,
        scope: `/subscriptions/${subscriptionId}`,
      });
    }
    this.clientId = pulumi.output(controllers?.clientId ?? args.existing?.clientId ?? "");
    this.registerOutputs({ clientId: this.clientId, controlPlaneIdentityId: this.controlPlaneIdentityId });
  }

  private identity(name: string, resourceName: string): managedidentity.UserAssignedIdentity {
    const { resourceGroupName, location, tags } = this.args;
    return new managedidentity.UserAssignedIdentity(
      name,
      { resourceGroupName, resourceName, location, tags },
      { parent: this },
    );
  }

  private federate(name: string, identity: managedidentity.UserAssignedIdentity): void {
    const { oidcIssuerUrl, resourceGroupName } = this.args;
    if (oidcIssuerUrl === undefined) {
      throw new pulumi.ResourceError(
        "an identity for CAPZ needs the management cluster's oidcIssuerUrl",
        this,
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

  private grant(name: string, { role, principalId, scope }: Grant): void {
    const { subscriptionId, clusterName, resourceGroup } = this.args;
    new authorization.RoleAssignment(
      name,
      {
        roleAssignmentName: roleAssignmentName(subscriptionId, resourceGroup, clusterName, name),
        principalId,
        // The SDK's default is a user, for which Azure looks up an identity that was made this minute in vain.
        principalType: "ServicePrincipal",
        roleDefinitionId: roleDefinitionId(subscriptionId, role),
        scope,
      },
      // An assignment cannot move to another principal, and two of one name cannot exist.
      { parent: this, replaceOnChanges: ["principalId"], deleteBeforeReplace: true },
    );
  }
}
