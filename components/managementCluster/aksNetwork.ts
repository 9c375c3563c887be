import * as authorization from "@pulumi/azure-native/authorization";
import * as network from "@pulumi/azure-native/network";
import * as pulumi from "@pulumi/pulumi";
import { managementNames } from "../../platform/azure/aks";
import {
  managementSubnets,
  nodesOfManagement,
  type ManagementOutbound,
} from "../../platform/azure/managementNetwork";
import { subnetId } from "../../platform/network/outbound";
import { assertDefined } from "../../tools/assertDefined";
import { componentType } from "../componentType";
import { aksRole, cidrOf, publicAddress, remadeWithPrincipal, type AksPlace } from "./aksParts";

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

/** The VNET of an AKS cluster, or the role in that of others. */
export class AksNetwork extends pulumi.ComponentResource {
  /** ARM id of the subnet of the nodes. */
  readonly nodeSubnetId: pulumi.Output<string>;
  /** Networks from which AKS leaves; none where it does by the load balancer of AKS. */
  readonly egressCidrs: readonly pulumi.Input<string>[];
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
      new authorization.RoleAssignment(
        `${name}-nodes-role`,
        aksRole(place, "networkContributor", this.nodeSubnetId, "nodes-role"),
        { parent: this, ...remadeWithPrincipal },
      ),
    ];
    this.egressCidrs = nat?.cidrs ?? egressCidrs;
    this.registerOutputs({ nodeSubnetId: this.nodeSubnetId, egressCidrs: this.egressCidrs });
  }

  private natGateway(name: string, names: ReturnType<typeof managementNames>, place: AksPlace) {
    const ip = new network.PublicIPAddress(
      `${name}-nat-ip`,
      { ...place.common, ...publicAddress(names.natPublicIp) },
      { parent: this },
    );
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
    return { id: gateway.id, cidrs: [cidrOf(ip)] };
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
