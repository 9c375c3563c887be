import * as authorization from "@pulumi/azure-native/authorization";
import * as network from "@pulumi/azure-native/network";
import * as pulumi from "@pulumi/pulumi";
import { managementNames } from "../../platform/azure/aks";
import {
  managementSubnets,
  nodesOfManagement,
  type ManagementOutbound,
} from "../../platform/azure/managementNetwork";
import { roleAssignmentName, roleDefinitionId, type BuiltInRole } from "../../platform/azure/roles";
import { subnetId } from "../../platform/network/outbound";
import { assertDefined } from "../../tools/assertDefined";
import { componentType } from "../componentType";

/** How AKS reaches what is outside of its VNET. */
export interface AksOutboundArgs {
  /** The way out. Default: loadBalancer. */
  type?: ManagementOutbound;
  /** existingNat, firewall: addresses from which AKS leaves. */
  egressCidrs?: string[] | undefined;
}

/** A VNET for AKS: of this program (vnetCidr), or of others (subnetId). */
export interface AksNetworkArgs {
  /** Range of the VNET that is made. */
  vnetCidr?: string | undefined;
  /** ARM id of a subnet for the nodes that others have made. */
  subnetId?: string | undefined;
  /** How AKS reaches what is outside of its VNET. */
  outbound?: AksOutboundArgs | undefined;
}

/** What the AKS cluster gives to its network. */
interface AksPlace {
  readonly clusterName: string;
  readonly subscriptionId: string;
  /** Of the identity of AKS. */
  readonly principalId: pulumi.Input<string>;
  readonly common: Pick<network.PublicIPAddressArgs, "resourceGroupName" | "location" | "tags">;
  readonly protect: boolean;
}

/** A role of the identity of AKS. */
const aksRole = (
  parent: pulumi.Resource,
  name: string,
  { clusterName, subscriptionId, principalId }: AksPlace,
  role: BuiltInRole,
  scope: pulumi.Input<string>,
  // What tells it from other assignments of AKS.
  part: string,
) =>
  new authorization.RoleAssignment(
    name,
    {
      roleAssignmentName: roleAssignmentName(subscriptionId, managementNames(clusterName).cluster, part),
      principalId,
      principalType: "ServicePrincipal",
      roleDefinitionId: roleDefinitionId(subscriptionId, role),
      scope,
    },
    // An assignment cannot move to another principal, and two of one name cannot exist.
    { parent, replaceOnChanges: ["principalId"], deleteBeforeReplace: true },
  );

/** A public address, and the network of this one address. */
function publicAddress(
  parent: pulumi.Resource,
  name: string,
  { common }: AksPlace,
  publicIpAddressName: string,
) {
  const ip = new network.PublicIPAddress(
    name,
    {
      ...common,
      publicIpAddressName,
      publicIPAllocationMethod: "Static",
      publicIPAddressVersion: "IPv4",
      sku: { name: "Standard" },
    },
    { parent },
  );
  const cidr = ip.ipAddress.apply((address) => `${assertDefined(address, "the egress address")}/32`);
  return { ip, cidrs: pulumi.all([cidr]) };
}

/** The address by which the load balancer of AKS leads out, with the role by which AKS takes it. */
export function egressIp(parent: pulumi.Resource, name: string, place: AksPlace) {
  const address = publicAddress(
    parent,
    `${name}-egress-ip`,
    place,
    managementNames(place.clusterName).egressIp,
  );
  const role = aksRole(
    parent,
    `${name}-network-role`,
    place,
    "networkContributor",
    address.ip.id,
    "network-role",
  );
  return { ...address, role };
}

/** The VNET of an AKS cluster, or the role in that of others. */
export class AksNetwork extends pulumi.ComponentResource {
  /** ARM id of the subnet of the nodes. */
  readonly nodeSubnetId: pulumi.Output<string>;
  /** Networks from which AKS leaves; none where it does by the load balancer of AKS. */
  readonly egressCidrs: pulumi.Output<string[]>;
  /** What is there before the cluster. */
  readonly roles: pulumi.Resource[];

  constructor(name: string, args: AksNetworkArgs, place: AksPlace, opts: pulumi.ComponentResourceOptions) {
    super(componentType("AksNetwork"), name, { ...args }, opts);
    const names = managementNames(place.clusterName);
    const { type = "loadBalancer", egressCidrs = [] } = args.outbound ?? {};
    const nat = type === "nat" ? this.natGateway(name, names, place) : undefined;
    const vnet = args.subnetId === undefined ? this.vnet(name, names, args, place, nat) : undefined;
    this.nodeSubnetId =
      vnet === undefined
        ? pulumi.output(assertDefined(args.subnetId, "the subnet of AKS"))
        : vnet.id.apply((id) => subnetId(id, nodesOfManagement));
    this.roles = [
      aksRole(this, `${name}-nodes-role`, place, "networkContributor", this.nodeSubnetId, "nodes-role"),
    ];
    this.egressCidrs = nat?.cidrs ?? pulumi.output(egressCidrs);
    this.registerOutputs({ nodeSubnetId: this.nodeSubnetId, egressCidrs: this.egressCidrs });
  }

  private natGateway(name: string, names: ReturnType<typeof managementNames>, place: AksPlace) {
    const { ip, cidrs } = publicAddress(this, `${name}-nat-ip`, place, names.natPublicIp);
    const gateway = new network.NatGateway(
      `${name}-nat`,
      {
        ...place.common,
        natGatewayName: names.natGateway,
        sku: { name: "Standard" },
        publicIpAddresses: [{ id: ip.id }],
      },
      { parent: this },
    );
    return { id: gateway.id, cidrs };
  }

  private vnet(
    name: string,
    names: ReturnType<typeof managementNames>,
    { vnetCidr }: AksNetworkArgs,
    { common, protect }: AksPlace,
    nat: { readonly id: pulumi.Input<string> } | undefined,
  ): network.VirtualNetwork {
    const range = assertDefined(vnetCidr, "the range of the VNET of AKS");
    const subnets = managementSubnets(range);
    return new network.VirtualNetwork(
      `${name}-vnet`,
      {
        ...common,
        virtualNetworkName: names.vnet,
        addressSpace: { addressPrefixes: [range] },
        subnets: [
          {
            name: nodesOfManagement,
            addressPrefix: subnets.nodes,
            defaultOutboundAccess: false,
            ...(nat === undefined ? {} : { natGateway: { id: nat.id } }),
          },
        ],
      },
      { parent: this, protect },
    );
  }
}
