import { keyVaultPlugin } from "../../bootstrap/keyVaultPlugin";
import {
  encryptionFileName,
  encryptionIn,
  encryptionOf,
  encryptionPath,
  encryptionText,
} from "capz-windows-platform/encryption/keys";

it("keys in Key Vault are read from the files of a KubeadmControlPlane, and from the text of reports", () => {
  const id = `/subscriptions/s/resourceGroups/keys/providers/Microsoft.KeyVault/vaults/own/keys/etcd/versions/${"0f".repeat(16)}`;
  const encryption = { resources: ["secrets"], keys: ["identity", "v", "a"], keyVaultKeys: { v: id } };
  const files = [
    {
      path: encryptionPath,
      contentFrom: { secret: { name: "s", key: encryptionFileName(encryption) } },
    },
    keyVaultPlugin("v", id, 0, "image"),
  ];
  expect(encryptionOf({ spec: { kubeadmConfigSpec: { files } } })).toEqual(encryption);
  expect(encryptionText(encryption)).toBe(`secrets: identity, v (${id}), a`);
  expect(encryptionIn(encryptionText(encryption))).toEqual(encryption);
});
