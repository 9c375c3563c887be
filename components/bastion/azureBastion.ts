import * as network from "@pulumi/azure-native/network";
import * as pulumi from "@pulumi/pulumi";
import { bastionNames, bastionSubnetName } from "capz-windows-platform/network/bastion";
import { subnetId } from "capz-windows-platform/company-network/outbound";
import { givenOptions, requireProviders } from "../childOptions";
import { componentType } from "../componentType";

export interface AzureBastionArgs {
  /** Name of the workload cluster. */
  clusterName: string;
  /** Resource group of the cluster's VNET. */
  resourceGroupName: pulumi.Input<string>;
  /** Azure region in its short form, for instance `westeurope`. */
  location: pulumi.Input<string>;
  /** ARM id of the VNET, which has the subnet AzureBastionSubnet (`bastion` of VirtualNetwork). */
  vnetId: pulumi.Input<string>;
  /** Availability zones. Default: none. */
  zones?: string[] | undefined;
  /** Azure tags. Default: none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
}

/**
 * Azure Bastion in the VNET of a cluster: ssh and RDP to machines by their private addresses, through tunnels of `az network
 * bastion`, without a public port of any machine.
 *
 * Name peerings of the VNET in `opts.dependsOn`: Azure refuses a write to a VNET while another one to it runs.
 *
 * Cost: Azure Bastion and its public address are charged by the hour, used or not.
 */
export class AzureBastion extends pulumi.ComponentResource {
  /** ARM id of the Bastion. */
  readonly bastionId: pulumi.Output<string>;

  constructor(name: string, args: AzureBastionArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("AzureBastion"), name, { ...args }, givenOptions(opts));
    requireProviders(this, "azure-native");
    const { resourceGroupName, location, tags = {}, zones } = args;
    const names = bastionNames(args.clusterName);
    const common = { resourceGroupName, location, tags, ...(zones === undefined ? {} : { zones }) };
    // Neither changes its zones, and the address is in use until the Bastion is deleted.
    const kept = { deleteBeforeReplace: true };
    const publicIp = new network.PublicIPAddress(
      `${name}-ip`,
      {
        ...common,
        publicIpAddressName: names.publicIp,
        publicIPAllocationMethod: "Static",
        publicIPAddressVersion: "IPv4",
        sku: { name: "Standard" },
      },
      { parent: this, ...kept, replaceOnChanges: ["zones"] },
    );
    const host = new network.BastionHost(
      `${name}-host`,
      {
        ...common,
        bastionHostName: names.host,
        sku: { name: "Standard" },
        ...{ enableTunneling: true, enableIpConnect: true },
        ipConfigurations: [
          {
            name: "bastion",
            privateIPAllocationMethod: "Dynamic",
            publicIPAddress: { id: publicIp.id },
            subnet: { id: pulumi.output(args.vnetId).apply((id) => subnetId(id, bastionSubnetName)) },
          },
        ],
      },
      { parent: this, ...kept, replaceOnChanges: ["zones", "ipConfigurations"] },
    );
    this.bastionId = host.id;
    this.registerOutputs({ bastionId: this.bastionId });
  }
}
