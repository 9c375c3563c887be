import { parseVmSize } from "./vmSizes";

/**
 * The disk that a size has on its host, for ephemeral OS disks (Azure documentation, "Ephemeral OS disks for Azure VMs"
 * and the pages of the series). From version 4 on sizes of D and E have one only with the feature d; in the versions 4
 * and 5 it has 37.5 GiB for each vCPU.
 * @returns its GiB; "none" for a size without one; `undefined` where the name does not say
 */
export function localDisk(vmSize: string): number | "none" | undefined {
  const size = parseVmSize(vmSize);
  if (size === undefined || !/^[DE]$/.test(size.letters) || size.version < 4) {
    return undefined;
  }
  const { number, features, version, constrained, accelerator } = size;
  if (constrained !== undefined || accelerator !== undefined) {
    return undefined;
  }
  if (!features.includes("d")) {
    return "none";
  }
  return version <= 5 ? Math.floor(Number(number) * 37.5) : undefined;
}
