import type { Settings, WindowsPoolSettings } from "./settings";

/** The Windows pool of the sample workload; `undefined` if the stack has no such pool. */
export function samplePool({
  sampleWorkload,
  windowsPools,
}: Pick<Settings, "sampleWorkload" | "windowsPools">):
  { readonly name: string; readonly pool: WindowsPoolSettings } | undefined {
  const name = sampleWorkload?.pool ?? Object.keys(windowsPools)[0];
  const pool = name === undefined ? undefined : windowsPools[name];
  return name === undefined || pool === undefined ? undefined : { name, pool };
}
