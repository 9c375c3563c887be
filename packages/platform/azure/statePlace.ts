import type { StatePlace } from "capz-windows-contract";
import { present } from "capz-windows-kit/present";

/** Where Pulumi keeps the state of a stack, and the key of its secrets. */

/** What people need on it: a role, or nothing where the files name another place than Azure. */
export interface StateRight {
  readonly role: string;
  readonly scope: string;
  readonly why: string;
  /** What it is needed for. They are actions on data, which roles have apart. */
  readonly actions: readonly string[];
}

const blobActions = ["read", "write", "delete"].map(
  (verb) => `Microsoft.Storage/storageAccounts/blobServices/containers/blobs/${verb}`,
);
const keyActions = ["encrypt/action", "decrypt/action"].map(
  (verb) => `Microsoft.KeyVault/vaults/keys/${verb}`,
);

/** The container of the state; `undefined` where it is not in Azure. */
function containerOf(backend: string | undefined): string | undefined {
  if (backend === undefined) {
    return "the container of the state, with a backend azblob://…";
  }
  const [blob, container, account] =
    /^azblob:\/\/([^/?]+)(?:.*[?&]storage_account=([^&]+))?/.exec(backend) ?? [];
  const ofAccount = account === undefined ? "" : ` of storage account ${account}`;
  return blob && `container ${container ?? ""}${ofAccount}`;
}

/** The key of the state's secrets; `undefined` where it is not in Azure. */
function keyOf(secretsProvider: string | undefined): string | undefined {
  if (secretsProvider === undefined) {
    return "the key of the state's secrets, with secretsprovider: azurekeyvault://…";
  }
  const [found, vault, key] = /^azurekeyvault:\/\/([^/?]+)\/keys\/([^/?]+)/.exec(secretsProvider) ?? [];
  return found && `key ${key ?? ""} in ${vault ?? ""}`;
}

/**
 * https://www.pulumi.com/docs/iac/concepts/state-and-backends/#azure-blob-storage and
 * https://www.pulumi.com/docs/iac/concepts/secrets/#azure-key-vault have the URLs.
 */
export function stateRights({ backend, secretsProvider }: StatePlace): StateRight[] {
  const [container, key] = [containerOf(backend), keyOf(secretsProvider)];
  const readsState = "reads and writes the state of the stack, in which secrets are encrypted";
  const usesKey = "decrypts the key by which secrets in the state are encrypted, and encrypts a new one";
  return present(
    container !== undefined && {
      role: "Storage Blob Data Contributor",
      scope: container,
      why: readsState,
      actions: blobActions,
    },
    key !== undefined && { role: "Key Vault Crypto User", scope: key, why: usesKey, actions: keyActions },
  );
}
