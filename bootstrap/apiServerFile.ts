import { stringify } from "yaml";
import type { ApiServer, Arg, BootstrapFile } from "capz-types";
import { safeFile } from "./files";

/** What an API server and its machine need for a file, or for something else that a stack file asks for. */
export interface ApiServerParts {
  readonly args: readonly Arg[];
  readonly volumes: NonNullable<ApiServer["extraVolumes"]>;
  readonly files: readonly BootstrapFile[];
}

/** The text of a file that the API server reads. */
export const apiServerText = (configuration: object): string =>
  stringify(configuration, {
    ...{ lineWidth: 0, indentSeq: false, aliasDuplicateObjects: false },
    // The API server reads YAML 1.1, where more words are no texts.
    compat: "yaml-1.1",
  });

/**
 * An argument of the API server that names a file in /etc/kubernetes, its volume, and the file, which only root reads.
 * kubeadm makes the folder, and reads nothing in it but its own files.
 */
export function apiServerFile(argument: string, name: string, content: string): ApiServerParts {
  const path = `/etc/kubernetes/${name}.yaml`;
  const file: BootstrapFile = { path, owner: "root:root", permissions: "0600", content };
  return {
    args: [{ name: argument, value: path }],
    volumes: [{ name, hostPath: path, mountPath: path, readOnly: true, pathType: "File" }],
    files: [safeFile(file)],
  };
}

/** What an API server needs for something that it was not asked for. */
export const noApiServerFile: ApiServerParts = { args: [], volumes: [], files: [] };
