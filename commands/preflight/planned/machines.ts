import type { CapzImage } from "../../../platform/machines/images";
import { at, list, numberAt, text, textAt } from "../../../tools/untyped";

/**
 * The parts of a machine as CAPZ sends them to Azure, from an AzureMachinePool's template or an AzureMachineTemplate (CAPZ
 * v1.27.0 azure/services/virtualmachines/spec.go, azure/services/scalesets/spec.go and azure/converters). Passwords, user
 * data and protected settings are left out.
 */

type Fields = Readonly<Record<string, unknown>>;

const field = (name: string, value: unknown): Fields =>
  value === undefined || value === "" ? {} : { [name]: value };

/** azure/converters/image.go */
function imageReference({ marketplace, computeGallery, id }: Partial<CapzImage> = {}): Fields {
  if (marketplace !== undefined) {
    const { publisher, offer, sku, version } = marketplace;
    return { publisher, offer, sku, version };
  }
  if (computeGallery === undefined) {
    return { id };
  }
  const { gallery, name, version, subscriptionID, resourceGroup } = computeGallery;
  return subscriptionID === undefined || resourceGroup === undefined
    ? { communityGalleryImageId: `/CommunityGalleries/${gallery}/Images/${name}/Versions/${version}` }
    : {
        id: `/subscriptions/${subscriptionID}/resourceGroups/${resourceGroup}/providers/Microsoft.Compute/galleries/${gallery}/images/${name}/versions/${version}`,
      };
}

/** The purchase plan of a third-party image in the Marketplace. */
const purchasePlan = (image: unknown): Fields =>
  at(image, "marketplace", "thirdPartyImage") === true
    ? {
        plan: {
          publisher: textAt(image, "marketplace", "publisher"),
          product: textAt(image, "marketplace", "offer"),
          name: textAt(image, "marketplace", "sku"),
        },
      }
    : {};

const managedDisk = (disk: unknown): Fields => {
  const set = at(disk, "diskEncryptionSet");
  return {
    ...field("storageAccountType", at(disk, "storageAccountType")),
    ...(set === undefined ? {} : { diskEncryptionSet: { id: textAt(set, "id") } }),
  };
};

const withDisk = (disk: unknown): Fields =>
  at(disk, "managedDisk") === undefined ? {} : { managedDisk: managedDisk(at(disk, "managedDisk")) };

/** For scale sets CAPZ sends neither the name of the OS disk nor the caching of data disks. */
const storageProfile = (machine: unknown, name: string, isScaleSet: boolean): Fields => {
  const osDisk = at(machine, "osDisk");
  const dataDisks = list(at(machine, "dataDisks")).map((disk) => ({
    createOption: "Empty",
    name: `${name}_${text(disk.nameSuffix)}`,
    lun: disk.lun,
    diskSizeGB: disk.diskSizeGB,
    ...(isScaleSet ? {} : field("caching", disk.cachingType)),
    ...withDisk(disk),
  }));
  return {
    imageReference: imageReference(at(machine, "image") as Partial<CapzImage> | undefined),
    osDisk: {
      ...(isScaleSet ? {} : { name: `${name}_OSDisk` }),
      osType: textAt(osDisk, "osType"),
      createOption: "FromImage",
      ...field("diskSizeGB", numberAt(osDisk, "diskSizeGB")),
      ...field("caching", textAt(osDisk, "cachingType") || "None"),
      ...field("diffDiskSettings", at(osDisk, "diffDiskSettings")),
      ...withDisk(osDisk),
    },
    ...(isScaleSet && dataDisks.length === 0 ? {} : { dataDisks }),
  };
};

const osProfile = (machine: unknown): Fields => ({
  adminUsername: "capi",
  ...(textAt(machine, "osDisk", "osType") === "Windows"
    ? { windowsConfiguration: { enableAutomaticUpdates: false } }
    : {
        linuxConfiguration: {
          disablePasswordAuthentication: true,
          ssh: {
            publicKeys: [
              {
                path: ["/home", "capi", ".ssh", "authorized_keys"].join("/"),
                keyData: Buffer.from(textAt(machine, "sshPublicKey"), "base64").toString(),
              },
            ],
          },
        },
      }),
});

/** CAPZ's webhooks enable boot diagnostics unless the spec says otherwise. */
const bootDiagnostics = (machine: unknown): Fields => ({
  diagnosticsProfile: {
    bootDiagnostics: {
      enabled: textAt(machine, "diagnostics", "boot", "storageAccountType") !== "Disabled",
    },
  },
});

const spotFields = (machine: unknown): Fields => {
  const spot = at(machine, "spotVMOptions");
  const [, price = "", unit = ""] = /^(-?[\d.]+)([mu]?)$/.exec(String(at(spot, "maxPrice"))) ?? [];
  return spot === undefined
    ? {}
    : {
        priority: "Spot",
        ...field("evictionPolicy", textAt(spot, "evictionPolicy")),
        ...(price !== "" && {
          billingProfile: { maxPrice: Number(price) / ({ m: 1e3, u: 1e6 }[unit] ?? 1) },
        }),
      };
};

