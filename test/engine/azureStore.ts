import { isRecord, list, textAt, type Plain } from "capz-windows-kit/untyped";

/** A resource as Azure has it. */
export interface Stored {
  /** Without the package: "network:VirtualNetwork". */
  readonly type: string;
  readonly inputs: Plain;
}

/** An error of Azure Resource Manager as the provider prints it. */
export class AzureError extends Error {
  constructor(code: string, message: string) {
    super(`Code="${code}" Message="${message}"`);
  }
}

/**
 * Resources that must be taken off others before they can be deleted, by type, with the code of Azure's refusal.
 * Sources: learn.microsoft.com/azure/virtual-network/manage-network-security-group#delete-a-network-security-group,
 * .../manage-route-table#delete-a-route-table, .../ip-services/virtual-network-public-ip-address (Delete),
 * learn.microsoft.com/azure/nat-gateway/manage-nat-gateway#remove-a-nat-gateway
 */
const refusedWhileReferenced: Readonly<Record<string, string>> = {
  "network:NetworkSecurityGroup": "InUseNetworkSecurityGroupCannotBeDeleted",
  "network:RouteTable": "InUseRouteTableCannotBeDeleted",
  "network:PublicIPAddress": "PublicIPAddressCannotBeDeleted",
  "network:NatGateway": "InUseNatGatewayCannotBeDeleted",
};

const network = "network:VirtualNetwork";
const assignment = "authorization:RoleAssignment";

/** Names and address ranges of the subnets in a VNET's inputs. */
const subnetsOf = ({ subnets }: Plain): Map<string, string> =>
  new Map(
    list(subnets).map((subnet) => [
      textAt(subnet, "name"),
      JSON.stringify([subnet.addressPrefix, subnet.addressPrefixes]),
    ]),
  );

/** Whether a value has this text anywhere. */
const mentions = (value: unknown, text: string): boolean => {
  if (Array.isArray(value)) {
    return value.some((each) => mentions(each, text));
  }
  return isRecord(value) ? Object.values(value).some((each) => mentions(each, text)) : value === text;
};

/** The resources of a pretended Azure by ID, with Azure's own rules as far as its documentation has them. */
export class AzureStore {
  private readonly stored = new Map<string, Stored>();
  private readonly creations = new Map<string, number>();
  /** IDs of the subnets in which Cluster API has machines. */
  machinesIn: readonly string[] = [];

  has(id: string): boolean {
    return this.stored.has(id);
  }

  ids(): string[] {
    return [...this.stored.keys()];
  }

  /** How often a resource with this ID was created. */
  count(id: string): number {
    return this.creations.get(id) ?? 0;
  }

  /** @throws AzureError when Azure refuses the resource */
  create(id: string, resource: Stored): void {
    if (this.has(id)) {
      // The provider asks before it creates: pulumi-azure-native provider/pkg/provider (azureCanCreate).
      throw new Error(`cannot create already existing resource '${id}'`);
    }
    this.refuseSecondAssignment(resource);
    this.stored.set(id, resource);
    this.creations.set(id, this.count(id) + 1);
  }

  /**
   * Source for what does not exist: learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-not-found
   * @throws AzureError when Azure refuses the change
   */
  update(id: string, resource: Stored): void {
    const before = this.stored.get(id);
    if (before === undefined) {
      throw new AzureError("ResourceNotFound", `The Resource '${id}' was not found.`);
    }
    if (resource.type === network) {
      this.refuseChangeOfUsedSubnets(id, before.inputs, resource.inputs);
    }
    if (resource.type === assignment) {
      refuseOtherPrincipal(before.inputs, resource.inputs);
    }
    this.stored.set(id, resource);
  }

  /**
   * What is already gone is no error. Source: github.com/cloud-and-ai-microsoft/resource-provider-contract
   * v1.0/resource-api-reference.md (Delete Resource, 204)
   * @throws AzureError when Azure refuses the deletion
   */
  delete(id: string): void {
    const resource = this.stored.get(id);
    if (resource === undefined) {
      return;
    }
    if (resource.type === network) {
      this.refuseChangeOfUsedSubnets(id, resource.inputs, {});
    }
    const code = refusedWhileReferenced[resource.type];
    const user = code === undefined ? undefined : this.userOf(id);
    if (code !== undefined && user !== undefined) {
      throw new AzureError(code, `${id} cannot be deleted because it is in use by ${user}.`);
    }
    this.remove(id);
  }

  /**
   * Removes a resource with all that is in it: its child resources, the contents of a group, and what is assigned at
   * these scopes. A role assignment at another scope stays, also if its principal is gone. Sources:
   * learn.microsoft.com/azure/azure-resource-manager/management/delete-resource-group,
   * learn.microsoft.com/azure/role-based-access-control/troubleshooting (identity not found)
   */
  remove(id: string): void {
    for (const each of this.stored.keys()) {
      if (each === id || each.startsWith(`${id}/`)) {
        this.stored.delete(each);
      }
    }
  }

  /**
   * One principal has a role at a scope only once, whatever the name of the assignment. Source:
   * learn.microsoft.com/azure/role-based-access-control/troubleshooting (RoleAssignmentExists)
   */
  private refuseSecondAssignment({ type, inputs }: Stored): void {
    const same = ["principalId", "roleDefinitionId", "scope"] as const;
    const isSame = (other: Stored): boolean =>
      other.type === assignment && same.every((key) => other.inputs[key] === inputs[key]);
    const known = [...this.stored].find(([, other]) => type === assignment && isSame(other));
    if (known !== undefined) {
      const name = known[0].split("/").at(-1)!;
      throw new AzureError(
        "RoleAssignmentExists",
        `The role assignment already exists. The ID of the existing role assignment is ${name}.`,
      );
    }
  }

  /**
   * A subnet with something in it keeps its address range, and cannot be deleted; so its VNET cannot either. Source:
   * learn.microsoft.com/azure/virtual-network/virtual-network-manage-subnet (Change subnet settings, Delete a subnet)
   */
  private refuseChangeOfUsedSubnets(id: string, before: Plain, after: Plain): void {
    const [old, now] = [subnetsOf(before), subnetsOf(after)];
    for (const [name, range] of old) {
      const subnet = `${id}/subnets/${name}`;
      const user = now.get(name) === range ? undefined : this.userOfSubnet(subnet);
      if (user !== undefined) {
        throw now.has(name)
          ? new AzureError(
              "InUsePrefixCannotBeDeleted",
              `IpPrefix ${range} on Subnet ${name} has active allocations and cannot be deleted.`,
            )
          : new AzureError(
              "InUseSubnetCannotBeDeleted",
              `Subnet ${name} is in use by ${user} and cannot be deleted.`,
            );
      }
    }
  }

  private userOfSubnet(subnet: string): string | undefined {
    return this.machinesIn.includes(subnet) ? "machines" : this.userOf(subnet);
  }

  /** Another resource that refers to this one. An assignment at its scope does not use it. */
  private userOf(id: string): string | undefined {
    return [...this.stored].find(
      ([other, { type, inputs }]) => other !== id && type !== assignment && mentions(inputs, id),
    )?.[0];
  }
}

/**
 * An assignment keeps its principal and its scope. Source: learn.microsoft.com/azure/role-based-access-control/role-assignments-template
 * (the name must be another one for each scope, principal and role)
 */
function refuseOtherPrincipal(before: Plain, after: Plain): void {
  if (before.principalId !== after.principalId || before.scope !== after.scope) {
    throw new AzureError(
      "RoleAssignmentUpdateNotPermitted",
      "Tenant ID, application ID, principal ID, and scope are not allowed to be updated.",
    );
  }
}
