import type { BootstrapFile, KubeadmConfigSpec } from "capz-types";
import { bootCommands, trailingKeys, runCommands, sentinelFolder, writeFile } from "./cloudConfig";
import { clusterConfiguration, initConfiguration, joinConfiguration, type ClusterFacts } from "./kubeadm";

export type NodeRole = "worker" | "init" | "join-control-plane";

export interface UserDataArgs extends ClusterFacts {
  readonly spec: KubeadmConfigSpec;
  readonly os: "linux" | "windows";
  /** `init` is the first control plane machine, `join-control-plane` every other one. */
  readonly role: NodeRole;
}

const kubeadmFile = (path: string, content: string): BootstrapFile => ({
  path,
  owner: "root:root",
  permissions: "0640",
  content,
});

/** Files with the CAs and the service account key of a control plane machine, from the provider's secrets. */
function certificateFiles({ spec, clusterName }: UserDataArgs): BootstrapFile[] {
  const pki = spec.clusterConfiguration?.certificatesDir ?? "/etc/kubernetes/pki";
  const pairs: readonly (readonly [string, string, string])[] = [
    ["ca", `${pki}/ca.crt`, `${pki}/ca.key`],
    ["etcd", `${pki}/etcd/ca.crt`, `${pki}/etcd/ca.key`],
    ["proxy", `${pki}/front-proxy-ca.crt`, `${pki}/front-proxy-ca.key`],
    ["sa", `${pki}/sa.pub`, `${pki}/sa.key`],
  ];
  const file = (secret: string, path: string, key: string, permissions: string): BootstrapFile => ({
    path,
    owner: "root:root",
    permissions,
    contentFrom: { secret: { name: `${clusterName}-${secret}`, key } },
  });
  return pairs.flatMap(([secret, certificate, key]) => [
    file(secret, certificate, "tls.crt", "0640"),
    file(secret, key, "tls.key", "0600"),
  ]);
}

const sentinel = "echo success > /run/cluster-api/bootstrap-success.complete";

/** The file with kubeadm's configuration, and the `runcmd` line that runs kubeadm with it. */
function kubeadm({ spec, role, ...facts }: UserDataArgs): { file: BootstrapFile; command: string } {
  // Without a verbosity the line has two spaces in a row, as the bootstrap provider writes it.
  const verbosity = spec.verbosity === undefined ? "" : `--v ${spec.verbosity}`;
  if (role === "init") {
    const configs = [clusterConfiguration(spec, facts), initConfiguration(spec, facts)];
    return {
      file: kubeadmFile("/run/kubeadm/kubeadm.yaml", configs.map((config) => `---\n${config}`).join("\n")),
      command: `'kubeadm init --config /run/kubeadm/kubeadm.yaml ${verbosity} && ${sentinel}'`,
    };
  }
  const config = joinConfiguration(spec, facts, role);
  return {
    file: kubeadmFile("/run/kubeadm/kubeadm-join-config.yaml", role === "worker" ? `---\n${config}` : config),
    command: `kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml ${verbosity} && ${sentinel}`,
  };
}

/**
 * The cloud-config that the kubeadm bootstrap provider (CAPI v1.14.2) writes for a node. It is identical byte for byte
 * except for placeholders in angle brackets: the contents of secrets, values that only the management cluster knows (a
 * token and the hash of the CA), and the meaningless text of one file.
 *
 * @throws Error for a control plane role on Windows, which Kubernetes does not support
 */
export function renderUserData(args: UserDataArgs): string {
  const { spec, os, role } = args;
  if (os === "windows" && role !== "worker") {
    throw new Error("the Kubernetes control plane does not run on Windows");
  }
  const { file, command } = kubeadm(args);
  const files = [...(role === "worker" ? [] : certificateFiles(args)), ...(spec.files ?? []), file];
  return [
    "## template: jinja\n#cloud-config\n\nwrite_files:\n",
    ...files.map(writeFile),
    sentinelFolder,
    bootCommands(spec),
    runCommands(spec, command),
    trailingKeys(spec),
    "\n",
  ].join("");
}
