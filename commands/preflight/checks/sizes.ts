import { bash } from "capz-windows-kit/shell";
import { at, list, strings, textAt, type Plain } from "capz-windows-kit/untyped";
import type { Arm } from "../../azure/arm";
import type { MachineNeed, Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";
import { quoted, stackLine } from "./stackLine";

/** Whether the VM sizes are available in the region and have the capabilities that the stack needs. */

export type Size = ReturnType<typeof sizeOf>;

const sizeOf = (raw: Plain, location: string) => {
  const capability = (name: string): string =>
    textAt(
      list(raw.capabilities).find((each) => textAt(each, "name") === name),
      "value",
    );
  // What Azure does not report, or not as a number, counts as 0.
  const counted = (name: string): number =>
    /^\d{1,15}$/.test(capability(name)) ? Number(capability(name)) : 0;
  const restrictions = list(raw.restrictions);
  const info = list(raw.locationInfo).find((each) => textAt(each, "location").toLowerCase() === location);
  return {
    name: textAt(raw, "name"),
    family: textAt(raw, "family"),
    cores: counted("vCPUs"),
    zones: strings(info?.zones),
    restricted: restrictions.some((each) => textAt(each, "type") === "Location")
      ? textAt(restrictions[0], "reasonCode")
      : undefined,
    restrictedZones: restrictions
      .filter((each) => textAt(each, "type") === "Zone")
      .flatMap((each) => strings(at(each, "restrictionInfo", "zones"))),
    capability,
    counted,
  };
};

/** https://learn.microsoft.com/rest/api/compute/resource-skus/list */
export async function sizesOf(
  arm: Arm,
  { subscriptionId, location }: Needs,
): Promise<ReadonlyMap<string, Size>> {
  const found = await arm.list(
    `/subscriptions/${subscriptionId}/providers/Microsoft.Compute/skus`,
    "2021-07-01",
    {
      $filter: `location eq '${location}'`,
    },
  );
  return new Map(
    found
      .filter((raw) => textAt(raw, "resourceType") === "virtualMachines")
      .map((raw) => sizeOf(raw, location))
      .map((size) => [size.name, size]),
  );
}

/** Capabilities, beyond cores, that a pool needs of its VM size. */
function featureRows(
  { path, vmSize, spot, encryptionAtHost, ephemeralOsDisk: ephemeral }: MachineNeed,
  { capability, counted }: Size,
): Row[] {
  const lacks = (name: string): boolean => capability(name) === "False";
  const place: Readonly<Record<string, number>> = {
    CacheDisk: counted("CachedDiskBytes") / 2 ** 30,
    ResourceDisk: counted("MaxResourceVolumeMB") / 1024,
    NvmeDisk: counted("NvmeDiskSizeInMiB") / 1024,
  };
  const room = ephemeral && place[ephemeral.placement];
  const { error } = rowsOf(`size of ${path}`);
  const wrong = (text: string, setting: string): Row => error(text, stackLine(path, setting));
  return present(
    encryptionAtHost &&
      lacks("EncryptionAtHostSupported") &&
      wrong(`${vmSize} cannot encrypt at the host`, "vmSize: A-SIZE-THAT-CAN"),
    spot && lacks("LowPriorityCapable") && wrong(`${vmSize} is not offered as spot`, "vmSize: ANOTHER-SIZE"),
    ephemeral &&
      lacks("EphemeralOSDiskSupported") &&
      wrong(`${vmSize} does not support ephemeral OS disks`, "vmSize: A-SIZE-WITH-A-LOCAL-DISK"),
    ephemeral &&
      room !== undefined &&
      room < ephemeral.diskGB &&
      wrong(
        `${vmSize} has ${Math.floor(room)} GiB for an ephemeral OS disk on ${ephemeral.placement}, and the pool needs ${ephemeral.diskGB}`,
        `osDiskGB: ${Math.floor(room)}`,
      ),
  );
}

function sizeRows(machine: MachineNeed, size: Size | undefined, location: string): Row[] {
  const { path, vmSize, zones } = machine;
  const { error, warning } = rowsOf(`size of ${path}`);
  const list = bash`az vm list-skus --location ${location} --size ${vmSize} --all -o table`;
  const other = stackLine(path, "vmSize: A-SIZE-OF-THE-REGION");
  const usual = stackLine(path, "vmSize: Standard_D4s_v5");
  if (size === undefined) {
    return [error(`${vmSize} does not exist in ${location}`, other, list)];
  }
  if (size.restricted !== undefined) {
    const why = `${vmSize} is not available to this subscription in ${location}: ${size.restricted}`;
    return [error(why, other, list)];
  }
  const left = size.zones.filter((zone) => !size.restrictedZones.includes(zone));
  const missing = zones.filter((zone) => !left.includes(zone));
  if (missing.length > 0) {
    return [
      error(
        `${vmSize} is not available in zone ${missing.join(", ")} of ${location}`,
        stackLine(path, `zones: [${left.map(quoted).join(", ")}]`),
      ),
    ];
  }
  return present(
    (size.capability("HyperVGenerations") === "V2" || size.capability("DiskControllerTypes") === "NVMe") &&
      warning(
        `${vmSize} boots generation 2 with NVMe disks only, and CAPZ's reference images are of generation 1`,
        usual,
      ),
    size.capability("CpuArchitectureType") === "Arm64" &&
      error(`${vmSize} is Arm64, and the images are x64`, usual),
    size.capability("AcceleratedNetworkingEnabled") === "False" &&
      warning(`${vmSize} does not support accelerated networking`, other),
    ...featureRows(machine, size),
  );
}

export function sizes({ machines, location }: Needs, known: ReadonlyMap<string, Size>): Row[] {
  const rows = machines.flatMap((machine) => sizeRows(machine, known.get(machine.vmSize), location));
  const all = [...new Set(machines.map(({ vmSize }) => vmSize))].join(", ");
  return orOk(rows, rowsOf("sizes").ok(`${all} are available`));
}
