/**
 * Last patch of each Kubernetes minor that was known on 2026-11-22. Sources: kubernetes/website data/releases/eol.yaml
 * for minors up to 1.28, and the tags of k8s.io/api (v0.MINOR.PATCH) for later ones.
 */
const lastPatch: Readonly<Record<number, number>> = {
  22: 17,
  23: 17,
  24: 17,
  25: 16,
  26: 15,
  27: 16,
  28: 15,
  29: 15,
  30: 14,
  31: 14,
  32: 13,
  33: 13,
  34: 13,
  35: 10,
  36: 6,
  37: 2,
};

/** Day on which the table was made. */
export const releasesKnownOn = "2026-11-22";

/** First minor that still gets patches on that day: 1.34 ended on 2026-10-27. */
export const oldestMaintainedMinor = 35;

/** Newest known release of a minor, with a leading v; `undefined` for minors that are not in the table. */
export function latestPatch(kubernetesMinor: number): string | undefined {
  const patch = lastPatch[kubernetesMinor];
  return patch === undefined ? undefined : `v1.${kubernetesMinor}.${patch}`;
}

/** The newest known release of every minor in the table, newest first. */
export const knownReleases: readonly string[] = Object.keys(lastPatch)
  .map(Number)
  .sort((a, b) => b - a)
  .flatMap((kubernetesMinor) => latestPatch(kubernetesMinor) ?? []);
