import * as authorization from "@pulumi/azure-native/authorization";
import * as network from "@pulumi/azure-native/network";
import * as privatedns from "@pulumi/azure-native/privatedns";
import * as pulumi from "@pulumi/pulumi";
import { managementNames } from "capz-windows-platform/azure/aks";
import {
  aksDelegation,
  aksZone,
  apiServerOfManagement,
  managementSubnets,
  nodesOfManagement,
} from "capz-windows-platform/azure/managementNetwork";
import type { BuiltInRole } from "capz-windows-platform/azure/roles";
import { fnv1a32 } from "capz-windows-platform/cluster/naming";
import { vnetIdOf } from "capz-windows-platform/company-network/existingNetwork";
import { subnetId } from "capz-windows-platform/company-network/outbound";
import { assertDefined } from "capz-windows-kit/assertDefined";
import { withoutUndefined, pick } from "capz-windows-kit/without";
import { neverDeletedFirst } from "../childOptions";
import { componentType } from "../componentType";
import type { AksApiServerArgs, AksNetworkArgs } from "./aksNetworkArgs";
import { aksRole, cidrOf, publicAddress, remadeWithPrincipal, type AksPlace } from "./aksParts";
import { present } from "capz-windows-kit/present";

/** Fields of AKS (apiServerAccessProfile). */
interface ApiServerAccess {
  readonly enableVnetIntegration?: true;
  readonly subnetId?: pulumi.Output<string>;
  readonly enablePrivateCluster?: true;
  readonly privateDNSZone?: pulumi.Input<string>;
  readonly enablePrivateClusterPublicFQDN?: boolean;
}

/** The VNET of an AKS cluster, or the role in that of others. */
export class AksNetwork extends pulumi.ComponentResource {
  /** ARM id of the subnet of the nodes. */
  readonly nodeSubnetId: pulumi.Output<string>;
  /** ARM id of the VNET. */
  readonly vnetId: pulumi.Output<string>;
  /** Whether this program makes it. */
  readonly isMade: boolean;
  /** What AKS is told of its API server. */
  readonly access: ApiServerAccess;
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
    const inVnet = (own: string, given: string | undefined): pulumi.Output<string> =>
      vnet?.id.apply((id) => subnetId(id, own)) ?? pulumi.output(assertDefined(given, "a subnet of AKS"));
    this.nodeSubnetId = inVnet(nodesOfManagement, args.subnetId);
    this.vnetId = vnet?.id ?? this.nodeSubnetId.apply(vnetIdOf);
    this.isMade = vnet !== undefined;
    const { apiServer = {} } = args;
    const apiServerSubnet =
      apiServer.vnetIntegration === true ? inVnet(apiServerOfManagement, apiServer.subnetId) : undefined;
    const zone = this.zone(name, apiServer, place);
    const role = (part: string, what: BuiltInRole, scope: pulumi.Input<string> | undefined) =>
      present(
        scope !== undefined &&
          new authorization.RoleAssignment(`${name}-${part}`, aksRole(place, what, scope, part), {
            parent: this,
            ...remadeWithPrincipal,
          }),
      );
    this.roles = [
      ...role("nodes-role", "networkContributor", this.nodeSubnetId),
      ...role("api-server-role", "networkContributor", apiServerSubnet),
      ...role("zone-role", "privateDnsZoneContributor", zone),
      ...role("vnet-role", "networkContributor", zone && this.vnetId),
    ];
    this.access = {
      ...(apiServerSubnet ? { enableVnetIntegration: true, subnetId: apiServerSubnet } : {}),
      ...(apiServer.private === true && {
        enablePrivateCluster: true,
        privateDNSZone: zone ?? apiServer.privateDnsZone ?? "system",
        enablePrivateClusterPublicFQDN: apiServer.publicFqdn ?? true,
      }),
    };
    this.egressCidrs = nat?.cidrs ?? egressCidrs;
    this.registerOutputs(pick(this, "nodeSubnetId", "vnetId", "egressCidrs"));
  }

  /** ARM id of the zone to which AKS adds its API server; none for the zones that AKS makes, and without one. */
  private zone(
    name: string,
    { privateDnsZone = "system", vnetIntegration = false, linkedVnetIds = [] }: AksApiServerArgs,
    { clusterName, common: { resourceGroupName, tags, location } }: AksPlace,
  ): pulumi.Input<string> | undefined {
    if (privateDnsZone !== "own") {
      return privateDnsZone.startsWith("/") ? privateDnsZone : undefined;
    }
    // Private DNS is a global service.
    const global = { resourceGroupName, location: "Global", ...withoutUndefined({ tags }) };
    const zone = new privatedns.PrivateZone(
      `${name}-zone`,
      {
        ...global,
        privateZoneName: pulumi.output(location).apply((at = "") => aksZone(at, vnetIntegration)),
      },
      { parent: this },
    );
    // AKS links its own VNET.
    for (const id of linkedVnetIds) {
      // Two VNETs can have one name.
      const part = fnv1a32(id.toLowerCase());
      new privatedns.VirtualNetworkLink(
        `${name}-zone-link-${part}`,
        {
          ...{ ...global, privateZoneName: zone.name, virtualNetworkLinkName: `${clusterName}-${part}` },
          ...{ virtualNetwork: { id }, registrationEnabled: false },
        },
        { parent: this },
      );
    }
    return zone.id;
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
    { vnetCidr, apiServer }: AksNetworkArgs,
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
        subnets: present(
          apiServer?.vnetIntegration === true && {
            name: apiServerOfManagement,
            addressPrefix: subnets.apiServer,
            delegations: [{ name: "aks", serviceName: aksDelegation }],
          },
          {
            name: nodesOfManagement,
            addressPrefix: subnets.nodes,
            defaultOutboundAccess: false,
            ...(nat === undefined ? {} : { natGateway: { id: nat.id } }),
          },
        ),
      },
      { parent: this, protect, ...neverDeletedFirst },
    );
  }
}
