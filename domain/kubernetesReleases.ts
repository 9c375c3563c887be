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

/**
 * Patches for which reference images are known: that of the examples, with which the program is tried, and the last ones
 * in the Azure Marketplace (marketplace.ts). Images appear days to weeks after a release, those for Windows last.
 */
const lastWithImages: Readonly<Record<number, number>> = { 22: 9, 23: 6, 28: 12, 29: 7, 30: 3, 35: 6 };

/** The release of a minor that advice proposes: one with images if one is known, otherwise the newest. */
export function proposedPatch(kubernetesMinor: number): string | undefined {
  const patch = lastWithImages[kubernetesMinor] ?? lastPatch[kubernetesMinor];
  return patch === undefined ? undefined : `v1.${kubernetesMinor}.${patch}`;
}

/** Whether somebody has seen reference images for a release. */
export const hasKnownImages = (version: string): boolean =>
  Object.entries(lastWithImages).some(
    ([minor, patch]) => version.replace(/^v/, "") === `1.${minor}.${patch}`,
  );

/** The release that advice proposes where nothing tells which one is wanted. */
export const proposedRelease = "v1.35.6";

/** The release of every minor in the table that advice proposes, newest first. */
export const proposedReleases: readonly string[] = Object.keys(lastPatch)
  .map(Number)
  .sort((a, b) => b - a)
  .flatMap((kubernetesMinor) => proposedPatch(kubernetesMinor) ?? []);
