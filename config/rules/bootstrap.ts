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

/** Problems of the user's files and commands alone, so that indexes refer to the user's lists. */
function userProblems(pool: Pool, windows: boolean): Problem[] {
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
 * Problems of the complete bootstrap data, including the built-in files and commands: duplicate files, limits of
 * Cluster API, and Azure's limit for user data. `path` names the pool.
 */
function combinedProblems(
  settings: Settings,
  pool: Pool,
  path: string,
  windows: boolean,
): readonly Problem[] {
  const args = bootstrapArgs(settings, pool, path);
  try {
    const spec = windows ? windowsKubeadmConfigSpec(args) : linuxWorkerKubeadmConfigSpec(args);
    // Rendering is slow and adds only a few kilobytes to the spec, so small specs are skipped.
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
      return (
        error.problems
          // The only user has the ssh key, whose faults access.ts reports under the key that the stack file has.
          .filter((problem) => !problem.path.startsWith("users["))
          .map((problem) => ({ ...problem, path: `${path}.${problem.path}` }))
      );
    }
    throw error;
  }
}

/** Files and commands of a pool that Cluster API, Jinja, cmd.exe or Azure would reject or misread. */
export const bootstrapRules = (settings: Settings): Problem[] =>
  (["linuxPools", "windowsPools"] as const).flatMap((group) =>
    Object.entries(settings[group]).flatMap(([name, pool]) => {
      const windows = group === "windowsPools";
      const path = `${group}.${name}`;
      const user = userProblems(pool, windows).map((problem) => ({
        ...problem,
        path: `${path}.${problem.path}`,
      }));
      const found = user.length > 0 ? user : combinedProblems(settings, pool, path, windows);
      return found.map((problem) => ({ ...problem, uses: [path, "access.sshPublicKey"] }));
    }),
  );
