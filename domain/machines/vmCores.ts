/** What a VM takes of the vCPU quota of its region. */
export interface VmCores {
  readonly vcpus: number;
  /** As the quota of Azure has it, between "Standard" and "Family vCPUs": `DSv5`. */
  readonly family: string;
}

/**
 * vCPUs of the second version of D, whose names have an ordinal instead (Azure documentation, "Dv2 and DSv2-series
 * sizes", read in November 2026).
 */
const vcpusByOrdinal: Readonly<Record<string, number>> = {
  ...{ "1": 1, "2": 2, "3": 4, "4": 8, "5": 16 },
  ...{ "11": 2, "12": 4, "13": 8, "14": 16, "15": 20 },
};

/** Azure documentation, "VM size naming conventions": family, vCPUs, features, version. */
const sizeName = /^Standard_(?<letters>[A-Z]+)(?<number>\d+)(?<features>[a-z]*)_v(?<version>\d+)$/;

/**
 * The vCPUs of a VM size, which its name says, and the family whose quota they count against.
 * @returns `undefined` for names that say less: sizes without a version, with constrained vCPUs or an accelerator
 */
export function vmCores(vmSize: string): VmCores | undefined {
  const { letters, number = "", features = "", version = "" } = sizeName.exec(vmSize)?.groups ?? {};
  if (letters === undefined) {
    return undefined;
  }
  const vcpus = version === "2" && /^DS?$/.test(letters) ? vcpusByOrdinal[number] : Number(number);
  return vcpus === undefined
    ? undefined
    : { vcpus, family: `${letters}${features.toUpperCase()}v${version}` };
}
