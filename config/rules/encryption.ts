import { clearText, keysOf, type Encryption } from "capz-windows-platform/encryption/keys";
import { keyVaultKey, oldestWithKeyVault } from "capz-windows-platform/encryption/keyVault";
import { minor } from "semver";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { present } from "capz-windows-kit/present";
import type { Settings } from "../settings";

/** Lists of keys by which nothing would be encrypted, or not as they say. */

const place = "controlPlane.encryption";

export function encryptionRules({ controlPlane: { encryption }, kubernetesVersion }: Settings): Problem[] {
  if (encryption === undefined) {
    return [];
  }
  const { keys, keyVaultKeys } = encryption;
  const common = { path: `${place}.keys`, uses: [place] };
  const real = keysOf(encryption);
  return present(
    real.length === 0 && {
      ...common,
      value: keys,
      problem: `${clearText} is no key: nothing is encrypted, and nothing can be read that was`,
      allowed: `at least one key, beside ${clearText} or without it; no encryption for a stack without keys`,
    },
    real.length > 0 &&
      keys.indexOf(clearText) > 0 && {
        ...common,
        value: keys,
        problem: `${clearText} is not in the first place: clear text can be read anyway`,
        allowed: `${clearText} in the first place, where it writes, or a list without it`,
      },
    ...Object.keys(keyVaultKeys ?? {})
      .filter((name) => !real.includes(name))
      .map((name) => ({
        path: `${place}.keyVaultKeys.${name}`,
        uses: [`${place}.keys`, `${place}.keyVaultKeys`],
        problem: `${name} is not among keys, so nothing is read or written with it`,
        allowed: "a name in keys",
      })),
    keyVaultKeys !== undefined &&
      minor(kubernetesVersion) < oldestWithKeyVault && {
        path: `${place}.keyVaultKeys`,
        uses: [place, "kubernetesVersion"],
        problem: `keys in Key Vault need KMS v2, which Kubernetes has as a stable feature from v1.${oldestWithKeyVault} on, and this is ${kubernetesVersion}`,
        allowed: `Kubernetes v1.${oldestWithKeyVault} or newer, or keys of the program`,
      },
  );
}

/** A stage that a cluster should not stay in. */
export function encryptionWarnings({
  controlPlane: { encryption },
}: {
  readonly controlPlane: { readonly encryption?: Encryption | undefined };
}): Warning[] {
  if (encryption?.keys[0] !== clearText) {
    return [];
  }
  return [
    {
      path: `${place}.keys`,
      message: `${encryption.resources.join(" and ")} are written in clear text: this is the stage before encryption, or the one before its end. go on as docs/operations.md says`,
    },
  ];
}

/** Where nothing leads to a vault, no API server becomes ready. */
export function keyVaultWarnings({
  controlPlane: { encryption },
  network: { outbound },
  proxy,
}: Pick<Settings, "controlPlane" | "network" | "proxy">): Warning[] {
  const hosts = [...new Set(Object.values(encryption?.keyVaultKeys ?? {}).map((id) => keyVaultKey(id).host))];
  return hosts.length === 0 || outbound?.type !== "none" || proxy !== undefined
    ? []
    : [
        {
          path: `${place}.keyVaultKeys`,
          message: `machines have no way out (network.outbound), and no API server becomes ready that does not reach ${hosts.join(", ")}: give the vault a private endpoint in the VNET or in one that is peered with it, and the private zone privatelink.vaultcore.azure.net`,
        },
      ];
}
