import type { ChartArchivesArgs } from "../components/clusterApi/providers";
import { loadArtifact, placeArchive } from "../addons/clusterApiArtifacts";
import type { LoadOptions } from "../addons/pinnedManifest";
import type { Settings } from "../config/settings";
import { archivePath, withDigests } from "capz-windows-platform/cluster/artifacts";
import type { Downloads } from "./run";

/**
 * Verifies everything that has a digest in clusterApi.digests before a resource is made. Helm then takes the archives of
 * charts that were verified; the manifests of providers the operator downloads again. A plan without network only names the
 * files.
 * @returns paths of the archives; none where the stack file has no digest of a chart
 * @throws ManifestError when something cannot be downloaded, or is not what the stack file says
 */
export async function chartArchives(
  { clusterApi }: Settings,
  { manifestCache: cacheDir, offline }: Downloads,
  fetchBytes?: LoadOptions["fetchBytes"],
): Promise<ChartArchivesArgs> {
  const loaded = await Promise.all(
    withDigests(clusterApi).map(
      async (artifact) =>
        [artifact, await loadArtifact(artifact, { cacheDir, offline, fetchBytes })] as const,
    ),
  );
  const paths: ChartArchivesArgs = {};
  for (const [artifact, file] of loaded) {
    if (artifact.part === "certManager" || artifact.part === "operator") {
      paths[artifact.part] = archivePath(artifact);
      if (file.verified && !offline) {
        placeArchive(archivePath(artifact), file.bytes);
      }
    }
  }
  return paths;
}
