import * as network from "@pulumi/azure-native/network";
import * as resources from "@pulumi/azure-native/resources";
import * as pulumi from "@pulumi/pulumi";
import { componentType } from "../componentType";
import { assertDefined } from "../../domain/assertDefined";
import { networkNames } from "../../domain/cluster/naming";
import { collapseCidrs } from "../../domain/network/addressing";
import { controlPlaneRules } from "./securityRules";

export interface VirtualNetworkArgs {
  readonly clusterName: string;
  readonly resourceGroup: string;
  /** Azure region in its short form. */
  readonly location: string;
  readonly vnetCidr: string;
  readonly controlPlaneSubnetCidr: string;
  readonly nodeSubnetCidr: string;
  /** Bytes; see mtu.ts. */
  readonly mtu: number;
  /** Networks of people: API server and ssh. */
  readonly allowedCidrs: readonly string[];
  /** Networks of the management cluster: API server. */
  readonly managementCidrs: pulumi.Input<readonly pulumi.Input<string>[]>;
  readonly tags: Readonly<Record<string, string>>;
  readonly protect: boolean;
}

/**
 * Resource group, VNET with its two subnets inline, security groups, route table and NAT gateway of a workload
 * cluster. CAPZ is told of them and leaves them alone (bring-your-own VNET).
 *
 * Cost: a NAT gateway and its public IP are charged by the hour even when the cluster is scaled to nothing.
 */
export class VirtualNetwork extends pulumi.ComponentResource {
  readonly resourceGroupName: pulumi.Output<string>;
  readonly resourceGroupId: pulumi.Output<string>;
  readonly vnetId: pulumi.Output<string>;
  /** MTU in bytes. Azure keeps no such property, so whoever needs the number takes it from here. */
  readonly mtu: number;

  constructor(name: string, args: VirtualNetworkArgs, opts: pulumi.ComponentResourceOptions) {
    super(componentType("VirtualNetwork"), name, {}, opts);
    const names = networkNames(args.clusterName);
    const group = new resources.ResourceGroup(
      `${name}-resource-group`,
      { resourceGroupName: args.resourceGroup, location: args.location, tags: args.tags },
      { parent: this, protect: args.protect },
    );
    const common = { resourceGroupName: group.name, location: args.location, tags: args.tags };

    const natIp = new network.PublicIPAddress(
      `${name}-nat-ip`,
      {
        ...common,
        publicIpAddressName: names.natPublicIp,
        publicIPAllocationMethod: "Static",
        publicIPAddressVersion: "IPv4",
        sku: { name: "Standard" },
      },
      { parent: this },
    );
    const nat = new network.NatGateway(
      `${name}-nat`,
      {
        ...common,
        natGatewayName: names.natGateway,
        sku: { name: "Standard" },
        idleTimeoutInMinutes: 4,
        publicIpAddresses: [{ id: natIp.id }],
      },
      { parent: this },
    );
    const routeTable = new network.RouteTable(
      `${name}-routes`,
      { ...common, routeTableName: names.routeTable },
      { parent: this },
    );
    const apiServerSources = pulumi
      .all([natIp.ipAddress, args.managementCidrs])
      .apply(([address, management]) =>
        collapseCidrs([
          ...args.allowedCidrs,
          ...management,
          `${assertDefined(address, "the NAT gateway's address")}/32`,
        ]),
      );
    const controlPlaneNsg = new network.NetworkSecurityGroup(
      `${name}-control-plane-nsg`,
      {
        ...common,
        networkSecurityGroupName: names.controlPlaneNsg,
        securityRules: controlPlaneRules({
          apiServer: apiServerSources,
          ssh: collapseCidrs(args.allowedCidrs),
        }),
      },
      { parent: this },
    );
    const nodeNsg = new network.NetworkSecurityGroup(
      `${name}-node-nsg`,
      { ...common, networkSecurityGroupName: names.nodeNsg },
      // The cloud provider writes rules for Services of type LoadBalancer into it.
      { parent: this, ignoreChanges: ["securityRules"] },
    );
    const subnet = (subnetName: string, addressPrefix: string, nsg: network.NetworkSecurityGroup) => ({
      name: subnetName,
      addressPrefix,
      networkSecurityGroup: { id: nsg.id },
      routeTable: { id: routeTable.id },
      natGateway: { id: nat.id },
    });
    const vnet = new network.VirtualNetwork(
      `${name}-vnet`,
      {
        ...common,
        virtualNetworkName: names.vnet,
        addressSpace: { addressPrefixes: [args.vnetCidr] },
        subnets: [
          subnet(names.controlPlaneSubnet, args.controlPlaneSubnetCidr, controlPlaneNsg),
          subnet(names.nodeSubnet, args.nodeSubnetCidr, nodeNsg),
        ],
      },
      { parent: this, protect: args.protect },
    );

    this.resourceGroupName = group.name;
    this.resourceGroupId = group.id;
    this.vnetId = vnet.id;
    this.mtu = args.mtu;
    this.registerOutputs({
      resourceGroupName: this.resourceGroupName,
      resourceGroupId: this.resourceGroupId,
      vnetId: this.vnetId,
      mtu: this.mtu,
    });
  }
}
