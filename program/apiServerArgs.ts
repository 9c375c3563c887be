import type { ApiServerZoneArgs } from "../components/privateDns/apiServerZone";
import type { ManagementCluster } from "../components/managementCluster/managementCluster";
import type { Network } from "../components/virtualNetwork/network";
import { privateApiServer } from "../config/apiServer";
import { linkedVnetsOf } from "../config/managementReach";
import type { Settings } from "../config/settings";
import { covers, privateCidrs } from "../platform/network/addressing";
import { withoutEmpty } from "../tools/without";
import { managementVnet } from "./managementVnet";

const onlyPrivate = (cidrs: readonly string[]): string[] =>
  cidrs.filter((cidr) => covers(privateCidrs, [cidr]));

/** Who reaches the API server; a private one is not reached from public addresses. */
export const apiServerSources = (settings: Settings, cluster: ManagementCluster) => {
  const { network, access, management } = settings;
  const { egressCidrs } = cluster;
  const vnet = managementVnet(settings, cluster);
  return network.apiServer === undefined
    ? { allowedCidrs: access.allowedCidrs, managementCidrs: egressCidrs }
    : {
        privateApiServer: true,
        allowedCidrs: onlyPrivate(access.allowedCidrs),
        managementCidrs:
          management.kind === "existing"
            ? onlyPrivate(management.egressCidrs)
            : management.kind === "stack"
              ? vnet === undefined
                ? egressCidrs.apply(onlyPrivate)
                : vnet.apply((own) => egressCidrs.apply((cidrs) => onlyPrivate([...cidrs, ...own.cidrs])))
              : [management.network?.vnetCidr ?? []].flat(),
      };
};

/** The load balancer of a private API server; nothing for a public one. */
export function internalBalancer(settings: Settings) {
  const own = privateApiServer(settings);
  return own === undefined ? {} : { privateApiServer: { ip: own.ip, zoneName: own.zoneName } };
}

/** The args if the stack makes the record of a private API server, otherwise an empty list. */
export function apiServerZones(
  settings: Settings,
  network: Network,
  management: ManagementCluster,
): ApiServerZoneArgs[] {
  const own = privateApiServer(settings);
  const { clusterName, azure, tags } = settings;
  const vnet = managementVnet(settings, management);
  return own === undefined || own.manual
    ? []
    : [
        {
          ...{ clusterName, tags, subscriptionId: azure.subscriptionId, tenantId: azure.tenantId },
          ...{ resourceGroupName: network.resourceGroupName, vnetId: network.vnetId },
          ...{ ip: own.ip, zoneName: own.zoneName, linkedVnetIds: linkedVnetsOf(settings) },
          ...withoutEmpty({ zoneId: own.zoneId }),
          ...(vnet === undefined ? {} : { managementVnetId: vnet.id }),
        },
      ];
}
