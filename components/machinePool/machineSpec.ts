import type { AzureMachinePoolSpec } from "../../capi/crds/azure";
import { encodedSshKey } from "../../platform/machines/sshKey";
import type { OsDiskType } from "../../platform/machines/pools";
import type { PoolObjectArgs } from "./poolObjectArgs";

/** What a machine is made of, for scale sets and single machines alike. */
type Machine = AzureMachinePoolSpec["template"];

type ManagedDisk = NonNullable<Machine["osDisk"]["managedDisk"]>;
type VmExtension = NonNullable<Machine["vmExtensions"]>[number];
type SecurityProfile = NonNullable<Machine["securityProfile"]>;
type SpotOptions = NonNullable<Machine["spotVMOptions"]>;
type NetworkInterface = NonNullable<Machine["networkInterfaces"]>[number];

const managedDisk = (
  type: OsDiskType | undefined,
  { diskEncryptionSetId: id }: PoolObjectArgs,
): ManagedDisk => ({
  storageAccountType: type ?? "Premium_LRS",
  ...(id === undefined ? {} : ({ diskEncryptionSet: { id } } satisfies Partial<ManagedDisk>)),
});

/** An ephemeral disk has no type; CAPZ's template for it caches reads. */
function osDisk(args: PoolObjectArgs): Machine["osDisk"] {
  const { ephemeralOsDisk: placement } = args;
  return {
    diskSizeGB: args.osDiskGB,
    osType: args.os === "windows" ? "Windows" : "Linux",
    ...(placement === undefined
      ? ({ managedDisk: managedDisk(args.osDiskType, args) } satisfies Partial<Machine["osDisk"]>)
      : ({ cachingType: "ReadOnly", diffDiskSettings: { option: "Local", placement } } satisfies Partial<
          Machine["osDisk"]
        >)),
  };
}

/**
 * LUN and caching are set explicitly because the list is atomic: the webhook's defaults would be a difference each
 * time.
 */
const dataDisks = (args: PoolObjectArgs): Pick<Machine, "dataDisks"> =>
  args.dataDisks === undefined || args.dataDisks.length === 0
    ? {}
    : {
        dataDisks: args.dataDisks.map(({ name, sizeGB, type }, lun) => ({
          nameSuffix: name,
          lun,
          diskSizeGB: sizeGB,
          // None for scale sets, because CAPZ does not send it for them.
          cachingType: "None",
          managedDisk: managedDisk(type, args),
        })),
      };

const vmExtensions = ({ vmExtensions: all = [] }: PoolObjectArgs): Pick<Machine, "vmExtensions"> =>
  all.length === 0
    ? {}
    : {
        vmExtensions: all.map(({ name, publisher, version, settings = {} }) => ({
          name,
          publisher,
          version,
          ...(Object.keys(settings).length === 0 ? {} : ({ settings } satisfies Partial<VmExtension>)),
        })),
      };

function securityProfile({
  encryptionAtHost,
  trustedLaunch,
}: PoolObjectArgs): Pick<Machine, "securityProfile"> {
  const profile: SecurityProfile = {
    ...(encryptionAtHost === true ? ({ encryptionAtHost } satisfies SecurityProfile) : {}),
    ...(trustedLaunch === undefined
      ? {}
      : ({
          securityType: "TrustedLaunch",
          uefiSettings: { secureBootEnabled: trustedLaunch.secureBoot, vTpmEnabled: trustedLaunch.vTpm },
        } satisfies SecurityProfile)),
  };
  return Object.keys(profile).length === 0 ? {} : { securityProfile: profile };
}

/**
 * A price as CAPZ's webhook writes it: the canonical form of a Kubernetes quantity, 250m for 0.25. Another form would
 * be a difference in each preview.
 */
function quantity(price: string): string {
  const millionths = Math.round(Number(price) * 1e6);
  return millionths % 1e6 === 0
    ? String(millionths / 1e6)
    : millionths % 1e3 === 0
      ? `${millionths / 1e3}m`
      : `${millionths}u`;
}

function spotOptions({ spot }: PoolObjectArgs): Pick<Machine, "spotVMOptions"> {
  return spot === undefined
    ? {}
    : {
        spotVMOptions: {
          // Set explicitly: CAPZ's own default is to deallocate, which leaves nodes that never become ready again.
          evictionPolicy: spot.evictionPolicy ?? "Delete",
          ...(spot.maxPrice === undefined
            ? {}
            : ({ maxPrice: quantity(spot.maxPrice) } satisfies SpotOptions)),
        },
      };
}

/** Set explicitly because the list is atomic: the webhook's default would be a difference in each preview. */
const addresses: Pick<NetworkInterface, "privateIPConfigs"> = { privateIPConfigs: 1 };

/** Without any, CAPZ gives a machine one interface in the only node subnet. */
const networkInterfaces = ({
  networkInterfaces: all = [],
}: PoolObjectArgs): Pick<Machine, "networkInterfaces"> =>
  all.length === 0
    ? {}
    : {
        networkInterfaces: all.map(({ subnet, acceleratedNetworking }) => ({
          subnetName: subnet,
          ...(acceleratedNetworking === undefined
            ? {}
            : ({ acceleratedNetworking } satisfies NetworkInterface)),
          ...addresses,
        })),
      };

/**
 * Image, disks, size, key, and what a pool adds. By default there is no identity: workers need none (the cloud node
 * manager asks the instance metadata service), and any pod that reaches that service would have the identity's roles.
 */
export const azureMachineSpec = (
  args: PoolObjectArgs,
): Pick<
  Machine,
  | "dataDisks"
  | "image"
  | "networkInterfaces"
  | "osDisk"
  | "securityProfile"
  | "spotVMOptions"
  | "sshPublicKey"
  | "vmExtensions"
  | "vmSize"
> => ({
  image: args.image,
  osDisk: osDisk(args),
  vmSize: args.vmSize,
  ...networkInterfaces(args),
  ...spotOptions(args),
  ...securityProfile(args),
  ...dataDisks(args),
  ...vmExtensions(args),
  ...(args.os === "windows"
    ? {}
    : ({ sshPublicKey: encodedSshKey(args.sshPublicKey) } satisfies Partial<Machine>)),
});

/** In an AzureMachinePool it is beside the template, in an AzureMachineTemplate inside it. */
export const machineIdentity = ({
  identityIds = [],
}: PoolObjectArgs): Pick<AzureMachinePoolSpec, "identity" | "userAssignedIdentities"> =>
  identityIds.length === 0
    ? {}
    : {
        identity: "UserAssigned",
        // CAPZ writes provider ids with `azure://` in front of the ARM id.
        userAssignedIdentities: identityIds.map((id) => ({ providerID: `azure://${id}` })),
      };
