import type { Case } from "./ruleCases";

const encryption = (keys: readonly string[], more: object = {}) => ({
  controlPlane: { encryption: { keys, ...more } },
});
const at = "controlPlane.encryption.keys";
const key =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/keys/providers/Microsoft.KeyVault/vaults/own/keys/etcd/versions/0123456789abcdef0123456789abcdef";
const argument = (name: string) => ({
  overrides: {
    KubeadmControlPlane: {
      spec: {
        kubeadmConfigSpec: {
          clusterConfiguration: { apiServer: { extraArgs: [{ name, value: "/etc/kubernetes/own.yaml" }] } },
        },
      },
    },
  },
});

/** Cases of controlPlane.encryption. */
export const encryptionCases: readonly Case[] = [
  [
    "encryption without a key",
    encryption(["identity"]),
    `${at}: identity is no key: nothing is encrypted, and nothing can be read that was`,
    encryption(["identity", "a"]),
  ],
  [
    "clear text after a key",
    encryption(["a", "identity"]),
    `${at}: identity is not in the first place: clear text can be read anyway`,
    encryption(["a"]),
  ],
  [
    "a key in Key Vault that no list has",
    encryption(["a"], { keyVaultKeys: { vault: key } }),
    "controlPlane.encryption.keyVaultKeys.vault: vault is not among keys, so nothing is read or written with it",
    encryption(["vault", "a"], { keyVaultKeys: { vault: key } }),
  ],
  [
    "keys in Key Vault for an API server without KMS v2",
    { ...encryption(["vault"], { keyVaultKeys: { vault: key } }), kubernetesVersion: "v1.28.12" },
    "controlPlane.encryption.keyVaultKeys: keys in Key Vault need KMS v2, which Kubernetes has as a stable feature from v1.29 on, and this is v1.28.12",
    encryption(["vault"], { keyVaultKeys: { vault: key } }),
  ],
  [
    "a file of encryption in an override",
    { controlPlane: argument("encryption-provider-config") },
    "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs: encryption-provider-config: an override may not set this: the stack file has a key for it",
    { controlPlane: argument("event-ttl") },
  ],
];
