import type { Output } from "@pulumi/pulumi";
import type { ApiServerEndpointArgs } from "../components/privateLink/apiServerEndpoint";
import type { ApiServerZoneArgs } from "../components/privateDns/apiServerZone";
import type { ManagementCluster } from "../components/managementCluster/managementCluster";
import type { Network } from "../components/virtualNetwork/network";
import { apiServerHostOf, privateApiServer } from "../config/apiServer";
import { endpointSubnetId, isEndpointInStack, linkedVnetsOf, privateLinkOf } from "../config/managementReach";
import type { Settings } from "../config/settings";
import { nodesOfManagement } from "capz-windows-platform/azure/managementNetwork";
import { resourceParts } from "capz-windows-platform/azure/resourceParts";
import { subnetId } from "capz-windows-platform/company-network/outbound";
import { covers, privateCidrs } from "capz-windows-platform/network/addressing";
import { withoutEmpty } from "capz-windows-kit/without";
import { managementVnet } from "./managementVnet";
import { present } from "capz-windows-kit/present";

const onlyPrivate = (cidrs: readonly string[]): string[] =>
  cidrs.filter((cidr) => covers(privateCidrs, [cidr]));

/** Who reaches the API server; a private one is not reached from public addresses. */
export const apiServerSources = (settings: Settings, cluster: ManagementCluster) => {
  const { network, access } = settings;
  if (network.apiServer === undefined) {
    return { allowedCidrs: access.allowedCidrs, managementCidrs: cluster.egressCidrs };
  }
  return {
    privateApiServer: true,
    allowedCidrs: onlyPrivate(access.allowedCidrs),
    managementCidrs: privateManagementCidrs(settings, cluster),
  };
};

/** Private addresses from which the management cluster reaches a private API server. */
function privateManagementCidrs(settings: Settings, cluster: ManagementCluster): string[] | Output<string[]> {
  const { management } = settings;
  // By a private link, the management cluster comes as an address of the control plane subnet.
  if (privateLinkOf(settings)) {
    return [];
  }
  if (management.kind === "existing") {
    return onlyPrivate(management.egressCidrs);
  }
  if (management.kind !== "stack") {
    return [management.network?.vnetCidr ?? []].flat();
  }
  const { egressCidrs } = cluster;
  const vnet = managementVnet(settings, cluster);
  if (vnet === undefined) {
    return egressCidrs.apply(onlyPrivate);
  }
  return vnet.apply((own) => egressCidrs.apply((cidrs) => onlyPrivate([...cidrs, ...own.cidrs])));
}

/** Subnet of the management VNET in which the stack makes a private endpoint. */
const endpointSubnet = (
  settings: Settings,
  management: ManagementCluster,
): string | Output<string> | undefined =>
  endpointSubnetId(settings) ??
  (isEndpointInStack(settings)
    ? managementVnet(settings, management)?.id.apply((id) => subnetId(id, nodesOfManagement))
    : undefined);

/** The load balancer of a private API server, and who reaches it by a private link; nothing for a public one. */
export function internalBalancer(settings: Settings, management: ManagementCluster) {
  const own = privateApiServer(settings);
  const subnet = endpointSubnet(settings, management);
  if (own === undefined) {
    return undefined;
  }
  const { ip, zoneName, privateLink } = own;
  if (privateLink === undefined) {
    return { ip, zoneName };
  }
  const subscriptions = (...ids: string[]): string[] => [
    ...new Set(
      [
        settings.azure.subscriptionId,
        ...ids.map((id) => resourceParts(id).subscriptionId),
        ...privateLink.subscriptions,
      ].map((one) => one.toLowerCase()),
    ),
  ];
  if (subnet === undefined) {
    return { ip, zoneName, privateLinkSubscriptions: subscriptions() };
  }
  const privateLinkSubscriptions =
    typeof subnet === "string" ? subscriptions(subnet) : subnet.apply((id) => subscriptions(id));
  return { ip, zoneName, privateLinkSubscriptions };
}

/** The args if the stack makes the private endpoint by which the management cluster reaches the API server. */
export function apiServerEndpoints(
  settings: Settings,
  network: Network,
  management: ManagementCluster,
): ApiServerEndpointArgs[] {
  const { clusterName, azure, tags } = settings;
  const subnet = endpointSubnet(settings, management);
  return present(
    subnet !== undefined && {
      ...{ clusterName, tags, subscriptionId: azure.subscriptionId, tenantId: azure.tenantId },
      ...{ resourceGroupName: network.resourceGroupName, subnetId: subnet },
      ...{
        host: apiServerHostOf(settings),
        location: privateLinkOf(settings)?.location ?? azure.location,
      },
    },
  );
}

/** The args if the stack makes the record of a private API server, otherwise an empty list. */
export function apiServerZones(
  settings: Settings,
  network: Network,
  management: ManagementCluster,
): ApiServerZoneArgs[] {
  const own = privateApiServer(settings);
  const { clusterName, azure, tags } = settings;
  const vnet = privateLinkOf(settings) ? undefined : managementVnet(settings, management);
  return present(
    own !== undefined &&
      !own.manual && {
        ...{ clusterName, tags, subscriptionId: azure.subscriptionId, tenantId: azure.tenantId },
        ...{ resourceGroupName: network.resourceGroupName, vnetId: network.vnetId },
        ...{ ip: own.ip, zoneName: own.zoneName, linkedVnetIds: linkedVnetsOf(settings) },
        ...withoutEmpty({ zoneId: own.zoneId }),
        ...(vnet === undefined ? {} : { managementVnetId: vnet.id }),
      },
  );
}
