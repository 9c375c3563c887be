import { distinctSets } from "capz-windows-platform/azure/diskEncryptionSets";
import type { LinuxPoolSettings, Settings, WindowsPoolSettings } from "./settings";

/** The pools of a stack. */

/** A pool of either kind. */
export type Pool = LinuxPoolSettings | WindowsPoolSettings;

/** A pool with its name, its operating system and its path in the stack file. */
interface Placed<Os extends "linux" | "windows", P extends Pool> {
  readonly os: Os;
  readonly name: string;
  readonly path: string;
  readonly pool: P;
}

export type PlacedPool = Placed<"linux", LinuxPoolSettings> | Placed<"windows", WindowsPoolSettings>;

type Pools = Pick<Settings, "linuxPools" | "windowsPools">;

const placed = <Os extends "linux" | "windows", P extends Pool>(
  os: Os,
  pools: Readonly<Record<string, P>>,
): Placed<Os, P>[] =>
  Object.entries(pools).map(([name, pool]) => ({ os, name, path: `${os}Pools.${name}`, pool }));

export const windowsPoolsOf = ({ windowsPools }: Pick<Pools, "windowsPools">) =>
  placed("windows", windowsPools);

/** Every pool: first the Linux pools, then the Windows pools, each sorted by name. */
export const poolsOf = ({ linuxPools, windowsPools }: Pools): PlacedPool[] => [
  ...placed("linux", linuxPools),
  ...placed("windows", windowsPools),
];

/** Whether the machines of a pool are single machines, and not those of a scale set. */
export const isDeployment = (pool: Pool): boolean => "kind" in pool && pool.kind === "MachineDeployment";

/** The Windows pool of the sample workload; `undefined` if the stack has no such pool. */
export function samplePool(
  settings: Pick<Settings, "sampleWorkload" | "windowsPools">,
): { readonly name: string; readonly pool: WindowsPoolSettings } | undefined {
  const pools = windowsPoolsOf(settings);
  const wanted = settings.sampleWorkload?.pool ?? pools[0]?.name;
  return pools.find(({ name }) => name === wanted);
}

/** Disk encryption sets that the control plane must be able to read: the CSI driver for Azure disks runs there. */
export const diskSetsWithRole = ({ addons, ...pools }: Pools & Pick<Settings, "addons">): string[] =>
  addons.azureDisk.enabled ? distinctSets(poolsOf(pools).map(({ pool }) => pool.diskEncryptionSetId)) : [];
