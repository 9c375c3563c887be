/** Folders as Windows containers and nodes have them. */

/** What Windows does not allow in the name of a file or folder (Microsoft, "Naming Files, Paths, and Namespaces"). */
const forbidden = /[<>:"|?*\u0000-\u001f]|[ .](?=[\\/]|$)/;

/** Why a text is no absolute path of a folder on Windows; `undefined` if it is one. */
export function windowsPathProblem(path: string): string | undefined {
  const [, drive, rest = ""] = /^([A-Za-z]:)(.*)$/s.exec(path) ?? [];
  if (drive === undefined) {
    return "names no drive; write it as C:\\data or C:/data";
  }
  if (rest === "" || /^[\\/]+$/.test(rest)) {
    return "is a whole drive; name a folder of it";
  }
  if (!/^[\\/]/.test(rest)) {
    return `is relative to a folder of ${drive}; write ${drive}\\ before the rest`;
  }
  const found = forbidden.exec(rest)?.[0];
  return found === undefined
    ? undefined
    : `has ${JSON.stringify(found)}, which no name on Windows may have there`;
}

/**
 * Why a container cannot have a volume there; `undefined` if it can. A drive of its own is possible, only C: is the
 * container's (containerd v2.2 internal/cri/opts/spec_windows_opts.go, parseMount).
 */
export const mountPathProblem = (path: string): string | undefined =>
  /^[abd-z]:[\\/]*$/i.test(path) ? undefined : windowsPathProblem(path);

const isPipe = (path: string): boolean => path.startsWith("\\\\.\\pipe\\");

/**
 * Whether kubelet and containerd take a path as it is: a pipe, or one without a drive, which is on C: (pkg/kubelet makeMounts,
 * pkg/volume/util MakeAbsolutePath; containerd v2.2 internal/cri/opts/spec_windows_opts.go).
 */
export const isTaken = (path: string): boolean =>
  isPipe(path) || (!path.includes(":") && !path.startsWith("\\\\"));

/** Whether each node has a folder, or kubelet or containerd make it; other drives than C: are those of some sizes and disks. */
export const isThere = (path: string, type: string): boolean =>
  /^(?:c:|[\\/](?!\\))/i.test(path) &&
  (["", "DirectoryOrCreate", "FileOrCreate"].includes(type) ||
    /^(?:c:)?[\\/]*(?:windows|programdata|program files|var[\\/]+log|var[\\/]+lib[\\/]+kubelet(?:[\\/]+(?:plugins|plugins_registry|pods))?)?[\\/]*$/i.test(
      path,
    ));
