/** Where Pulumi keeps the state of a stack, and the key of its secrets. */

/** As far as files say: a login may name another backend. */
export interface StatePlace {
  /** `backend.url` of Pulumi.yaml. */
  readonly backend?: string;
  /** `secretsprovider` of the stack file; "passphrase" where the file has the salt of one. */
  readonly secretsProvider?: string;
}

/** What people need on it: a role, or nothing where the files name another place than Azure. */
export interface StateRight {
  readonly role: string;
  readonly scope: string;
  readonly why: string;
  /** What it is needed for. They are actions on data, which roles have apart. */
  readonly actions: readonly string[];
}

function either(found: RegExpExecArray | null | undefined, text: string, unknown: string): string[] {
  if (found === undefined) {
    return [unknown];
  }
  return found === null ? [] : [text];
}

/**
 * https://www.pulumi.com/docs/iac/concepts/state-and-backends/#azure-blob-storage and
 * https://www.pulumi.com/docs/iac/concepts/secrets/#azure-key-vault have the URLs.
 */
export function stateRights({ backend, secretsProvider }: StatePlace): StateRight[] {
  const blob =
    backend === undefined
      ? undefined
      : /^azblob:\/\/([^/?]+)(?:.*[?&]storage_account=([^&]+))?/.exec(backend);
  const key =
    secretsProvider === undefined
      ? undefined
      : /^azurekeyvault:\/\/([^/?]+)\/keys\/([^/?]+)/.exec(secretsProvider);
  return [
    ...either(
      blob,
      `container ${blob?.[1] ?? ""}${blob?.[2] === undefined ? "" : ` of storage account ${blob[2]}`}`,
      "the container of the state, with a backend azblob://…",
    ).map((scope) => ({
      ...{ role: "Storage Blob Data Contributor", scope },
      why: "reads and writes the state of the stack, in which secrets are encrypted",
      actions: ["read", "write", "delete"].map(
        (verb) => `Microsoft.Storage/storageAccounts/blobServices/containers/blobs/${verb}`,
      ),
    })),
    ...either(
      key,
      `key ${key?.[2] ?? ""} in ${key?.[1] ?? ""}`,
      "the key of the state's secrets, with secretsprovider: azurekeyvault://…",
    ).map((scope) => ({
      ...{ role: "Key Vault Crypto User", scope },
      why: "decrypts the key by which secrets in the state are encrypted, and encrypts a new one",
      actions: ["encrypt/action", "decrypt/action"].map((verb) => `Microsoft.KeyVault/vaults/keys/${verb}`),
    })),
  ];
}
