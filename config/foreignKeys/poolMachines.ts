import type { ForeignKey } from "./foreignKey";
import { absent, moved } from "./foreignKey";

/** Keys of the machines of pools: disks, network interfaces, extensions, security. */
export const poolMachineKeys: readonly ForeignKey[] = [
  absent(
    "dataDisks dataDisk diskSizesGB disks",
    "only pools have data disks; that of etcd is controlPlane.etcdDiskGB",
    "dataDisks of each pool",
    { within: ["controlPlane", "cluster", "management"] },
  ),
  moved("dataDisk disks", "the data disks", ["pool.dataDisks"], { within: ["pool"] }),
  absent(
    "diskSizesGB",
    "data disks have names, and a folder or a letter",
    "dataDisks, such as dataDisks: [{name: data, sizeGB: 256, letter: F}]",
    { within: ["pool"] },
  ),
  moved("vmExtension extensions", "VM extensions", ["pool.vmExtensions"], { within: ["pool"] }),
  absent(
    "vmExtensions vmExtension extensions",
    "only pools have VM extensions",
    "vmExtensions of each pool, or overrides with a patch of AzureMachineTemplate",
    { within: ["controlPlane", "cluster", "management"] },
  ),
  absent(
    "extensionProfiles preProvisionExtension",
    "VM extensions have a publisher, a name and a version",
    "vmExtensions, preKubeadmCommands and files of each pool",
  ),
  absent(
    "protectedSettings",
    "secrets do not belong in a stack file, and everybody who reads the AzureMachinePool would see them",
    "settings, and an identity of the pool with the roles that the extension needs",
  ),
  absent(
    "securityProfile securityType confidentialVM secureBoot secureBootEnabled enableSecureBoot vTpm vTpmEnabled enableVtpm",
    "no key has this name",
    "trustedLaunch (trustedLaunch.secureBoot, trustedLaunch.vTpm) of a Windows pool with kind: MachineDeployment, encryptionAtHost, or overrides with a patch of AzureMachineTemplate",
    { within: ["pool"] },
  ),
  absent(
    "securityProfile securityType trustedLaunch confidentialVM secureBoot secureBootEnabled enableSecureBoot vTpm vTpmEnabled enableVtpm",
    "the control plane has the reference image of generation 1",
    "overrides of AzureMachineTemplate, for an image of your own of generation 2; trustedLaunch.secureBoot and trustedLaunch.vTpm are keys of Windows pools",
    { within: ["controlPlane"] },
  ),
  absent(
    "subnet subnetName subnetId",
    "only pools have a choice of subnets",
    "network.nodeSubnetCidr, network.controlPlaneSubnetCidr, and subnet of each pool",
    { within: ["controlPlane", "azure", "cluster", "network"] },
  ),
  absent(
    "subnetId",
    "subnets are named, and made by the stack",
    "network.poolSubnets, and subnet of each pool",
    {
      within: ["pool"],
    },
  ),
  moved("subnetName", "the subnet", ["pool.subnet"], { within: ["pool"] }),
  moved(
    "enableAcceleratedNetworking acceleratedNetworkingEnabled acceleratedNetworkingEnabledWindows",
    "accelerated networking",
    ["pool.acceleratedNetworking"],
  ),
];
