import type { ManagementCluster } from "../components/managementCluster/managementCluster";
import type { ExistingNetworkArgs } from "../components/virtualNetwork/existingNetwork";
import type { NetworkArgs } from "../components/virtualNetwork/network";
import type { VirtualNetworkArgs } from "../components/virtualNetwork/virtualNetwork";
import { privateApiServer } from "../config/apiServer";
import { interfacesIn, machinesIn } from "../config/rules/network";
import { privateApiServerHost } from "capz-windows-platform/cluster/privateApiServer";
import { withoutEmpty, withoutUndefined } from "capz-windows-kit/without";
import { egressOf, type Settings } from "../config/settings";
import { egressTargets } from "capz-windows-platform/company-network/noProxy";
import { nodeSecurityGroupId, nodeSubnetIds } from "capz-windows-platform/company-network/existingNetwork";
import { apiServerSources } from "./apiServerArgs";
import { bastionSubnet, privateSsh } from "./bastionArgs";

/** The subnets of the machines. */
export const subnetCidrs = ({ network }: Settings): string[] => [
  network.controlPlaneSubnetCidr,
  network.nodeSubnetCidr,
  ...Object.values(network.poolSubnets),
];

/** Of each subnet, by its range. */
function addressesOf(settings: Settings): Record<string, number> {
  const { network } = settings;
  const machines = machinesIn(settings);
  return {
    [network.controlPlaneSubnetCidr]: machines.controlPlaneSubnetCidr,
    [network.nodeSubnetCidr]: machines.nodeSubnetCidr,
    ...Object.fromEntries(
      Object.entries(network.poolSubnets).map(([name, cidr]) => [cidr, interfacesIn(settings, name)]),
    ),
  };
}

/** The args if the VNET belongs to others, otherwise `undefined`. */
function existingNetwork(settings: Settings, management: ManagementCluster): ExistingNetworkArgs | undefined {
  const { network, azure, tags, protect } = settings;
  const { existing, mtu, poolSubnets } = network;
  const own = privateApiServer(settings);
  const firewall = network.outbound?.firewallAddress;
  const linked = network.apiServer?.linkedVnetIds ?? [];
  const egress = egressOf(settings);
  return (
    existing && {
      existing,
      resourceGroup: azure.resourceGroup,
      location: azure.location,
      vnetCidr: network.vnetCidr,
      subnetCidrs: subnetCidrs(settings),
      addresses: addressesOf(settings),
      mtu,
      ...withoutUndefined({
        poolSubnets,
        ...egressTargets(egress?.proxy, egress?.registryMirror),
        firewall: firewall === undefined ? undefined : { address: firewall },
        apiServer: own && {
          ...{ host: privateApiServerHost(own.zoneName), ip: own.ip },
          ...withoutUndefined({
            manual: own.manual,
            privateLink: own.privateLink && true,
            linkedVnetIds: linked.length === 0 ? undefined : linked,
          }),
        },
      }),
      ...apiServerSources(settings, management),
      ...privateSsh(settings),
      tags,
      protect,
    }
  );
}

/** Where identities need roles outside of the resource group of the cluster. */
export const networkScopes = ({ network: { existing } }: Settings) =>
  existing && {
    controllers: [existing.controlPlaneSubnetId, ...nodeSubnetIds(existing)],
    controlPlane: [...nodeSubnetIds(existing), nodeSecurityGroupId(existing)],
  };

const virtualNetwork = (settings: Settings, management: ManagementCluster): VirtualNetworkArgs => ({
  clusterName: settings.clusterName,
  resourceGroup: settings.azure.resourceGroup,
  location: settings.azure.location,
  vnetCidr: settings.network.vnetCidr,
  controlPlaneSubnetCidr: settings.network.controlPlaneSubnetCidr,
  nodeSubnetCidr: settings.network.nodeSubnetCidr,
  ...withoutEmpty({
    poolSubnets: settings.network.poolSubnets,
    outbound: settings.network.outbound,
    dnsServers: settings.network.dnsServers,
    privateLink: settings.network.apiServer?.privateLink && true,
  }),
  mtu: settings.network.mtu,
  ...apiServerSources(settings, management),
  ...privateSsh(settings),
  ...bastionSubnet(settings),
  tags: settings.tags,
  protect: settings.protect,
});

export const network = (settings: Settings, management: ManagementCluster): NetworkArgs => ({
  own: virtualNetwork(settings, management),
  existing: existingNetwork(settings, management),
});
