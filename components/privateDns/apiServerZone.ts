import * as privatedns from "@pulumi/azure-native/privatedns";
import { Provider } from "@pulumi/azure-native/provider";
import * as pulumi from "@pulumi/pulumi";
import { fnv1a32, networkNames } from "capz-windows-platform/cluster/naming";
import { privateRecord } from "capz-windows-platform/cluster/privateApiServer";
import { resourceParts } from "capz-windows-platform/azure/resourceParts";
import { childOf, givenOptions, requireProviders } from "../childOptions";
import { componentType } from "../componentType";

export interface ApiServerZoneArgs {
  /** Name of the workload cluster. */
  clusterName: string;
  /** Subscription of the cluster. */
  subscriptionId: string;
  /** Microsoft Entra tenant of the cluster. */
  tenantId: string;
  /** Resource group of the zone that is made. */
  resourceGroupName: pulumi.Input<string>;
  /** ARM id of the cluster's VNET. */
  vnetId: pulumi.Input<string>;
  /** Address of the API server. */
  ip: string;
  /** Name of the zone. */
  zoneName: string;
  /** ARM id of a zone of others, which gets the record and the links. Default: a zone is made. */
  zoneId?: string | undefined;
  /** ARM ids of further VNETs in which the name resolves. Default: none. */
  linkedVnetIds?: string[] | undefined;
  /** ARM id of the VNET of a management cluster of another stack, in which the name resolves, too. Default: none. */
  managementVnetId?: pulumi.Input<string> | undefined;
  /** Azure tags of what is created. Default: none. */
  tags?: Record<string, string> | undefined;
}

/**
 * The name of an API server without a public address: a private DNS zone, its links, and the record apiserver.
 *
 * Name it in the `opts.dependsOn` of the WorkloadCluster: the first machine asks for the name.
 */
export class ApiServerZone extends pulumi.ComponentResource {
  /** Host of the API server. */
  readonly host: string;

  constructor(name: string, args: ApiServerZoneArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("ApiServerZone"), name, { ...args }, givenOptions(opts));
    requireProviders(this, "azure-native");
    const { clusterName, subscriptionId, tenantId, zoneName, zoneId, linkedVnetIds = [], tags = {} } = args;
    const others = zoneId === undefined ? undefined : resourceParts(zoneId);
    const provider =
      others === undefined || others.subscriptionId.toLowerCase() === subscriptionId.toLowerCase()
        ? {}
        : {
            provider: new Provider(
              `${name}-provider`,
              { subscriptionId: others.subscriptionId, tenantId },
              { parent: this },
            ),
          };
    // Private DNS is a global service.
    const global = { location: "Global", tags };
    const zone =
      others === undefined
        ? new privatedns.PrivateZone(
            `${name}-zone`,
            { ...global, resourceGroupName: args.resourceGroupName, privateZoneName: zoneName },
            { parent: this },
          )
        : undefined;
    const inZone = {
      resourceGroupName: others?.resourceGroup ?? args.resourceGroupName,
      privateZoneName: zone?.name ?? zoneName,
    };
    const link = (part: string, linkName: string, id: pulumi.Input<string>) =>
      new privatedns.VirtualNetworkLink(
        `${name}-link-${part}`,
        {
          ...{ ...global, ...inZone, virtualNetworkLinkName: linkName },
          ...{ virtualNetwork: { id }, registrationEnabled: false },
        },
        { ...childOf(this, opts), ...provider },
      );
    link("vnet", networkNames(clusterName).vnet, args.vnetId);
    for (const id of linkedVnetIds) {
      // Two VNETs can have one name.
      const part = fnv1a32(id.toLowerCase());
      link(part, `${clusterName}-${part}`, id);
    }
    if (args.managementVnetId !== undefined) {
      link("management", `${clusterName}-management`, args.managementVnetId);
    }
    new privatedns.PrivateRecordSet(
      `${name}-record`,
      {
        ...{ ...inZone, recordType: "A", relativeRecordSetName: privateRecord },
        ...{ ttl: 300, aRecords: [{ ipv4Address: args.ip }] },
      },
      { parent: this, ...provider },
    );
    this.host = `${privateRecord}.${zoneName}`;
    this.registerOutputs({ host: this.host });
  }
}
