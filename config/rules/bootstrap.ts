import { batchProblems } from "../../domain/bootstrap/batch";
import { commandField, safeFile } from "../../domain/bootstrap/files";
import { jinjaProblems } from "../../domain/bootstrap/jinja";
import { checkBootstrapLimits } from "../../domain/bootstrap/limits";
import { linuxWorkerKubeadmConfigSpec } from "../../domain/bootstrap/linux";
import { windowsKubeadmConfigSpec } from "../../domain/bootstrap/windows";
import { userDataLimit, userDataSizeProblems } from "../../domain/userData/checks";
import { renderUserData } from "../../domain/userData/renderUserData";
import { apiServerHost, apiServerPort, azureJsonSecret } from "../../domain/cluster/naming";
import type { Problem } from "../../domain/problem";
import { ConfigError } from "../../domain/problem";
import type { Settings } from "../settings";

type Pool = Settings["linuxPools"][string];

/** What the user wrote, for itself: positions in lists are then the user's own. */
function ownProblems(pool: Pool, windows: boolean): Problem[] {
  const spec = {
    ...(pool.files.length > 0 ? { files: pool.files.map(safeFile) } : {}),
    ...commandField("preKubeadmCommands", pool.preKubeadmCommands),
    ...commandField("postKubeadmCommands", pool.postKubeadmCommands),
  };
  return [...jinjaProblems(spec), ...checkBootstrapLimits(spec), ...(windows ? batchProblems(spec) : [])];
}

const bootstrapArgs = (settings: Settings, pool: Pool, path: string) => ({
  ...pool,
  platform: settings.platform,
  mtu: settings.network.mtu,
  azureJsonSecret: azureJsonSecret(path.split(".").at(-1) ?? path),
  extraFiles: pool.files,
  sshPublicKey: settings.access.sshPublicKey,
});

/**
 * Together with what every node of the kind has: the same file twice, too many of something, more than Azure takes.
 * `path` names the pool.
 */
function wholeProblems(settings: Settings, pool: Pool, path: string, windows: boolean): readonly Problem[] {
  const args = bootstrapArgs(settings, pool, path);
  try {
    const spec = windows ? windowsKubeadmConfigSpec(args) : linuxWorkerKubeadmConfigSpec(args);
    // Rendering takes time, and what is around the spec is a few kilobytes.
    if (JSON.stringify(spec).length < userDataLimit / 2) {
      return [];
    }
    const text = renderUserData({
      spec,
      os: windows ? "windows" : "linux",
      role: "worker",
      clusterName: settings.clusterName,
      controlPlaneEndpoint: `${apiServerHost({ ...settings.azure, clusterName: settings.clusterName })}:${apiServerPort}`,
      podCidr: settings.network.podCidr,
      serviceCidr: settings.network.serviceCidr,
      kubernetesVersion: pool.kubernetesVersion,
    });
    return userDataSizeProblems(text, path);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems.map((problem) => ({ ...problem, path: `${path}.${problem.path}` }));
    }
    throw error;
  }
}

/** What Cluster API, jinja, cmd.exe or Azure would not take of the files and commands of a pool. */
export const bootstrapRules = (settings: Settings): Problem[] =>
  (["linuxPools", "windowsPools"] as const).flatMap((group) =>
    Object.entries(settings[group]).flatMap(([name, pool]) => {
      const windows = group === "windowsPools";
      const path = `${group}.${name}`;
      const own = ownProblems(pool, windows).map((problem) => ({
        ...problem,
        path: `${path}.${problem.path}`,
      }));
      const found = own.length > 0 ? own : wholeProblems(settings, pool, path, windows);
      return found.map((problem) => ({ ...problem, uses: [path, "access.sshPublicKey"] }));
    }),
  );
