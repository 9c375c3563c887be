import type { Settings, WindowsPoolSettings } from "./settings";

/** The Windows pool on which the sample lands; missing when there is none, or none of the wanted name. */
export function samplePool({
  sampleWorkload,
  windowsPools,
}: Pick<Settings, "sampleWorkload" | "windowsPools">):
  { readonly name: string; readonly pool: WindowsPoolSettings } | undefined {
  const name = sampleWorkload?.pool ?? Object.keys(windowsPools)[0];
  const pool = name === undefined ? undefined : windowsPools[name];
  return name === undefined || pool === undefined ? undefined : { name, pool };
}
