import { stringify } from "yaml";
import type { ApiServer, Arg, BootstrapFile } from "../capi/types";
import { hashedName } from "../capi/contentHash";
import { clearText, encryptionFileName, encryptionPath, type Encryption } from "../platform/encryption/keys";

/** What the API server and its machine need to encrypt objects in etcd. */
export interface EncryptionBootstrap {
  readonly args: readonly Arg[];
  readonly volumes: NonNullable<ApiServer["extraVolumes"]>;
  readonly files: readonly BootstrapFile[];
}

/**
 * Name of the Secret with the file. Cluster API replaces no machine when the content of a Secret changes, so the name
 * follows from what the content does: never from bytes of keys, which no name may tell.
 */
export const encryptionSecretName = (clusterName: string, encryption: Encryption): string =>
  hashedName(`${clusterName}-encryption`, encryptionFileName(encryption));

/**
 * Argument, volume of the static pod, and the file (kubernetes.io/docs/tasks/administer-cluster/encrypt-data). The API
 * server runs as root, so only root reads the file.
 */
export function encryptionBootstrap(
  encryption: Encryption | undefined,
  clusterName: string,
): EncryptionBootstrap {
  if (encryption === undefined) {
    return { args: [], volumes: [], files: [] };
  }
  const secret = {
    name: encryptionSecretName(clusterName, encryption),
    key: encryptionFileName(encryption),
  };
  return {
    args: [{ name: "encryption-provider-config", value: encryptionPath }],
    volumes: [
      {
        name: "encryption",
        hostPath: encryptionPath,
        mountPath: encryptionPath,
        readOnly: true,
        pathType: "File",
      },
    ],
    files: [{ path: encryptionPath, owner: "root:root", permissions: "0600", contentFrom: { secret } }],
  };
}

/**
 * Text of the EncryptionConfiguration (k8s.io/apiserver v0.35 pkg/apis/apiserver/v1/types_encryption.go). What was
 * written before there were keys stays readable. SECRET: the result has the keys.
 * @param bytes - the 32 bytes of each key in base64, by name
 */
export function encryptionConfiguration(
  { resources, keys }: Encryption,
  bytes: Readonly<Record<string, string>>,
): string {
  const providers = [...new Set([...keys, clearText])].map((name) =>
    name === clearText ? { identity: {} } : { secretbox: { keys: [{ name, secret: bytes[name] }] } },
  );
  return stringify({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "EncryptionConfiguration",
    resources: [{ resources, providers }],
  });
}
