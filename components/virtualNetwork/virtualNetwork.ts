import * as network from "@pulumi/azure-native/network";
import * as resources from "@pulumi/azure-native/resources";
import * as pulumi from "@pulumi/pulumi";
import { givenOptions, neverDeletedFirst, requireProviders } from "../childOptions";
import { componentType } from "../componentType";
import { assertDefined } from "capz-windows-kit/assertDefined";
import { networkNames } from "capz-windows-platform/cluster/naming";
import { collapseCidrs, defaultSubnets, subnetsByName } from "capz-windows-platform/network/addressing";
import { bastionNames, bastionSubnetName } from "capz-windows-platform/network/bastion";
import { defaultVnetCidr } from "capz-windows-platform/network/defaults";
import { azureVnetMtu } from "capz-windows-platform/network/mtu";
import { natIdleMinutes, natIpNames } from "capz-windows-platform/company-network/outbound";
import type { OutboundArgs } from "capz-windows-platform/company-network/outbound";
import { bastionRules, controlPlaneRules } from "./securityRules";
import { outboundRoutes, subnetOutbound } from "./wayOut";
import { pick } from "capz-windows-kit/without";

export interface BastionSubnetArgs {
  /** Range of the subnet, /26 or larger. */
  cidr: string;
  /** Networks from which people come to Azure Bastion. */
  allowedCidrs: string[];
}

export interface VirtualNetworkArgs {
  /** Name of the workload cluster. The names of all network objects follow from it. */
  clusterName: string;
  /** Name of the resource group that is created. Default: clusterName. */
  resourceGroup?: pulumi.Input<string> | undefined;
  /** Azure region in its short form, for instance `westeurope`. */
  location: pulumi.Input<string>;
  /** Address range of the VNET, /8 to /27. Default: 10.10.0.0/16. */
  vnetCidr?: pulumi.Input<string> | undefined;
  /** Subnet of the control plane. Default: the first /24 of the VNET, or its first quarter where that is smaller. */
  controlPlaneSubnetCidr?: pulumi.Input<string> | undefined;
  /** Subnet of all pools. Default: the upper half of the VNET. */
  nodeSubnetCidr?: pulumi.Input<string> | undefined;
  /** Further subnets for pools, like the node subnet: name to address range. Default: none. */
  poolSubnets?: Record<string, string> | undefined;
  /** MTU of the network in bytes. Azure has no such property; the component passes the number on. Default: 1400. */
  mtu?: number | undefined;
  /**
   * Networks that may reach the API server and, by ssh, the control plane. They determine whether there is a rule for
   * ssh. Default: none.
   */
  allowedCidrs?: string[] | undefined;
  /** Networks from which the management cluster reaches the API server. Default: none. */
  managementCidrs?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /** Whether ssh comes from the VNET and what is peered with it only, such as from Azure Bastion. Default: false. */
  privateSsh?: boolean | undefined;
  /** The subnet AzureBastionSubnet, and who may use the Bastion in it. Default: no Bastion. */
  bastion?: BastionSubnetArgs | undefined;
  /** Whether the API server has a private address: its nodes then do not come through the NAT gateway. Default: false. */
  privateApiServer?: boolean | undefined;
  /** Whether a private link service has its address in the control plane subnet. Default: false. */
  privateLink?: boolean | undefined;
  /** How machines reach what is outside of the VNET. Default: by a NAT gateway with one public address. */
  outbound?: OutboundArgs | undefined;
  /** DNS servers of the VNET. Default: those of Azure. */
  dnsServers?: string[] | undefined;
  /** Azure tags of everything that is created. Default: none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /** Refuse to delete the resource group and the VNET. Default: false. */
  protect?: boolean | undefined;
}

