import type { BootstrapFile } from "capz-types";
import { nodeUser } from "capz-windows-platform/cluster/wayIn";
import { keyOnly } from "capz-windows-platform/machines/sshKey";
import { safeFile } from "./files";
import { jinjaOpening } from "./jinja";
import { isPlainScalar, limits } from "./limits";

/** A key as bootstrap data may contain it: without its comment if YAML or Jinja would interpret that. */
export function authorizedKey(sshPublicKey: string): string {
  const line = sshPublicKey.trim();
  return isPlainScalar(line) && jinjaOpening(line) === undefined && line.length <= limits.sshKey
    ? line
    : keyOnly(line);
}

/** Characters of all keys in one file, as Windows has them. */
export const keyCharacters = (keys: readonly string[]): number =>
  keys.map((key) => `${authorizedKey(key)}\n`).join("").length;

const keysFile = `/etc/ssh/${nodeUser}_authorized_keys`;

/**
 * Keys on Linux beside the one that Azure gives the user. They are appended when the user is there: a user in the
 * bootstrap data would take the place of Azure's, with its key and its right to sudo.
 */
export const linuxSshKeys = (
  more: readonly string[] = [],
): { readonly files: readonly BootstrapFile[]; readonly preKubeadmCommands: readonly string[] } =>
  more.length === 0
    ? { files: [], preKubeadmCommands: [] }
    : {
        files: [
          safeFile({
            path: keysFile,
            permissions: "0644",
            content: more.map((key) => `${authorizedKey(key)}\n`).join(""),
          }),
        ],
        preKubeadmCommands: [`cat ${keysFile} >> ~${nodeUser}/.ssh/authorized_keys`],
      };
