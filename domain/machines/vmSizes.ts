/** CPUs and memory of an Azure VM size. */
export interface VmResources {
  readonly cpus: number;
  readonly memoryGiB: number;
}

/** GiB per CPU of the VM families whose names determine CPUs and memory (Azure documentation, VM sizes). */
const memoryPerCpu: Readonly<Record<string, number>> = { D: 4, E: 8, F: 2 };

/**
 * CPUs and memory of a VM size of the families D and E from version 3 on, or F from version 2 on, derived from its
 * name. `undefined` for other sizes, and for constrained sizes with fewer CPUs (`Standard_E8-4s_v5`).
 */
export function vmResources(vmSize: string): VmResources | undefined {
  const { family, cpus, version, features } =
    /^Standard_(?<family>[DEF])(?<cpus>\d+)(?<features>[a-z]*)_v(?<version>\d+)$/.exec(vmSize)?.groups ?? {};
  const perCpu = memoryPerCpu[family ?? ""];
  // The feature l means low memory, which is half of the family's.
  const divisor = features?.includes("l") === true ? 2 : 1;
  return perCpu === undefined || Number(version) < (family === "F" ? 2 : 3)
    ? undefined
    : { cpus: Number(cpus), memoryGiB: (Number(cpus) * perCpu) / divisor };
}

/** Numbers of CPUs in which the families D and E from version 3 on have sizes (Azure documentation, VM sizes). */
const commonCpus = [2, 4, 8, 16, 32, 48, 64];

/** The common sizes of the family of a size that vmResources knows, smallest first; none for other sizes. */
export const familySizes = (vmSize: string): string[] =>
  vmResources(vmSize) === undefined
    ? []
    : commonCpus.map((cpus) => vmSize.replace(/^(Standard_[DEF])\d+/, `$1${cpus}`));
