import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BootstrapFile, KubeadmConfigSpec } from "../../capi/types";

/** Placeholder that cloud-init and cloudbase-init replace by the machine's own name. */
export const nodeName = '{{ ds.meta_data["local_hostname"] }}';

/** Limits of KubeadmConfig, in characters and entries (CAPI v1.13 api/bootstrap/kubeadm/v1beta2). */
export const limits = { content: 10_240, path: 512, command: 10_240, commands: 1000 } as const;

/** Taint that keeps pods away until the cloud node manager has set a node's provider id and then takes it off. */
export const uninitializedTaint = {
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
  effect: "NoSchedule",
} as const;

/** One of the script files beside this one. */
export const script = (name: string): string => readFileSync(join(__dirname, name), "utf8");

/** azure.json of a worker, from the secret that CAPZ writes for its pool. */
export const azureJsonFile = (path: string, secret: string, key: string): BootstrapFile => ({
  path,
  owner: "root:root",
  permissions: "0644",
  contentFrom: { secret: { name: secret, key } },
});

/** The whole bootstrap document is a jinja template: these would be taken for instructions. */
const jinja = /\{\{|\{%|\{#/;

/**
 * What Cluster API or the node would not take of a bootstrap config; empty when all is well. Texts name the file or
 * command.
 */
export function bootstrapFaults(spec: KubeadmConfigSpec): string[] {
  const { files = [], preKubeadmCommands = [], postKubeadmCommands = [] } = spec;
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const { path, content = "", encoding } of files) {
    if (seen.has(path.toLowerCase())) {
      faults.push(`${path} is written twice`);
    }
    seen.add(path.toLowerCase());
    if (path.length > limits.path) {
      faults.push(`${path.slice(0, 60)}... has ${path.length} characters, a path may have ${limits.path}`);
    }
    if (content.length > limits.content) {
      faults.push(`${path} has ${content.length} characters, a file may have ${limits.content}`);
    }
    const line = encoding === undefined ? content.split("\n").findIndex((text) => jinja.test(text)) : -1;
    if (line >= 0) {
      faults.push(
        `${path} line ${line + 1} has {{, {% or {#, which jinja would interpret: write the file in base64`,
      );
    }
  }
  for (const [name, commands] of Object.entries({ preKubeadmCommands, postKubeadmCommands })) {
    if (commands.length > limits.commands) {
      faults.push(`${name} has ${commands.length} commands, there may be ${limits.commands}`);
    }
    commands.forEach((command, index) => {
      if (command.length === 0 || command.length > limits.command) {
        faults.push(`${name}[${index}] has ${command.length} characters, allowed are 1 to ${limits.command}`);
      }
      if (jinja.test(command)) {
        faults.push(`${name}[${index}] has {{, {% or {#, which jinja would interpret`);
      }
    });
  }
  return faults;
}

/** @throws Error with every fault; our own scripts and texts never have one, so this is a fault of the program. */
export function checked(spec: KubeadmConfigSpec): KubeadmConfigSpec {
  const faults = bootstrapFaults(spec);
  if (faults.length > 0) {
    throw new Error(`bootstrap data that Cluster API would refuse:\n${faults.join("\n")}`);
  }
  return spec;
}
