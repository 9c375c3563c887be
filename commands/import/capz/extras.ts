import { withoutUndefined } from "../../../tools/without";
import { at, isRecord, list, numberAt, text, textAt, type Plain } from "../../../tools/untyped";
import { hasSecret } from "./boilerplate";
import { machineSpec } from "./machines";
import { bootstrapSpec } from "./nodes";
import { mainSubnet, subnetKey } from "./subnets";
import type { PoolObjects } from "./roles";

/** Data disks, network interfaces, extensions and Trusted Launch of a pool's machines, as keys of a stack file. */

/**
 * Mount path of a disk on Linux: bootstrap data formats it with the disk's name as label, and mounts it by the label.
 */
function mountPathOf(spec: Plain, name: string, lun: number): string | undefined {
  const system = list(at(spec, "diskSetup", "filesystems")).find(({ device }) =>
    text(device).endsWith(`/lun${lun}`),
  );
  const mounts = Array.isArray(spec.mounts) ? (spec.mounts as unknown[]) : [];
  const mount = mounts.find((one) => Array.isArray(one) && one[0] === `LABEL=${name}`) as
    unknown[] | undefined;
  return system?.label === name && system.filesystem === "ext4" && typeof mount?.[1] === "string"
    ? mount[1]
    : undefined;
}

/** Drive letter of a disk on Windows, from the arguments of the stack's own script. */
function letterOf(spec: Plain, lun: number): string | undefined {
  const commands = Array.isArray(spec.preKubeadmCommands) ? spec.preKubeadmCommands.map(String) : [];
  const disks = commands.flatMap((one) => /initialize-data-disks\.ps1 -Disks (\S+)/.exec(one)?.[1] ?? []);
  return disks
    .flatMap((all) => all.split(","))
    .map((one) => one.split("="))
    .find(([at]) => at === String(lun))?.[1];
}

/** All disks or none: if a stack file cannot describe one of them, an override has the whole list. */
function dataDisksOf(pool: PoolObjects): Plain[] | undefined {
  const spec = bootstrapSpec(pool);
  const disks = list(machineSpec(pool).dataDisks).map((disk, index) => {
    const { nameSuffix, diskSizeGB, lun = index } = disk;
    const type = textAt(disk, "managedDisk", "storageAccountType");
    const place: Plain =
      pool.os === "windows"
        ? { letter: letterOf(spec, Number(lun)) }
        : { mountPath: mountPathOf(spec, text(nameSuffix), Number(lun)) };
    return lun === index && !Object.values(place).includes(undefined)
      ? {
          ...{ name: nameSuffix, sizeGB: diskSizeGB, ...place },
          ...(["", "Premium_LRS"].includes(type) ? {} : { type }),
        }
      : undefined;
  });
  return disks.length === 0 || disks.includes(undefined) ? undefined : (disks as Plain[]);
}

/**
 * The keys of network interfaces. The first is the pool's own; older objects describe it by two fields of the machine.
 */
function interfacesOf(spec: Plain, networkSpec: unknown): Plain {
  const main = textAt(mainSubnet(networkSpec), "name");
  const given = list(spec.networkInterfaces);
  const all =
    given.length === 0
      ? [{ subnetName: spec.subnetName, acceleratedNetworking: spec.acceleratedNetworking }]
      : given;
  const [first, ...more] = all.map(({ subnetName, acceleratedNetworking }) =>
    withoutUndefined({
      subnet: ["", main].includes(text(subnetName)) ? undefined : subnetKey(subnetName),
      acceleratedNetworking: acceleratedNetworking ?? undefined,
    }),
  );
  return { ...first, additionalNetworkInterfaces: more.length === 0 ? undefined : more };
}

/** Whether an extension has settings that are or may be secrets. Without them it would not work. */
export const isSecretExtension = ({ settings, protectedSettings }: Plain): boolean =>
  protectedSettings !== undefined ||
  Object.entries(isRecord(settings) ? settings : {}).some(([key, value]) =>
    hasSecret(`${key}: ${text(value)}`),
  );

const extensionsOf = (spec: Plain): Plain[] =>
  list(spec.vmExtensions)
    .filter((extension) => !isSecretExtension(extension))
    .map(({ name, publisher, version, settings }) =>
      withoutUndefined({ name, publisher, version, settings }),
    );

/** Trusted Launch of a pool of single machines; CAPZ does not pass it to Azure for scale sets. */
const trustedLaunchOf = ({ kind, os, machines }: PoolObjects, spec: Plain): Plain | undefined =>
  os === "windows" &&
  kind === "MachineDeployment" &&
  machines.kind === "AzureMachineTemplate" &&
  textAt(spec, "securityProfile", "securityType") === "TrustedLaunch"
    ? {
        secureBoot: at(spec, "securityProfile", "uefiSettings", "secureBootEnabled") === true,
        vTpm: at(spec, "securityProfile", "uefiSettings", "vTpmEnabled") === true,
      }
    : undefined;

export function extraKeys(pool: PoolObjects, networkSpec: unknown): Plain {
  const spec = machineSpec(pool);
  const extensions = extensionsOf(spec);
  return withoutUndefined({
    ...interfacesOf(spec, networkSpec),
    dataDisks: dataDisksOf(pool),
    vmExtensions: extensions.length === 0 ? undefined : extensions,
    trustedLaunch: trustedLaunchOf(pool, spec),
  });
}

/** Number of machines of a pool, for defaults that are a share of it. */
export const sizeOf = ({ pool }: PoolObjects): number => numberAt(pool.spec, "replicas") ?? 1;
