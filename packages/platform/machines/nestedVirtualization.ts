/**
 * Whether a VM of a size can run virtual machines, as Hyper-V isolation needs.
 *
 * Source: the line "Nested Virtualization" of each series in the Azure documentation, as known in 2025: yes for the
 * Intel sizes of D and E from version 3 to 5 and for AMD from version 5 on, yes for F version 2; no for A, B, D before
 * version 3, AMD version 4, confidential and Arm sizes.
 * @returns `undefined` for sizes of which the name does not say it
 */
export function nestsVirtualMachines(vmSize: string): boolean | undefined {
  const {
    family,
    features = "",
    version,
  } = /^(?:Standard|Basic)_(?<family>[A-Z]+)\d+(?:-\d+)?(?<features>[a-z]*)(?:_v(?<version>\d+))?$/.exec(
    vmSize,
  )?.groups ?? {};
  const generation = Number(version ?? "1");
  if (family === undefined) {
    return undefined;
  }
  if (/^(A|B|DC|EC|DS)$/.test(family) || features.includes("p") || (family === "D" && generation < 3)) {
    return false;
  }
  if (/^[DE]$/.test(family) && generation <= 5) {
    return !features.includes("a") || generation === 5;
  }
  return family === "F" && generation === 2 ? true : undefined;
}
