import { autoscalerAnnotation } from "capz-windows-platform/machines/autoscalerAnnotation";
import { passedOptions } from "../../../capi/poolOptions";
import { hybridBenefitAnnotation } from "capz-windows-platform/machines/hybridBenefit";
import { present } from "capz-windows-kit/present";
import { at, isRecord, list, numberAt, strings, text, textAt, type Plain } from "capz-windows-kit/untyped";
import { withoutUndefined } from "capz-windows-kit/without";
import { unlessEmpty, unlessNone, type LeftOut } from "../findings";
import { numberIn, windowsServerOf } from "../values";
import { hasSecret } from "./boilerplate";
import { deletionKeys, healthCheckKeys, imageOf } from "./machines";
import { nodeKeys, type Carried } from "./nodes";
import { machineOf, nodeOf, type PoolObjects } from "./roles";
import { mainSubnet, subnetKey } from "./network";

/** A pool, as keys of a stack file. */

/** What the objects of all pools have in common. */
export interface Common {
  readonly version: string;
  readonly networkSpec: unknown;
  /** Whether any machines of the cluster have a health check. */
  readonly hasHealthChecks: boolean;
  readonly resourceGroup: string;
  /** Name of the identity with which the stack's nodes pull images; "" for none. */
  readonly pullIdentity: string;
}

/** The release of Windows Server by the annotation or the image. */
const releaseOf = ({ machines }: PoolObjects, image: unknown): string | undefined =>
  [
    machines.annotations.windowsServerVersion ??
      textAt(machines.spec, "template", "metadata", "annotations", "windowsServerVersion"),
    textAt(image, "computeGallery", "name") || textAt(image, "sharedGallery", "name"),
    textAt(image, "marketplace", "sku"),
    textAt(image, "id"),
  ]
    .map(windowsServerOf)
    .find((release) => release !== undefined);

/** A Kubernetes quantity as a decimal number: 250m is 0.25. */
function priceOf(value: unknown): string | undefined {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)(m|u)?$/.exec(String(value)) ?? [];
  const divisor = { m: 1e3, u: 1e6 }[unit] ?? 1;
  return digits === undefined ? undefined : String(Number((Number(digits) / divisor).toFixed(5)));
}

/**
 * Mount path of a disk on Linux: bootstrap data formats it with the disk's name as label, and mounts it by the label.
 */
function mountPathOf(node: Plain, name: string, lun: number): string | undefined {
  const system = list(at(node, "diskSetup", "filesystems")).find(({ device }) =>
    text(device).endsWith(`/lun${lun}`),
  );
  const mounts = (Array.isArray(node.mounts) ? node.mounts : []).map(strings);
  const path = mounts.find(([device]) => device === `LABEL=${name}`)?.[1];
  return system?.label === name && system.filesystem === "ext4" ? path : undefined;
}

/** Drive letter of a disk on Windows, from the arguments of the stack's own script. */
const letterOf = (node: Plain, lun: number): string | undefined =>
  strings(node.preKubeadmCommands)
    .flatMap((one) => /initialize-data-disks\.ps1 -Disks (\S+)/.exec(one)?.[1]?.split(",") ?? [])
    .map((one) => one.split("="))
    .find(([at]) => at === String(lun))?.[1];

/** All disks or none: if a stack file cannot describe one of them, an override has the whole list. */
function dataDisksOf({ bootstrap, os }: PoolObjects, machine: Plain): readonly Plain[] | undefined {
  const node = nodeOf(bootstrap);
  const disks = list(machine.dataDisks).flatMap((disk, index): Plain[] => {
    const { nameSuffix: name, diskSizeGB: sizeGB, lun = index } = disk;
    const type = textAt(disk, "managedDisk", "storageAccountType");
    const place = os === "windows" ? letterOf(node, index) : mountPathOf(node, text(name), index);
    const key = os === "windows" ? "letter" : "mountPath";
    return lun !== index || place === undefined
      ? []
      : [
          withoutUndefined({
            ...{ name, sizeGB, [key]: place },
            type: ["", "Premium_LRS"].includes(type) ? undefined : type,
          }),
        ];
  });
  return disks.length === list(machine.dataDisks).length ? unlessNone(disks) : undefined;
}

