import * as network from "@pulumi/azure-native/network";
import * as privatedns from "@pulumi/azure-native/privatedns";
import { Provider } from "@pulumi/azure-native/provider";
import * as pulumi from "@pulumi/pulumi";
import { lastPart, resourceParts } from "capz-windows-platform/azure/resourceParts";
import { vnetIdOf } from "capz-windows-platform/company-network/existingNetwork";
import { linkNames, linkServiceId } from "capz-windows-platform/company-network/privateLink";
import { assertDefined } from "capz-windows-kit/assertDefined";
import { childOf, requireProviders } from "../childOptions";
import { componentType } from "../componentType";
import { awaitService } from "./linkService";

export interface ApiServerEndpointArgs {
  /** Name of the workload cluster. */
  clusterName: string;
  /** Subscription of the cluster. */
  subscriptionId: string;
  /** Microsoft Entra tenant of the cluster. */
  tenantId: string;
  /** Resource group of the cluster, with its private link service and the zone. */
  resourceGroupName: pulumi.Input<string>;
  /** ARM id of a subnet in the VNET of the management cluster, in any subscription of the tenant. */
  subnetId: pulumi.Input<string>;
  /** Azure region of that VNET. */
  location: string;
  /** Host of the API server, which is the name of the zone. */
  host: string;
  /** Azure tags of what is created. Default: none. */
  tags?: Record<string, string> | undefined;
}

/**
 * The way of a management cluster to an API server in a VNET that it is not peered with: a private endpoint on the private
 * link service of the cluster, and a private DNS zone by which the API server has the address of the endpoint there.
 *
 * Give the WorkloadCluster `privateLinkSubscriptions`, and what makes this component in its option `endpoints`.
 */
export class ApiServerEndpoint extends pulumi.ComponentResource {
  /** Address of the API server in the VNET of the management cluster. */
  readonly ip: pulumi.Output<string>;

  constructor(name: string, args: ApiServerEndpointArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("ApiServerEndpoint"), name, { ...args }, opts);
    requireProviders(this, "azure-native");
    const { clusterName, subscriptionId, tenantId, host, tags = {} } = args;
    const names = linkNames(clusterName);
    const vnetId = pulumi.output(args.subnetId).apply(vnetIdOf);
    const vnet = vnetId.apply(resourceParts);
    // Azure takes an endpoint only in the subscription of its VNET.
    const isElsewhere =
      typeof args.subnetId !== "string" ||
      resourceParts(vnetIdOf(args.subnetId)).subscriptionId.toLowerCase() !== subscriptionId.toLowerCase();
    const inVnet = isElsewhere
      ? {
          provider: new Provider(
            `${name}-provider`,
            { subscriptionId: vnet.subscriptionId, tenantId },
            { parent: this },
          ),
        }
      : {};
    const endpoint = new network.PrivateEndpoint(
      `${name}-endpoint`,
      {
        ...{ resourceGroupName: vnet.resourceGroup, location: args.location, tags },
        ...{ privateEndpointName: names.endpoint, customNetworkInterfaceName: names.networkInterface },
        subnet: { id: args.subnetId },
        privateLinkServiceConnections: [
          {
            name: names.endpoint,
            privateLinkServiceId: this.service(args, opts),
          },
        ],
      },
      {
        ...{ ...childOf(this, opts), ...inVnet },
        // Azure changes neither, and has one endpoint of this name.
        ...{ replaceOnChanges: ["subnet", "privateLinkServiceConnections"], deleteBeforeReplace: true },
      },
    );
    const networkInterface = network.getNetworkInterfaceOutput(
      {
        resourceGroupName: vnet.resourceGroup,
        networkInterfaceName: endpoint.networkInterfaces.apply(([first]) =>
          lastPart(assertDefined(first?.id, "the network interface of the private endpoint")),
        ),
      },
      { parent: this, ...inVnet },
    );
    this.ip = networkInterface.apply(({ ipConfigurations }) =>
      assertDefined(ipConfigurations?.[0]?.privateIPAddress, "the address of the private endpoint"),
    );
    // Private DNS is a global service. The zone is the name itself, so that others of its domain resolve as before.
    const inGroup = { resourceGroupName: args.resourceGroupName, tags, location: "Global" };
    const zone = new privatedns.PrivateZone(
      `${name}-zone`,
      { ...inGroup, privateZoneName: host },
      { parent: this },
    );
    new privatedns.VirtualNetworkLink(
      `${name}-link`,
      {
        ...{ ...inGroup, privateZoneName: zone.name, virtualNetworkLinkName: `${clusterName}-management` },
        ...{ virtualNetwork: { id: vnetId }, registrationEnabled: false },
      },
      { ...childOf(this, opts) },
    );
    new privatedns.PrivateRecordSet(
      `${name}-record`,
      {
        ...{ resourceGroupName: args.resourceGroupName, privateZoneName: zone.name },
        ...{ recordType: "A", relativeRecordSetName: "@", ttl: 300, aRecords: [{ ipv4Address: this.ip }] },
      },
      { parent: this },
    );
    this.registerOutputs({ ip: this.ip });
  }

  /** ARM ID of the private link service, once it is there and what the component depends on. */
  private service(
    { subscriptionId, resourceGroupName, clusterName }: ApiServerEndpointArgs,
    { dependsOn = [] }: pulumi.ComponentResourceOptions = {},
  ): pulumi.Output<string> {
    const before = pulumi
      .output<pulumi.Resource | pulumi.Input<pulumi.Resource>[]>(dependsOn)
      .apply((found) => pulumi.all([found].flat().map(({ urn }) => urn)));
    return pulumi.all([resourceGroupName, before]).apply(async ([group]) => {
      const id = linkServiceId(subscriptionId, group, clusterName);
      const service = { resourceGroupName: group, serviceName: linkNames(clusterName).service };
      return pulumi.runtime.isDryRun()
        ? id
        : await awaitService(id, () => network.getPrivateLinkService(service, { parent: this }));
    });
  }
}
