import { components } from "../compatibility";

/** Keys in Azure Key Vault, by their ARM IDs, and the plugin by which an API server uses one (KMS v2). */

/** Names: https://learn.microsoft.com/azure/key-vault/general/about-keys-secrets-certificates#objects-identifiers-and-versioning */
export const keyVaultKeyPattern =
  /^\/subscriptions\/[^/\s]+\/resourceGroups\/[^/\s]+\/providers\/Microsoft\.KeyVault\/vaults\/[a-z][-a-z0-9]{1,22}[a-z0-9]\/keys\/[-a-z0-9]{1,127}\/versions\/[0-9a-f]{32}$/i;

/** The parts of an ID that matches the pattern. */
export const keyVaultKey = (id: string) => {
  const [, , subscription = "", , , , , , vault = "", , key = "", , version = ""] = id.split("/");
  return {
    ...{ subscription, vault, key, version },
    host: `${vault.toLowerCase()}.vault.azure.net`,
    vaultId: id.replace(/\/keys\/.*$/i, ""),
    /** Without the version: where a role on the key is assigned. */
    keyId: id.replace(/\/versions\/.*$/i, ""),
  };
};

/** A name of a vault is unique in Azure: a vault that has moved to another group has the same keys. */
export const isSameKey = (a: string, b: string): boolean =>
  [a, b]
    .map(keyVaultKey)
    .map(({ host, key, version }) => [host, key, version].join("/").toLowerCase())
    .every((text, _, [first]) => text === first);

/** The keys of a list of versions, each once. */
export const keyVaultKeyIds = (versions: Readonly<Record<string, string>> = {}): string[] => [
  ...new Map(
    Object.values(versions)
      .map((id) => keyVaultKey(id).keyId)
      .map((id) => [id.toLowerCase(), id] as const),
  ).values(),
];

/** The first minor in which KMS v2 is stable (https://kubernetes.io/docs/tasks/administer-cluster/kms-provider). */
export const oldestWithKeyVault = 29;

/** The image as docs/manual-install.md of Azure/kubernetes-kms v0.11.0 names it. */
export const pluginImage = `mcr.microsoft.com/oss/v2/azure/kms/keyvault:${components.azureKms.version}`;

/** The folder of the sockets on a machine: a plugin makes its socket anew when it starts, so no socket is mounted alone. */
export const socketFolder = "/run/azure-kms";

/** Where the API server reaches the plugin of a key. */
export const socketOf = (name: string): string => `unix://${socketFolder}/${name}.socket`;

export const pluginPath = (name: string): string => `/etc/kubernetes/manifests/encryption-${name}.yaml`;

/** The key of a plugin, which its manifest has as an annotation. */
export const keyAnnotation = "capz-windows/key-vault-key";

export const keyInManifest = (manifest: string): string | undefined =>
  new RegExp(`${keyAnnotation}: (\\S+)`).exec(manifest)?.[1];