/**
 * Resource group, VNET with its subnets inline, security groups, route table and NAT gateway of a workload cluster.
 * CAPZ finds them by name and leaves them alone (bring-your-own VNET). With `outbound`, machines leave by more
 * addresses, by a NAT gateway or a firewall of others, or not at all.
 *
 * Cost: a NAT gateway and its public IP are charged by the hour even when the cluster is scaled to nothing.
 */
export class VirtualNetwork extends pulumi.ComponentResource {
  /** Name of the resource group. */
  readonly resourceGroupName: pulumi.Output<string>;
  /** ARM id of the resource group. */
  readonly resourceGroupId: pulumi.Output<string>;
  /** ARM id of the VNET. */
  readonly vnetId: pulumi.Output<string>;
  /** MTU in bytes. Azure has no such property, so other components read it here. */
  readonly mtu: number;

  constructor(name: string, args: VirtualNetworkArgs, opts?: pulumi.ComponentResourceOptions) {
    // Excludes managementCidrs: they come from an AKS cluster that takes ten minutes.
    super(componentType("VirtualNetwork"), name, { ...args, managementCidrs: undefined }, givenOptions(opts));
    requireProviders(this, "azure-native");
    const names = networkNames(args.clusterName);
    const { allowedCidrs = [], protect = false, tags = {}, vnetCidr = defaultVnetCidr } = args;
    const subnets = pulumi.output(vnetCidr).apply(defaultSubnets);
    const group = new resources.ResourceGroup(
      `${name}-resource-group`,
      { resourceGroupName: args.resourceGroup ?? args.clusterName, location: args.location, tags },
      { parent: this, protect, ...neverDeletedFirst },
    );
    const common = { resourceGroupName: group.name, location: args.location, tags };

    const nat = this.natGateway(name, names, args.outbound ?? { type: "nat" }, common);
    const { routeTableId } = args.outbound ?? {};
    const routeTable =
      routeTableId ??
      new network.RouteTable(
        `${name}-routes`,
        { ...common, routeTableName: names.routeTable, ...outboundRoutes(args.outbound) },
        { parent: this },
      ).id;
    const apiServerSources = pulumi
      .all([nat.addresses, args.managementCidrs ?? [], vnetCidr])
      .apply(([addresses, management, own]) =>
        collapseCidrs([
          ...allowedCidrs,
          ...management,
          ...(args.privateApiServer === true ? [own] : addresses),
        ]),
      );
    const controlPlaneNsg = new network.NetworkSecurityGroup(
      `${name}-control-plane-nsg`,
      {
        ...common,
        networkSecurityGroupName: names.controlPlaneNsg,
        securityRules: controlPlaneRules({
          apiServer: apiServerSources,
          ssh: args.privateSsh === true ? [] : collapseCidrs(allowedCidrs),
          nodes: args.privateApiServer === true ? "the VNET" : "the nodes' NAT gateway",
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
    const subnet = (
      subnetName: string,
      addressPrefix: pulumi.Input<string>,
      nsg: network.NetworkSecurityGroup,
    ) => ({
      name: subnetName,
      addressPrefix,
      networkSecurityGroup: { id: nsg.id },
      routeTable: { id: routeTable },
      ...(nat.id === undefined ? {} : { natGateway: { id: nat.id } }),
      ...subnetOutbound(args.outbound),
    });
    const vnet = new network.VirtualNetwork(
      `${name}-vnet`,
      {
        ...common,
        virtualNetworkName: names.vnet,
        addressSpace: { addressPrefixes: [vnetCidr] },
        ...(args.dnsServers === undefined ? {} : { dhcpOptions: { dnsServers: args.dnsServers } }),
        subnets: [
          {
            ...subnet(
              names.controlPlaneSubnet,
              args.controlPlaneSubnetCidr ?? subnets.controlPlane,
              controlPlaneNsg,
            ),
            // Azure takes no private link service in a subnet without this, and CAPZ sets it in VNETs that it makes only.
            ...(args.privateLink === true ? { privateLinkServiceNetworkPolicies: "Disabled" } : {}),
          },
          subnet(names.nodeSubnet, args.nodeSubnetCidr ?? subnets.nodes, nodeNsg),
          ...subnetsByName(args.poolSubnets).map(([own, cidr]) => subnet(own, cidr, nodeNsg)),
          ...this.bastionSubnet(name, args, common),
        ],
      },
      { parent: this, protect, ...neverDeletedFirst },
    );

    this.resourceGroupName = group.name;
    this.resourceGroupId = group.id;
    this.vnetId = vnet.id;
    this.mtu = args.mtu ?? azureVnetMtu;
    this.registerOutputs(pick(this, "resourceGroupName", "resourceGroupId", "vnetId", "mtu"));
  }

  /** The subnet of Azure Bastion, which Azure takes without a route to a firewall only, and which has its own way out. */
  private bastionSubnet(
    name: string,
    { clusterName, bastion }: VirtualNetworkArgs,
    common: Pick<network.NetworkSecurityGroupArgs, "resourceGroupName" | "location" | "tags">,
  ) {
    if (bastion === undefined) {
      return [];
    }
    const nsg = new network.NetworkSecurityGroup(
      `${name}-bastion-nsg`,
      {
        ...common,
        networkSecurityGroupName: bastionNames(clusterName).nsg,
        securityRules: bastionRules(bastion.allowedCidrs),
      },
      { parent: this },
    );
    return [{ name: bastionSubnetName, addressPrefix: bastion.cidr, networkSecurityGroup: { id: nsg.id } }];
  }

  /** The NAT gateway of the subnets, and the networks from which machines leave by it; neither for other ways out. */
  private natGateway(
    name: string,
    names: ReturnType<typeof networkNames>,
    outbound: OutboundArgs,
    common: Pick<network.NatGatewayArgs, "resourceGroupName" | "location" | "tags">,
  ): { id?: pulumi.Input<string>; addresses: pulumi.Input<pulumi.Input<string>[]> } {
    if (outbound.type !== "nat") {
      const { natGatewayId: id, egressCidrs: addresses = [] } = outbound;
      return id === undefined ? { addresses: [] } : { id, addresses };
    }
    const { prefixLength, addresses = 1, idleTimeoutMinutes = natIdleMinutes.default } = outbound;
    const prefixes =
      prefixLength === undefined
        ? []
        : [
            new network.PublicIPPrefix(
              `${name}-nat-prefix-${prefixLength}`,
              {
                ...common,
                publicIpPrefixName: names.natPublicIpPrefix(prefixLength),
                prefixLength,
                publicIPAddressVersion: "IPv4",
                sku: { name: "Standard" },
              },
              { parent: this },
            ),
          ];
    const ips = natIpNames(names.natPublicIp, prefixLength === undefined ? addresses : 0).map(
      ({ suffix, publicIpAddressName }) =>
        new network.PublicIPAddress(
          `${name}-nat-ip${suffix}`,
          {
            ...common,
            publicIpAddressName,
            publicIPAllocationMethod: "Static",
            publicIPAddressVersion: "IPv4",
            sku: { name: "Standard" },
          },
          { parent: this },
        ),
    );
    const nat = new network.NatGateway(
      `${name}-nat`,
      {
        ...common,
        natGatewayName: names.natGateway,
        sku: { name: "Standard" },
        idleTimeoutInMinutes: idleTimeoutMinutes,
        ...(prefixes.length === 0
          ? { publicIpAddresses: ips.map(({ id }) => ({ id })) }
          : { publicIpPrefixes: prefixes.map(({ id }) => ({ id })) }),
      },
      { parent: this },
    );
    return {
      id: nat.id,
      addresses: [
        ...ips.map(({ ipAddress }) =>
          ipAddress.apply((address) => `${assertDefined(address, "the NAT gateway's address")}/32`),
        ),
        ...prefixes.map(({ ipPrefix }) => ipPrefix),
      ],
    };
  }
}
