import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { RandomBytes } from "@pulumi/random/randomBytes";
import { encryptionConfiguration, encryptionSecretName } from "../../bootstrap/encryption";
import { encryptionFileName, keysOf, type Encryption } from "../../platform/encryption/keys";
import { childOf } from "../childOptions";

/** Which objects are encrypted in etcd. */
export interface EncryptionArgs {
  /** Kinds of objects: secrets, configmaps. */
  resources: string[];
  /** Names of keys, which the component makes: the first one writes, all read. `identity` is no key, but clear text. */
  keys: string[];
}

/** Length of a key of secretbox (k8s.io/apiserver v0.35 pkg/apis/apiserver/validation/validation_encryption.go). */
const keyBytes = 32;

/** The keys and the Secret that delivers them to the machines. A key is as old as its name: another name, another key. */
export function encryptionSecret(
  parent: pulumi.ComponentResource,
  name: string,
  { clusterName, namespace, encryption }: { clusterName: string; namespace: string; encryption: Encryption },
  opts: pulumi.ComponentResourceOptions | undefined,
): core.Secret {
  const made = keysOf(encryption).map(
    (key) => [key, new RandomBytes(`${name}-key-${key}`, { length: keyBytes }, childOf(parent))] as const,
  );
  const bytes = pulumi.secret(
    pulumi.all(Object.fromEntries(made.map(([key, { base64 }]) => [key, pulumi.secret(base64)]))),
  );
  return new core.Secret(
    `${name}-encryption`,
    {
      metadata: { name: encryptionSecretName(clusterName, encryption), namespace },
      stringData: {
        [encryptionFileName(encryption)]: bytes.apply((known) => encryptionConfiguration(encryption, known)),
      },
    },
    childOf(parent, opts),
  );
}