/** The first interface is the pool's own; older objects describe it by two fields of the machine. */
function interfacesOf(machine: Plain, networkSpec: unknown): Plain {
  const main = textAt(mainSubnet(networkSpec), "name");
  const given = list(machine.networkInterfaces);
  const [first, ...more] = (given.length === 0 ? [machine] : given).map(
    ({ subnetName, acceleratedNetworking }) =>
      withoutUndefined({
        subnet: ["", main].includes(text(subnetName)) ? undefined : subnetKey(subnetName),
        acceleratedNetworking: acceleratedNetworking ?? undefined,
      }),
  );
  return { ...first, additionalNetworkInterfaces: unlessNone(more) };
}

/** Whether an extension has settings that are or may be secrets. Without them it would not work. */
export const isSecretExtension = ({ settings, protectedSettings }: Plain): boolean =>
  protectedSettings !== undefined ||
  Object.entries(isRecord(settings) ? settings : {}).some(([key, value]) =>
    hasSecret(`${key}: ${text(value)}`),
  );

/** Trusted Launch of a pool of single machines; CAPZ does not pass it to Azure for scale sets. */
const trustedLaunchOf = ({ os, machines }: PoolObjects, { securityProfile }: Plain): Plain | undefined =>
  os === "windows" &&
  machines.kind === "AzureMachineTemplate" &&
  at(securityProfile, "securityType") === "TrustedLaunch"
    ? {
        secureBoot: at(securityProfile, "uefiSettings", "secureBootEnabled") === true,
        vTpm: at(securityProfile, "uefiSettings", "vTpmEnabled") === true,
      }
    : undefined;

