/** Folders as Windows containers and nodes have them. */

/** What Windows does not allow in the name of a file or folder (Microsoft, "Naming Files, Paths, and Namespaces"). */
const forbidden = /[<>:"|?*\u0000-\u001f]|[ .](?=[\\/]|$)/;

/** Why a text is no absolute path of a folder on Windows; `undefined` if it is one. */
export function windowsPathProblem(path: string): string | undefined {
  const [, drive, rest = ""] = /^([A-Za-z]:)(.*)$/s.exec(path) ?? [];
  if (drive === undefined) {
    return "names no drive; write it as C:\\data or C:/data";
  }
  if (!/^[\\/]/.test(rest)) {
    return `is relative to a folder of ${drive}; write ${drive}\\ before the rest`;
  }
  if (/^[\\/]+$/.test(rest)) {
    return "is a whole drive; name a folder of it";
  }
  const found = forbidden.exec(rest)?.[0];
  return found === undefined
    ? undefined
    : `has ${JSON.stringify(found)}, which no name on Windows may have there`;
}
