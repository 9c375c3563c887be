import { stringify } from "yaml";
import type { ApiServer, Arg, BootstrapFile } from "capz-types";
import { hashedName } from "../capi/contentHash";
import {
  clearText,
  encryptionFileName,
  encryptionPath,
  keysOf,
  type Encryption,
} from "capz-windows-platform/encryption/keys";
import { keyVaultKey, pluginImage, socketFolder, socketOf } from "capz-windows-platform/encryption/keyVault";
import { type NodeProxy, proxyVariables } from "./egress";
import { scriptContent } from "./files";
import { keyVaultPlugin } from "./keyVaultPlugin";
import { present } from "capz-windows-kit/present";

export interface EncryptionSettings extends Encryption {
  /** Image of the plugin for keys in Key Vault. Default: the pinned release. */
  readonly pluginImage?: string | undefined;
}

/** What the API server and its machine need to encrypt objects in etcd. */
export interface EncryptionBootstrap {
  readonly args: readonly Arg[];
  readonly volumes: NonNullable<ApiServer["extraVolumes"]>;
  readonly files: readonly BootstrapFile[];
  readonly preKubeadmCommands: readonly string[];
}

const waitPath = "/usr/local/sbin/wait-for-key.sh";

/** Azure says ten minutes at most. A machine that is no node after 40 is replaced, and waits again. */
const waitSeconds = 15 * 60;

/** cloud-init runs all commands in one shell script, in which only exit prevents kubeadm from running. */
function waitFor(id: string, proxy: NodeProxy | undefined): string {
  const { host, key, version } = keyVaultKey(id);
  const variables = proxy === undefined ? [] : proxyVariables(proxy);
  const environment = variables.map(({ name, value }) => `${name}='${value}' `).join("");
  return `${environment}${waitPath} https://${host}/keys/${key}/${version} ${waitSeconds} || exit 1`;
}

/**
 * Name of the Secret with the file. Cluster API replaces no machine when the content of a Secret changes, so the name
 * follows from what the content does: never from bytes of keys, which no name may tell.
 */
export const encryptionSecretName = (clusterName: string, encryption: Encryption): string =>
  hashedName(`${clusterName}-encryption`, encryptionFileName(encryption));

/**
 * Argument, volume of the static pod, and the file (kubernetes.io/docs/tasks/administer-cluster/encrypt-data). The API
 * server runs as root, so only root reads the file. For each key in Key Vault, also the plugin that uses it: its image is there
 * and the role on its key works before kubeadm starts, because kubeadm does not wait long for what the API server cannot encrypt.
 */
export function encryptionBootstrap(
  encryption: EncryptionSettings | undefined,
  clusterName: string,
  proxy?: NodeProxy,
): EncryptionBootstrap {
  if (encryption === undefined) {
    return { args: [], volumes: [], files: [], preKubeadmCommands: [] };
  }
  const { pluginImage: image = pluginImage } = encryption;
  const inVault = keysOf(encryption).flatMap((name) => {
    const id = encryption.keyVaultKeys?.[name];
    return id === undefined ? [] : [{ name, id }];
  });
  const secret = {
    name: encryptionSecretName(clusterName, encryption),
    key: encryptionFileName(encryption),
  };
  return {
    args: [{ name: "encryption-provider-config", value: encryptionPath }],
    volumes: present(
      {
        name: "encryption",
        hostPath: encryptionPath,
        mountPath: encryptionPath,
        readOnly: true,
        pathType: "File",
      },
      inVault.length > 0 && {
        name: "encryption-sockets",
        hostPath: socketFolder,
        mountPath: socketFolder,
        readOnly: true,
        pathType: "DirectoryOrCreate",
      },
    ),
    files: present(
      { path: encryptionPath, owner: "root:root", permissions: "0600", contentFrom: { secret } },
      ...inVault.map(({ name, id }, index) => keyVaultPlugin(name, id, index, image, proxy)),
      inVault.length > 0 && {
        ...{ path: waitPath, owner: "root:root", permissions: "0755" },
        content: scriptContent("wait-for-key.sh"),
      },
    ),
    preKubeadmCommands:
      inVault.length === 0 ? [] : [`crictl pull ${image}`, ...inVault.map(({ id }) => waitFor(id, proxy))],
  };
}

/**
 * Text of the EncryptionConfiguration (k8s.io/apiserver v0.35 pkg/apis/apiserver/v1/types_encryption.go). What was
 * written before there were keys stays readable. SECRET: the result has the keys.
 * @param bytes - the 32 bytes of each key of the program in base64, by name
 */
export function encryptionConfiguration(
  { resources, keys, keyVaultKeys }: Encryption,
  bytes: Readonly<Record<string, string>>,
): string {
  const providers = [...new Set([...keys, clearText])].map((name) => {
    if (name === clearText) {
      return { identity: {} };
    }
    if (keyVaultKeys?.[name] !== undefined) {
      return { kms: { apiVersion: "v2", name, endpoint: socketOf(name) } };
    }
    return { secretbox: { keys: [{ name, secret: bytes[name] }] } };
  });
  return stringify({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "EncryptionConfiguration",
    resources: [{ resources, providers }],
  });
}