/** `identity` and `userAssignedIdentities` of a spec, whose provider ids have `azure://` in front. */
const identityField = (spec: unknown): Fields => {
  const ids = list(at(spec, "userAssignedIdentities")).map((one) =>
    textAt(one, "providerID").replace(/^azure:\/\//, ""),
  );
  const type = textAt(spec, "identity");
  return type === "" || type === "None"
    ? {}
    : {
        identity: {
          type,
          ...(ids.length > 0 && { userAssignedIdentities: Object.fromEntries(ids.map((id) => [id, {}])) }),
        },
      };
};

/** Extensions of a machine as its spec names them; CAPZ takes the name for the type. */
export const extensionsOf = (machine: unknown): { readonly name: string; readonly properties: Fields }[] =>
  list(at(machine, "vmExtensions")).map(({ name, publisher, version, settings }) => ({
    name: text(name),
    properties: {
      publisher,
      type: name,
      typeHandlerVersion: version,
      ...field("settings", settings),
    },
  }));

/** CAPZ's default is one interface, with accelerated networking where the size has it. */
export const interfacesOf = (machine: unknown, defaultSubnet: string) => {
  const all = list(at(machine, "networkInterfaces"));
  return (all.length === 0 ? [{}] : all).map((one) => ({
    subnet: textAt(one, "subnetName") || defaultSubnet,
    accelerated: at(one, "acceleratedNetworking") !== false,
  }));
};

/** A machine without its place, tags and zones; `interfaces` and `availabilitySet` are ARM ids. */
export function virtualMachine(
  machine: unknown,
  {
    name,
    interfaces,
    availabilitySet,
  }: { name: string; interfaces: readonly string[]; availabilitySet: string | undefined },
): Fields & { readonly properties: Fields } {
  const security = at(machine, "securityProfile");
  // CAPZ sends only what is switched on.
  const uefi = Object.entries(at(security, "uefiSettings") ?? {}).filter(([, on]) => on === true);
  return {
    ...identityField(machine),
    ...purchasePlan(at(machine, "image")),
    properties: {
      hardwareProfile: { vmSize: textAt(machine, "vmSize") },
      storageProfile: storageProfile(machine, name, false),
      osProfile: { ...osProfile(machine), computerName: name, allowExtensionOperations: true },
      networkProfile: {
        networkInterfaces: interfaces.map((id, index) => ({ id, properties: { primary: index === 0 } })),
      },
      ...(availabilitySet === undefined ? {} : { availabilitySet: { id: availabilitySet } }),
      ...(security !== undefined && {
        securityProfile: {
          ...field("encryptionAtHost", at(security, "encryptionAtHost")),
          ...(uefi.length > 0 && {
            securityType: textAt(security, "securityType"),
            uefiSettings: Object.fromEntries(uefi),
          }),
        },
      }),
      ...spotFields(machine),
      ...bootDiagnostics(machine),
    },
  };
}

/** A scale set; `spec` is that of the AzureMachinePool. */
export function scaleSet(
  spec: unknown,
  {
    name,
    zones,
    interfaces,
    capacity,
  }: { name: string; zones: readonly string[]; interfaces: readonly Fields[]; capacity: number },
): Fields & { readonly properties: Fields } {
  const machine = at(spec, "template");
  const encryptionAtHost = at(machine, "securityProfile", "encryptionAtHost");
  const minutes = numberAt(machine, "terminateNotificationTimeout");
  const extensions = extensionsOf(machine);
  return {
    ...identityField(spec),
    ...purchasePlan(at(machine, "image")),
    sku: { name: textAt(machine, "vmSize"), tier: "Standard", capacity },
    ...(zones.length === 0 ? {} : { zones }),
    properties: {
      orchestrationMode: textAt(spec, "orchestrationMode") || "Uniform",
      singlePlacementGroup: false,
      overprovision: false,
      upgradePolicy: { mode: "Manual" },
      virtualMachineProfile: {
        osProfile: { ...osProfile(machine), computerNamePrefix: name },
        storageProfile: storageProfile(machine, name, true),
        // CAPZ sends no other part of the profile for scale sets.
        ...(encryptionAtHost === undefined ? {} : { securityProfile: { encryptionAtHost } }),
        networkProfile: { networkInterfaceConfigurations: interfaces },
        extensionProfile: extensions.length === 0 ? {} : { extensions },
        ...spotFields(machine),
        ...bootDiagnostics(machine),
        ...(minutes !== undefined && {
          scheduledEventsProfile: {
            terminateNotificationProfile: { notBeforeTimeout: `PT${minutes}M`, enable: true },
          },
        }),
      },
    },
  };
}
