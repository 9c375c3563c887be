import * as resources from "@pulumi/azure-native/resources";
import * as pulumi from "@pulumi/pulumi";
import { givenOptions, neverDeletedFirst, requireProviders } from "../childOptions";
import type { ExistingNetworkIds } from "capz-windows-platform/company-network/existingNetwork";
import { componentType } from "../componentType";
import { vnetIdOf } from "capz-windows-platform/company-network/existingNetwork";
import { networkRequirements } from "capz-windows-platform/company-network/networkRequirements";
import { azureVnetMtu } from "capz-windows-platform/network/mtu";
import { pick } from "capz-windows-kit/without";

/** A private API server. */
export interface PrivateNameArgs {
  /** Its name. */
  host: string;
  /** Its address. */
  ip: string;
  /** Whether others make its record and links. Default: false. */
  manual?: boolean | undefined;
  /** Whether a private link service is in front of it, in the subnet of the control plane. Default: false. */
  privateLink?: boolean | undefined;
  /** ARM IDs of further VNETs to which the stack links the zone. Default: none. */
  linkedVnetIds?: string[] | undefined;
}

/** A firewall of others. */
export interface FirewallArgs {
  /** Its private address. */
  address: string;
}

/** Where machines get images, or by which they leave. */
export interface EgressTargetArgs {
  /** Its name or address. */
  host: string;
  /** Its port. */
  port: number;
  /** Its address. Default: its name is resolved by DNS. */
  address?: string | undefined;
}

export interface ExistingNetworkArgs {
  /** The subnets, and what is attached to them. */
  existing: ExistingNetworkIds;
  /** Name of the resource group that is created for the cluster. */
  resourceGroup: string;
  /** Azure region in its short form, for instance `westeurope`. */
  location: pulumi.Input<string>;
  /** Range of the VNET, for the list of requirements. */
  vnetCidr?: string | undefined;
  /** Ranges of all subnets of the cluster, for the list of requirements. */
  subnetCidrs: string[];
  /** Addresses that the cluster takes at one time, by the range of the subnet, for the list of requirements. */
  addresses?: Record<string, number> | undefined;
  /** MTU of the network in bytes. Azure has no such property; the component passes the number on. Default: 1400. */
  mtu?: number | undefined;
  /** Networks that may reach the API server and, by ssh, the control plane. Default: none. */
  allowedCidrs?: string[] | undefined;
  /** Networks from which the management cluster reaches the API server. Default: none. */
  managementCidrs?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /** Whether ssh and RDP come from the VNET and what is peered with it only, such as from Azure Bastion. Default: false. */
  privateSsh?: boolean | undefined;
  /** The API server has no public address. Default: false. */
  privateApiServer?: boolean | undefined;
  /** Ranges of further subnets by their names in existing.poolSubnetIds, for the list of requirements. Default: none. */
  poolSubnets?: Record<string, string> | undefined;
  /** Name and address of an API server without a public address, for the list of requirements. */
  apiServer?: PrivateNameArgs | undefined;
  /** The firewall to which the route 0.0.0.0/0 of the subnets leads. */
  firewall?: FirewallArgs | undefined;
  /** The proxy by which machines leave, for the list of requirements. Default: none. */
  proxy?: EgressTargetArgs | undefined;
  /** A mirror that machines reach without a proxy, for the list of requirements. Default: none. */
  mirror?: EgressTargetArgs | undefined;
  /** Azure tags of the resource group. Default: none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /** Refuse to delete the resource group. Default: false. */
  protect?: boolean | undefined;
}

/**
 * A VNET that others have made: only the resource group of the cluster is created. The outputs are those of
 * VirtualNetwork, and the list of what must exist in the VNET.
 */
export class ExistingNetwork extends pulumi.ComponentResource {
  /** Name of the resource group. */
  readonly resourceGroupName: pulumi.Output<string>;
  /** ARM id of the resource group. */
  readonly resourceGroupId: pulumi.Output<string>;
  /** ARM id of the VNET. */
  readonly vnetId: pulumi.Output<string>;
  /** MTU in bytes. Azure has no such property, so other components read it here. */
  readonly mtu: number;
  /** Networks that may reach the API server. */
  readonly allowedCidrs: string[];
  /** Subnets, security rules, routes and names that must exist, one a line. */
  readonly requirements: pulumi.Output<string>;

  constructor(name: string, args: ExistingNetworkArgs, opts?: pulumi.ComponentResourceOptions) {
    // Excludes managementCidrs, because they come from an AKS cluster that takes ten minutes, and what the list alone has.
    const inputs = {
      ...args,
      managementCidrs: undefined,
      poolSubnets: undefined,
      apiServer: undefined,
      addresses: undefined,
      proxy: undefined,
      mirror: undefined,
      vnetCidr: undefined,
    };
    super(componentType("ExistingNetwork"), name, inputs, givenOptions(opts));
    requireProviders(this, "azure-native");
    const { existing, allowedCidrs = [], protect = false, tags = {} } = args;
    const group = new resources.ResourceGroup(
      `${name}-resource-group`,
      { resourceGroupName: args.resourceGroup, location: args.location, tags },
      { parent: this, protect, ...neverDeletedFirst },
    );
    this.resourceGroupName = group.name;
    this.resourceGroupId = group.id;
    this.vnetId = pulumi.output(vnetIdOf(existing.nodeSubnetId));
    this.mtu = args.mtu ?? azureVnetMtu;
    this.allowedCidrs = allowedCidrs;
    this.requirements = pulumi
      .all([args.managementCidrs ?? [], args.location])
      .apply(([managementCidrs, location]) =>
        networkRequirements({ ...args, allowedCidrs, location, managementCidrs }),
      );
    this.registerOutputs(
      pick(this, "resourceGroupName", "resourceGroupId", "vnetId", "mtu", "allowedCidrs", "requirements"),
    );
  }
}
