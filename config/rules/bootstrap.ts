import { batchProblems } from "../../components/machinePool/bootstrap/batch";
import { commands, safeFile } from "../../components/machinePool/bootstrap/files";
import { jinjaProblems } from "../../components/machinePool/bootstrap/jinja";
import { checkBootstrapLimits } from "../../components/machinePool/bootstrap/limits";
import { linuxWorkerKubeadmConfigSpec } from "../../components/machinePool/bootstrap/linux";
import { windowsKubeadmConfigSpec } from "../../components/machinePool/bootstrap/windows";
import { azureJsonSecret } from "../../components/workloadCluster/naming";
import type { Problem } from "../problem";
import { ConfigError } from "../problem";
import type { Settings } from "../settings";

type Pool = Settings["linuxPools"][string];

/** What the user wrote, for itself: positions in lists are then the user's own. */
function ownProblems(pool: Pool, windows: boolean): Problem[] {
  const spec = {
    ...(pool.files.length > 0 ? { files: pool.files.map(safeFile) } : {}),
    ...commands("preKubeadmCommands", pool.preKubeadmCommands),
    ...commands("postKubeadmCommands", pool.postKubeadmCommands),
  };
  return [...jinjaProblems(spec), ...checkBootstrapLimits(spec), ...(windows ? batchProblems(spec) : [])];
}

/** Together with what every node of the kind has: the same file twice, too many of something. */
function wholeProblems(make: () => unknown): readonly Problem[] {
  try {
    make();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems;
    }
    throw error;
  }
}

/** What Cluster API, jinja or cmd.exe would not take of the files and commands of a pool. */
export function bootstrapRules(settings: Settings): Problem[] {
  const { sshPublicKey } = settings.access;
  return (["linuxPools", "windowsPools"] as const).flatMap((group) =>
    Object.entries(settings[group]).flatMap(([name, pool]) => {
      const windows = group === "windowsPools";
      const args = {
        ...pool,
        platform: settings.platform,
        mtu: settings.network.mtu,
        azureJsonSecret: azureJsonSecret(name),
        extraFiles: pool.files,
        sshPublicKey,
      };
      const own = ownProblems(pool, windows);
      const found =
        own.length > 0
          ? own
          : wholeProblems(() =>
              windows ? windowsKubeadmConfigSpec(args) : linuxWorkerKubeadmConfigSpec(args),
            );
      const path = `${group}.${name}`;
      return found.map((problem) => ({
        ...problem,
        path: `${path}.${problem.path}`,
        uses: [path, "access.sshPublicKey"],
      }));
    }),
  );
}
