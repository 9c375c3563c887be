import { apiServerHost, type ClusterIdentity } from "capz-windows-platform/cluster/naming";
import { balancerAddresses, defaultZoneName } from "capz-windows-platform/cluster/privateApiServer";
import { resourceParts } from "capz-windows-platform/azure/resourceParts";
import type { StackConfig } from "./schema/stack";

interface Place {
  readonly clusterName: string;
  readonly network: Pick<StackConfig["network"], "apiServer"> & { readonly controlPlaneSubnetCidr: string };
}

/** The private API server of a stack, with its defaults; nothing for a public one. */
export function privateApiServer({ network, clusterName }: Place) {
  if (network.apiServer === undefined) {
    return undefined;
  }
  const { ip, dns, linkedVnetIds, privateLink } = network.apiServer;
  const { zoneId, manual } = dns;
  return {
    ip: ip ?? balancerAddresses(network.controlPlaneSubnetCidr).last,
    zoneName:
      zoneId === undefined ? (dns.zoneName ?? defaultZoneName(clusterName)) : resourceParts(zoneId).name,
    ...{ zoneId, manual, linkedVnetIds, privateLink },
  };
}

/** Host of the API server, public or private. */
export const apiServerHostOf = (
  place: Place & { readonly azure: Omit<ClusterIdentity, "clusterName" | "privateZone"> },
): string =>
  apiServerHost({
    ...place.azure,
    clusterName: place.clusterName,
    privateZone: privateApiServer(place)?.zoneName,
  });
