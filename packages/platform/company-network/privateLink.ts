import { bash } from "capz-windows-kit/shell";
import { resourceParts } from "../azure/resourceParts";

/** A private link to the internal load balancer of an API server, for a management cluster whose VNET cannot be peered. */

/** What it is made of. CAPZ makes the service in the resource group of the cluster. */
export const linkNames = (clusterName: string) => ({
  service: `${clusterName}-apiserver`,
  endpoint: `${clusterName}-apiserver`,
  networkInterface: `${clusterName}-apiserver-nic`,
});

export const linkServiceId = (subscriptionId: string, resourceGroup: string, clusterName: string): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.Network/privateLinkServices/${linkNames(clusterName).service}`;

/** For whoever has the management cluster's VNET: the endpoint, and a zone in which the API server has its address. */
export function linkCommands(serviceId: string, host: string): string[] {
  const { name } = resourceParts(serviceId);
  return [
    bash`az network private-endpoint create --resource-group GROUP --name ${name} --vnet-name VNET --subnet SUBNET --connection-name ${name} --private-connection-resource-id ${serviceId} --nic-name ${name}-nic`,
    bash`az network nic show --resource-group GROUP --name ${name}-nic --query "ipConfigurations[0].privateIPAddress" --output tsv   # ADDRESS`,
    bash`az network private-dns zone create --resource-group GROUP --name ${host}`,
    bash`az network private-dns link vnet create --resource-group GROUP --zone-name ${host} --name ${name} --virtual-network VNET --registration-enabled false`,
    bash`az network private-dns record-set a add-record --resource-group GROUP --zone-name ${host} --record-set-name @ --ipv4-address ADDRESS`,
  ];
}
