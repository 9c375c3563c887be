import { batchProblems } from "../../bootstrap/batch";
import { commandField, safeFile } from "../../bootstrap/files";
import { jinjaProblems } from "../../bootstrap/jinja";
import { checkBootstrapLimits, limits } from "../../bootstrap/limits";
import { keyCharacters } from "../../bootstrap/sshKeys";
import { userFile } from "../../bootstrap/userFiles";
import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { windowsKubeadmConfigSpec } from "../../bootstrap/windows";
import { userDataLimit, userDataSizeProblems } from "../../bootstrap/userData/checks";
import { renderUserData } from "../../bootstrap/userData/renderUserData";
import { apiServerHostOf } from "../apiServer";
import { apiServerPort, azureJsonSecret } from "capz-windows-platform/cluster/naming";
import { areRightLabels, isLabelKey, isLabelValue } from "capz-windows-platform/machines/nodeLabels";
import { ConfigError, type Problem } from "capz-windows-kit/problem";
import { type Pool, poolsOf } from "../pools";
import { egressOf, type Settings } from "../settings";

/** Problems of the user's files and commands alone, so that indexes refer to the user's lists. */
function userProblems(pool: Pool, windows: boolean, clusterName: string): Problem[] {
  const spec = {
    ...(pool.files.length > 0
      ? { files: pool.files.map((file) => safeFile(userFile(file, clusterName))) }
      : {}),
    ...commandField("preKubeadmCommands", pool.preKubeadmCommands),
    ...commandField("postKubeadmCommands", pool.postKubeadmCommands),
  };
  return [...jinjaProblems(spec), ...checkBootstrapLimits(spec), ...(windows ? batchProblems(spec) : [])];
}

const bootstrapArgs = (settings: Settings, pool: Pool, path: string) => ({
  ...pool,
  platform: settings.platform,
  mtu: settings.network.mtu,
  egress: egressOf(settings),
  azureJsonSecret: azureJsonSecret(path.split(".").at(-1) ?? path),
  extraFiles: pool.files.map((file) => userFile(file, settings.clusterName)),
  sshPublicKey: settings.access.sshPublicKey,
  // Their own rule reports too many of them (access.ts).
  additionalSshPublicKeys:
    keyCharacters([settings.access.sshPublicKey, ...settings.access.additionalSshPublicKeys]) <=
    limits.content
      ? settings.access.additionalSshPublicKeys
      : [],
  // Their own rules report those that are wrong (nodeSettings.ts).
  labels: areRightLabels(pool.labels) ? pool.labels : {},
  taints: pool.taints.filter(({ key, value }) => isLabelKey(key) && isLabelValue(value)),
});

/** How many files the program writes on a node, before the user's. */
const builtInFiles = (args: ReturnType<typeof bootstrapArgs>, windows: boolean): number => {
  const own = { ...args, extraFiles: [], preKubeadmCommands: [], postKubeadmCommands: [] };
  return (windows ? windowsKubeadmConfigSpec(own) : linuxWorkerKubeadmConfigSpec(own)).files?.length ?? 0;
};

/** A problem of the whole bootstrap data with the index that a file has in the user's list. */
function ofUser(problem: Problem, builtIn: number, path: string): Problem {
  const inUsersList = (text: string): string =>
    text.replace(/\bfiles\[(\d+)\]/g, (_, index: string) =>
      Number(index) < builtIn ? "a built-in file" : `files[${Number(index) - builtIn}]`,
    );
  return {
    ...problem,
    path: `${path}.${inUsersList(problem.path)}`,
    problem: inUsersList(problem.problem),
  };
}

/**
 * Problems of the complete bootstrap data, including the built-in files and commands: duplicate files, limits of
 * Cluster API, and Azure's limit for user data. `path` names the pool.
 */
function combinedProblems(settings: Settings, pool: Pool, path: string, windows: boolean): Problem[] {
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
      controlPlaneEndpoint: `${apiServerHostOf(settings)}:${apiServerPort}`,
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
          .map((problem) => ofUser(problem, builtInFiles(args, windows), path))
      );
    }
    throw error;
  }
}

/** Files and commands of a pool that Cluster API, Jinja, cmd.exe or Azure would reject or misread. */
export const bootstrapRules = (settings: Settings): Problem[] =>
  poolsOf(settings).flatMap(({ os, path, pool }) => {
    const windows = os === "windows";
    const user = userProblems(pool, windows, settings.clusterName).map((problem) => ({
      ...problem,
      path: `${path}.${problem.path}`,
    }));
    const found = user.length > 0 ? user : combinedProblems(settings, pool, path, windows);
    return found.map((problem) => ({
      ...problem,
      uses: [path, "access.sshPublicKey", "access.additionalSshPublicKeys"],
    }));
  });
