import type { AzureMachinePoolSpec } from "capz-types/crds/azure";
import { mergePatch } from "capz-windows-kit/mergePatch";
import { passedFields, type PassedName } from "../../capi/poolOptions";
import type { OsDiskType } from "capz-windows-platform/machines/pools";
import { encodedSshKey } from "capz-windows-platform/machines/sshKey";
import { optionalFields } from "capz-windows-kit/without";
import type { PoolObjectArgs } from "./poolObjectArgs";

/** What a machine is made of, for scale sets and single machines alike. */
type Machine = AzureMachinePoolSpec["template"];

type ManagedDisk = NonNullable<Machine["osDisk"]["managedDisk"]>;
type VmExtension = NonNullable<Machine["vmExtensions"]>[number];
type SpotOptions = NonNullable<Machine["spotVMOptions"]>;
type NetworkInterface = NonNullable<Machine["networkInterfaces"]>[number];

const managedDisk = (
  type: OsDiskType | undefined,
  { diskEncryptionSetId: id }: PoolObjectArgs,
): ManagedDisk => ({
  storageAccountType: type ?? "Premium_LRS",
  ...optionalFields<ManagedDisk>({ diskEncryptionSet: id === undefined ? undefined : { id } }),
});

/** An ephemeral disk has no type; CAPZ's template for it caches reads. */
const osDisk = (args: PoolObjectArgs): Machine["osDisk"] => ({
  diskSizeGB: args.osDiskGB,
  osType: args.os === "windows" ? "Windows" : "Linux",
  ...optionalFields<Machine["osDisk"]>(
    args.ephemeralOsDisk === undefined
      ? { managedDisk: managedDisk(args.osDiskType, args) }
      : { cachingType: "ReadOnly", diffDiskSettings: { option: "Local", placement: args.ephemeralOsDisk } },
  ),
});

/**
 * A price as CAPZ's webhook writes it: the canonical form of a Kubernetes quantity, 250m for 0.25. Another form would
 * be a difference in each preview.
 */
function quantity(price: string): string {
  const millionths = Math.round(Number(price) * 1e6);
  if (millionths % 1e6 === 0) {
    return String(millionths / 1e6);
  }
  return millionths % 1e3 === 0 ? `${millionths / 1e3}m` : `${millionths}u`;
}

/**
 * Image, disks, size, key, and what a pool adds; without network interfaces, CAPZ gives a machine one in the only node subnet.
 * Values of lists are set explicitly where CAPZ's webhook has a default, because lists are atomic: each preview would show a
 * difference.
 */
export function azureMachineSpec(
  args: PoolObjectArgs,
  kind: "AzureMachinePool" | "AzureMachineTemplate",
): Machine {
  const { spot, trustedLaunch, dataDisks, vmExtensions, networkInterfaces } = args;
  const machine: Machine = {
    image: args.image,
    osDisk: osDisk(args),
    vmSize: args.vmSize,
    ...optionalFields<Machine>({
      networkInterfaces: networkInterfaces?.map(({ subnet, acceleratedNetworking }) => ({
        subnetName: subnet,
        ...optionalFields<NetworkInterface>({ acceleratedNetworking, privateIPConfigs: 1 }),
      })),
      spotVMOptions: spot && {
        // Set explicitly: CAPZ's own default is to deallocate, which leaves nodes that never become ready again.
        evictionPolicy: spot.evictionPolicy ?? "Delete",
        ...optionalFields<SpotOptions>({
          maxPrice: spot.maxPrice === undefined ? undefined : quantity(spot.maxPrice),
        }),
      },
      securityProfile: trustedLaunch && {
        securityType: "TrustedLaunch",
        uefiSettings: { secureBootEnabled: trustedLaunch.secureBoot, vTpmEnabled: trustedLaunch.vTpm },
      },
      dataDisks: dataDisks?.map(({ name, sizeGB, type }, lun) => ({
        nameSuffix: name,
        lun,
        diskSizeGB: sizeGB,
        // None for scale sets, because CAPZ does not send it for them.
        cachingType: "None",
        managedDisk: managedDisk(type, args),
      })),
      vmExtensions: vmExtensions?.map(({ name, publisher, version, settings }) => ({
        ...{ name, publisher, version },
        ...optionalFields<VmExtension>({ settings }),
      })),
      sshPublicKey: args.os === "windows" ? undefined : encodedSshKey(args.sshPublicKey),
    }),
  };
  return passedFields(args satisfies Pick<PoolObjectArgs, PassedName>, kind).reduce<Machine>(
    (spec, fields) => mergePatch(spec, fields) as Machine,
    machine,
  );
}

/**
 * In an AzureMachinePool it is beside the template, in an AzureMachineTemplate inside it. By default there is no identity: workers
 * need no identity (the cloud node manager asks the instance metadata service), and any pod that reaches that service would
 * have its roles.
 */
export const machineIdentity = ({
  identityIds,
}: PoolObjectArgs): Pick<AzureMachinePoolSpec, "identity" | "userAssignedIdentities"> =>
  identityIds.length === 0
    ? {}
    : {
        identity: "UserAssigned",
        // CAPZ writes provider ids with `azure://` in front of the ARM id.
        userAssignedIdentities: identityIds.map((id) => ({ providerID: `azure://${id}` })),
      };