/** Identities, without those in the cluster's resource group: they were made with the cluster, and go with it. */
function identitiesOf({ machines }: PoolObjects, machine: Plain, { resourceGroup }: Common) {
  const holder = machines.kind === "AzureMachinePool" ? machines.spec : machine;
  const ids = list(holder.userAssignedIdentities).map(({ providerID }) =>
    String(providerID).replace(/^azure:\/\//, ""),
  );
  const isOwn = (id: string): boolean =>
    id.toLowerCase().includes(`/resourcegroups/${resourceGroup}/`.toLowerCase());
  return { identityIds: unlessNone(ids.filter((id) => !isOwn(id))), own: ids.filter(isOwn) };
}

/** Objects of a pool that a stack has in another form. */
const otherForm = (
  { pool, machines, name, os, healthCheck }: PoolObjects,
  isScaleSet: boolean,
  identities: readonly string[],
): LeftOut[] => [
  ...identities.map((id) => ({
    from: `${machines.kind} ${name} identity ${id.split("/").at(-1) ?? ""}`,
    why: "it is in the resource group of the cluster, and goes with it",
    instead: "azureContainerRegistries, or identityIds with one of another group",
  })),
  ...present(
    !pool.name.endsWith(name) && {
      from: `${pool.kind} ${pool.name}`,
      why: "a pool's name has at most 40 lowercase letters, digits and '-', and begins with a letter",
      instead: `${os}Pools.${name}`,
    },
    isScaleSet &&
      healthCheck !== undefined && {
        from: `MachineHealthCheck ${healthCheck.name}`,
        why: "Cluster API repairs no machines of a scale set, and CAPZ does not let Azure do it",
        instead: "windowsPools.<name>.kind: MachineDeployment, for Windows nodes with a health check",
      },
    os === "linux" &&
      pool.kind === "MachineDeployment" && {
        from: `MachineDeployment ${name}`,
        why: "Linux pools are always scale sets",
        instead: `linuxPools.${name}`,
      },
  ),
];

/** @param made - the pool in a plan of the stack without files and commands */
export function poolKeys(source: PoolObjects, common: Common, made: PoolObjects | undefined): Carried {
  const { pool, machines, os, kind } = source;
  const machine = machineOf(machines);
  const [min, max] = [autoscalerAnnotation.min, autoscalerAnnotation.max].map((key) => pool.annotations[key]);
  const isScaled = min !== undefined && max !== undefined;
  const zones = pool.spec.failureDomains ?? at(pool.spec, "template", "spec", "failureDomain");
  const isScaleSet = kind === "MachinePool" || os === "linux";
  const release = os === "windows" ? releaseOf(source, machine.image) : undefined;
  // CAPZ's default since v1.25.0.
  const windowsServer = os === "windows" ? (release ?? "2022") : undefined;
  const version = textAt(pool.spec, "template", "spec", "version") || common.version;
  const disk = machine.osDisk;
  const ephemeral = at(disk, "diffDiskSettings");
  const rolling =
    at(machines.spec, "strategy", "rollingUpdate") ?? at(pool.spec, "rollout", "strategy", "rollingUpdate");
  const extensions = list(machine.vmExtensions).filter((extension) => !isSecretExtension(extension));
  const spot = machine.spotVMOptions;
  const { identityIds, own } = identitiesOf(source, machine, common);
  const node = nodeKeys(source, made);
  const checked = isScaled ? Number(min) : (numberAt(pool.spec, "replicas") ?? 1);
  return {
    keys: withoutUndefined({
      replicas: isScaled ? undefined : pool.spec.replicas,
      autoscale: isScaled ? { min: Number(min), max: Number(max) } : undefined,
      zones: typeof zones === "string" ? [zones] : zones,
      kind: os === "windows" ? kind : undefined,
      windowsServer,
      vmSize: machine.vmSize,
      kubernetesVersion: version === common.version ? undefined : version,
      image: imageOf(machine.image, version, windowsServer),
      osDiskGB: numberIn(at(disk, "diskSizeGB")),
      osDiskType: ephemeral === undefined ? at(disk, "managedDisk", "storageAccountType") : undefined,
      ephemeralOsDisk: ephemeral === undefined ? undefined : (at(ephemeral, "placement") ?? "CacheDisk"),
      diskEncryptionSetId: at(disk, "managedDisk", "diskEncryptionSet", "id"),
      spot: isRecord(spot)
        ? withoutUndefined({ evictionPolicy: spot.evictionPolicy, maxPrice: priceOf(spot.maxPrice) })
        : undefined,
      ...Object.fromEntries(
        passedOptions.map(([name, { machine: field }]) => [name, at(machine, ...field[0].split("."))]),
      ),
      identityIds,
      rollout: unlessEmpty({
        ...(isRecord(rolling) ? rolling : {}),
        deletePolicy: at(pool.spec, "deletion", "order") ?? at(rolling, "deletePolicy"),
      }),
      ...interfacesOf(machine, common.networkSpec),
      dataDisks: dataDisksOf(source, machine),
      vmExtensions: unlessNone(
        extensions.map(({ name, publisher, version: release, settings }) =>
          withoutUndefined({ name, publisher, version: release, settings }),
        ),
      ),
      trustedLaunch: trustedLaunchOf(source, machine),
      hybridBenefit: pool.annotations[hybridBenefitAnnotation] === "true" ? true : undefined,
      healthCheck: isScaleSet
        ? undefined
        : healthCheckKeys(source.healthCheck, checked, common.hasHealthChecks),
      deletion: deletionKeys(at(pool.spec, "template"), isScaleSet),
      ...node.keys,
    }),
    leftOut: [
      ...node.leftOut,
      ...present(
        os === "windows" &&
          release === undefined &&
          machine.image !== undefined && {
            from: `${machines.kind} ${source.name} image`,
            why: "the source does not say which release of Windows Server it has: 2022 is written, and not checked",
            instead: `windowsPools.${source.name}.windowsServer`,
          },
      ),
      ...otherForm(
        source,
        isScaleSet,
        own.filter((id) => common.pullIdentity === "" || !id.endsWith(`/${common.pullIdentity}`)),
      ),
    ],
  };
}
