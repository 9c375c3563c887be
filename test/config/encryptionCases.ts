import type { Case } from "./ruleCases";

const encryption = (keys: readonly string[], more: object = {}) => ({
  controlPlane: { encryption: { keys, ...more } },
});
const at = "controlPlane.encryption.keys";
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
    "a file of encryption in an override",
    { controlPlane: argument("encryption-provider-config") },
    "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs: encryption-provider-config: an override may not set this: the stack file has a key for it, which the plan and the rules of the stack file read",
    { controlPlane: argument("event-ttl") },
  ],
];
