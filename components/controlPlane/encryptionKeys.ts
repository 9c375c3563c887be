import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random/provider";
import { RandomBytes } from "@pulumi/random/randomBytes";
import { encryptionConfiguration, encryptionSecretName } from "../../bootstrap/encryption";
import { encryptionFileName, keysOf } from "capz-windows-platform/encryption/keys";
import { childOf } from "../childOptions";
import { componentType } from "../componentType";

/** Which objects are encrypted in etcd. */
export interface EncryptionArgs {
  /** Kinds of objects: secrets, configmaps. */
  resources: string[];
  /** Names of keys, which are made: the first one writes, all read. `identity` is no key, but clear text. */
  keys: string[];
  /** ARM ids of versions of keys in Key Vault, by name: the other names are keys that are made. Default: none. */
  keyVaultKeys?: Record<string, string> | undefined;
  /** Image of the plugin for keys in Key Vault, such as one with a digest. Default: the pinned release of Azure/kubernetes-kms. */
  pluginImage?: string | undefined;
}

export interface EncryptionKeysArgs extends EncryptionArgs {
  /** Name of the workload cluster. */
  clusterName: string;
  /** Namespace of the cluster's objects. */
  namespace: string;
}

/** Length of a key of secretbox (k8s.io/apiserver v0.35 pkg/apis/apiserver/validation/validation_encryption.go). */
const keyBytes = 32;

/** Keys for objects in etcd, and the Secret by which they reach the machines. Another name is another key; keys in Key Vault stay there. */
export class EncryptionKeys extends pulumi.ComponentResource {
  constructor(name: string, args: EncryptionKeysArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("EncryptionKeys"), name, { ...args }, opts);
    const { clusterName, namespace, ...encryption } = args;
    const names = keysOf(encryption).filter((key) => encryption.keyVaultKeys?.[key] === undefined);
    const provider =
      names.length === 0 ? {} : { provider: new random.Provider(`${name}-provider`, {}, { parent: this }) };
    const made = names.map((key): [string, pulumi.Output<string>] => {
      const { base64 } = new RandomBytes(
        `${name}-${key}`,
        { length: keyBytes },
        { ...childOf(this), ...provider },
      );
      return [key, pulumi.secret(base64)];
    });
    const text = pulumi
      .all(Object.fromEntries(made))
      .apply((bytes) => encryptionConfiguration(encryption, bytes));
    new core.Secret(
      `${name}-secret`,
      {
        metadata: { name: encryptionSecretName(clusterName, encryption), namespace },
        stringData: { [encryptionFileName(encryption)]: pulumi.secret(text) },
      },
      childOf(this, opts),
    );
    this.registerOutputs();
  }
}
