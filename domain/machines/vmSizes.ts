/** What a machine of an Azure VM size has. */
export interface VmResources {
  readonly cpus: number;
  readonly memoryGiB: number;
}

/** GiB a CPU of the families in which the name says it all (Azure documentation, VM sizes). */
const memoryPerCpu: Readonly<Record<string, number>> = { D: 4, E: 8, F: 2 };

/**
 * CPUs and memory of the general families D, E and F from their third version on (F: second), by their names.
 * `undefined` for all others, and for sizes with fewer CPUs than their name says (`Standard_E8-4s_v5`).
 */
export function vmResources(vmSize: string): VmResources | undefined {
  const { family, cpus, version, features } =
    /^Standard_(?<family>[DEF])(?<cpus>\d+)(?<features>[a-z]*)_v(?<version>\d+)$/.exec(vmSize)?.groups ?? {};
  const each = memoryPerCpu[family ?? ""];
  // The feature l is for less memory: half as much.
  const less = features?.includes("l") === true ? 2 : 1;
  return each === undefined || Number(version) < (family === "F" ? 2 : 3)
    ? undefined
    : { cpus: Number(cpus), memoryGiB: (Number(cpus) * each) / less };
}
