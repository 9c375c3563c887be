import type { NetworkInterfaceArgs } from "../components/machinePool/poolArgs";
import type { Pool } from "../config/pools";
import type { Settings } from "../config/settings";
import { passedValues } from "../capi/poolOptions";
import { identityId, nodeSubnetName, pullIdentityName } from "capz-windows-platform/cluster/naming";
import { subnetParts } from "capz-windows-platform/company-network/existingNetwork";
import { withoutEmpty, withoutUndefined } from "capz-windows-kit/without";
import { ownValue } from "capz-windows-kit/untyped";

/** Azure's name of a subnet. The stack's own subnets have the names of the stack file. */
function azureSubnet({ existing }: Settings["network"], name: string): string {
  const id = name === nodeSubnetName ? existing?.nodeSubnetId : ownValue(existing?.poolSubnetIds, name);
  return id === undefined ? name : subnetParts(id).subnet;
}

/**
 * Network interfaces with their subnets. CAPZ finds the subnet itself if there is only one for nodes; if there are
 * several, it creates no machine without the name of its subnet.
 */
function networkInterfaces(
  network: Settings["network"],
  { subnet, acceleratedNetworking, additionalNetworkInterfaces }: Pool,
): NetworkInterfaceArgs[] {
  const isDefault =
    Object.keys(network.poolSubnets).length === 0 &&
    acceleratedNetworking === undefined &&
    additionalNetworkInterfaces.length === 0;
  return isDefault
    ? []
    : [{ subnet, acceleratedNetworking }, ...additionalNetworkInterfaces].map((one) => ({
        subnet: azureSubnet(network, one.subnet ?? nodeSubnetName),
        ...withoutEmpty({ acceleratedNetworking: one.acceleratedNetworking }),
      }));
}

/** Registries, with the identity that ClusterApi creates for them. */
const containerRegistries = ({ azureContainerRegistries: ids, azure, clusterName }: Settings) =>
  ids.length === 0
    ? undefined
    : {
        ids,
        identityId: identityId(azure.subscriptionId, azure.resourceGroup, pullIdentityName(clusterName)),
      };

/** The remaining fields as JSON, because the args of a component are typed. */
const kubelet = ({ kubelet: { configuration, ...options } = {} }: Pool) =>
  configuration === undefined ? options : { ...options, configuration: JSON.stringify(configuration) };

/** The options that not every pool has. */
export const poolOptions = (pool: Pool, settings: Settings) => ({
  ...withoutEmpty({
    ...passedValues(pool),
    networkInterfaces: networkInterfaces(settings.network, pool),
    dataDisks: pool.dataDisks.map(({ type, ...disk }) => ({ ...disk, ...withoutEmpty({ type }) })),
    vmExtensions: pool.vmExtensions,
    spot: pool.spot,
    osDiskType: pool.osDiskType,
    ephemeralOsDisk: pool.ephemeralOsDisk,
    diskEncryptionSetId: pool.diskEncryptionSetId,
    identityIds: pool.identityIds,
    containerRegistries: containerRegistries(settings),
    labels: pool.labels,
    taints: pool.taints,
    kubelet: kubelet(pool),
    // How a scale set goes that is removed is a matter of the stack (args.scaleSets), not of its objects.
    deletion: pool.deletion && withoutUndefined({ ...pool.deletion, drainBeforeRemoval: undefined }),
  }),
});
