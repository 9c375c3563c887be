import type { Settings } from "../../config/settings";
import { loadSettings } from "../../config/load";
import { stackFacts } from "../../config/stackFacts";
import type { StackFacts } from "capz-windows-contract";
import { readStackFile, type StackFile } from "../../config/stackFile";
import { ConfigError } from "capz-windows-kit/problem";
import { projectDir } from "./projectDir";

export { projectDir };

/**
 * Path of the tests' copy of an example, relative to the project; `npm run golden` makes it. The files in examples/ and
 * beside Pulumi.yaml belong to users, who may change and delete them.
 */
export const exampleFile = (stack: string): string => `test/stacks/Pulumi.${stack}.yaml`;

export const readExample = (stack: string): StackFile => readStackFile(projectDir, stack, exampleFile(stack));

/** A public key whose private key was not kept. */
export const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyV example-replace-me";

export const otherKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyW another-example-replace-me";

type Raw = Record<string, unknown>;

/** A stack file in JSON, which is YAML, too, and takes a fraction of the time to read and to write. */
export const stackText = (raw: Raw): string =>
  JSON.stringify({
    config: Object.fromEntries(Object.entries(raw).map(([key, value]) => [`capz-windows:${key}`, value])),
  });

/** The smallest valid config, of which tests change one part. */
export const minimal = (): Raw => ({
  clusterName: "test",
  kubernetesVersion: "v1.35.6",
  azure: {
    subscriptionId: "11111111-2222-4333-8444-555555555555",
    tenantId: "11111111-2222-4333-8444-666666666666",
    location: "westeurope",
  },
  access: { sshPublicKey: publicKey },
});

/** Keys of a stack that uses an existing management cluster. */
export const existingManagement = {
  management: {
    kind: "existing",
    name: "platform",
    egressCidrs: ["198.51.100.4/32"],
    oidcIssuerUrl: "https://issuer.example/",
  },
  managementKubeconfig: JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "m", cluster: { server: "https://m.example:6443" } }],
    users: [{ name: "u", user: { token: "not-a-secret" } }],
    contexts: [{ name: "c", context: { cluster: "m", user: "u" } }],
    "current-context": "c",
  }),
} as const;

export const settingsWith = (change: Raw): Settings =>
  loadSettings({ ...minimal(), ...change }, "test").settings;

/** What tools know about the stack of `settingsWith`. */
export const factsWith = (change: Raw): StackFacts => stackFacts(settingsWith(change));

/** The report about an invalid config. @throws Error when the config is valid */
export function reportOf(raw: Raw): string {
  try {
    loadSettings(raw, "Pulumi.test.yaml");
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.message;
    }
    throw error;
  }
  throw new Error("this config is right");
}

/** The report about the minimal config with a change. */
export const reportWith = (change: Raw): string => reportOf({ ...minimal(), ...change });
