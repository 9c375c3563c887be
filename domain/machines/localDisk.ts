/**
 * The disk that a size has on its host, for ephemeral OS disks (Azure documentation, "Ephemeral OS disks for Azure VMs"
 * and the pages of the series). From version 4 on sizes of D and E have one only with the feature d; in the versions 4
 * and 5 it has 37.5 GiB for each vCPU.
 * @returns its GiB; "none" for a size without one; `undefined` where the name does not say
 */
export function localDisk(vmSize: string): number | "none" | undefined {
  const {
    cpus,
    features = "",
    version,
  } = /^Standard_[DE](?<cpus>\d+)(?<features>[a-z]*)_v(?<version>\d+)$/.exec(vmSize)?.groups ?? {};
  if (cpus === undefined || Number(version) < 4) {
    return undefined;
  }
  if (!features.includes("d")) {
    return "none";
  }
  return Number(version) <= 5 ? Math.floor(Number(cpus) * 37.5) : undefined;
}
