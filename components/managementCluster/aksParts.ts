import type * as authorization from "@pulumi/azure-native/authorization";
import type * as network from "@pulumi/azure-native/network";
import type * as pulumi from "@pulumi/pulumi";
import { managementNames } from "capz-windows-platform/azure/aks";
import { roleAssignmentName, roleDefinitionId, type BuiltInRole } from "capz-windows-platform/azure/roles";
import { assertDefined } from "capz-windows-kit/assertDefined";

/** Args of what an AKS cluster and its network both make. */

/** What the AKS cluster gives to its network. */
export interface AksPlace {
  readonly clusterName: string;
  readonly subscriptionId: string;
  /** Of the identity of AKS. */
  readonly principalId: pulumi.Input<string>;
  readonly common: Pick<network.PublicIPAddressArgs, "resourceGroupName" | "location" | "tags">;
  readonly protect: boolean;
}

/**
 * A role of the identity of AKS.
 * @param part - tells it from its other roles
 */
export const aksRole = (
  { clusterName, subscriptionId, principalId }: AksPlace,
  role: BuiltInRole,
  scope: pulumi.Input<string>,
  part: string,
): authorization.RoleAssignmentArgs => ({
  roleAssignmentName: roleAssignmentName(subscriptionId, managementNames(clusterName).cluster, part),
  principalId,
  principalType: "ServicePrincipal",
  roleDefinitionId: roleDefinitionId(subscriptionId, role),
  scope,
});

/**
 * An assignment cannot move to another principal, and two of one name cannot exist.
 */
export const remadeWithPrincipal = { replaceOnChanges: ["principalId"], deleteBeforeReplace: true };

export const publicAddress = (publicIpAddressName: string) => ({
  publicIpAddressName,
  publicIPAllocationMethod: "Static",
  publicIPAddressVersion: "IPv4",
  sku: { name: "Standard" },
});

/** The network of one address. */
export const cidrOf = ({ ipAddress }: network.PublicIPAddress): pulumi.Output<string> =>
  ipAddress.apply((address) => `${assertDefined(address, "the egress address")}/32`);
