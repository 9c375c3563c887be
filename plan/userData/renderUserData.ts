import type { BootstrapFile, KubeadmConfigSpec } from "../../components/capi/types";
import type { KubeadmArgs } from "./kubeadmConfig";
import { clusterConfiguration, initConfiguration, joinConfiguration } from "./kubeadmConfig";

export interface UserDataArgs extends KubeadmArgs {
  readonly os: "linux" | "windows";
  readonly role: "init" | "join-control-plane" | "worker";
}

/**
 * The user data of a node as the kubeadm bootstrap provider writes it (CAPI v1.13 bootstrap/kubeadm, cloudinit): a
 * jinja template of a cloud-config. What only exists in a running cluster stands as a placeholder in angle brackets:
 * the join token, the CA's hash, certificates and files from secrets.
 */
export function renderUserData(args: UserDataArgs): string {
  const { spec, role } = args;
  const files = [
    ...(role === "worker" ? [] : certificateFiles(args.clusterName)),
    ...(spec.files ?? []),
    kubeadmFile(args),
    sentinelFolder,
  ];
  return [
    "## template: jinja",
    "#cloud-config",
    "",
    "write_files:",
    ...files.flatMap(fileLines),
    "runcmd:",
    ...(spec.preKubeadmCommands ?? []).map(commandLine),
    `  - ${kubeadmCommand(args)}`,
    ...(spec.postKubeadmCommands ?? []).map(commandLine),
    ...userLines(spec),
    ...diskLines(spec),
    ...mountLines(spec),
    "",
  ].join("\n");
}

const indent = (text: string, spaces: number): string[] =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${" ".repeat(spaces)}${line}`);

function contentOf({ content, contentFrom }: BootstrapFile): string {
  return contentFrom
    ? `<from secret ${contentFrom.secret.name}, key ${contentFrom.secret.key}>`
    : (content ?? "");
}

function fileLines(file: BootstrapFile): string[] {
  return [
    `-   path: ${file.path}`,
    ...(file.encoding === undefined ? [] : [`    encoding: "${file.encoding}"`]),
    ...(file.owner === undefined ? [] : [`    owner: ${file.owner}`]),
    ...(file.permissions === undefined ? [] : [`    permissions: '${file.permissions}'`]),
    "    content: |",
    ...indent(contentOf(file), 6),
  ];
}

const commandLine = (command: string): string => `  - ${JSON.stringify(command)}`;

/** Makes the folder in which the next command leaves its mark, in a way that Windows can do too. */
const sentinelFolder: BootstrapFile = {
  path: "/run/cluster-api/placeholder",
  owner: "root:root",
  permissions: "0640",
  content: "<placeholder of the bootstrap provider>",
};

/** What the control plane provider makes and every control plane machine gets. */
function certificateFiles(clusterName: string): BootstrapFile[] {
  const pair = (secret: string, certificate: string, key: string): BootstrapFile[] =>
    [
      { path: certificate, permissions: "0640", part: "tls.crt" },
      { path: key, permissions: "0600", part: "tls.key" },
    ].map(({ path, permissions, part }) => ({
      path: `/etc/kubernetes/pki/${path}`,
      owner: "root:root",
      permissions,
      contentFrom: { secret: { name: `${clusterName}-${secret}`, key: part } },
    }));
  return [
    ...pair("ca", "ca.crt", "ca.key"),
    ...pair("etcd", "etcd/ca.crt", "etcd/ca.key"),
    ...pair("proxy", "front-proxy-ca.crt", "front-proxy-ca.key"),
    ...pair("sa", "sa.pub", "sa.key"),
  ];
}

function kubeadmFile(args: UserDataArgs): BootstrapFile {
  const init = args.role === "init";
  return {
    path: init ? "/run/kubeadm/kubeadm.yaml" : "/run/kubeadm/kubeadm-join-config.yaml",
    owner: "root:root",
    permissions: "0640",
    content: init
      ? `---\n${clusterConfiguration(args)}---\n${initConfiguration(args)}`
      : `---\n${joinConfiguration(args, args.role === "join-control-plane")}`,
  };
}

function kubeadmCommand({ role, spec }: UserDataArgs): string {
  const verbosity = spec.verbosity === undefined ? "" : `--v ${spec.verbosity}`;
  const sentinel = "echo success > /run/cluster-api/bootstrap-success.complete";
  return role === "init"
    ? `'kubeadm init --config /run/kubeadm/kubeadm.yaml ${verbosity} && ${sentinel}'`
    : `kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml ${verbosity} && ${sentinel}`;
}

function userLines({ users = [] }: KubeadmConfigSpec): string[] {
  return users.length === 0
    ? []
    : [
        "users:",
        ...users.flatMap(({ name, groups, sudo, sshAuthorizedKeys = [] }) => [
          `  - name: ${name}`,
          ...(groups === undefined ? [] : [`    groups: ${groups}`]),
          ...(sudo === undefined ? [] : [`    sudo: ${sudo}`]),
          ...(sshAuthorizedKeys.length === 0
            ? []
            : ["    ssh_authorized_keys:", ...sshAuthorizedKeys.map((key) => `      - ${key}`)]),
        ]),
      ];
}

function diskLines({ diskSetup }: KubeadmConfigSpec): string[] {
  if (!diskSetup) {
    return [];
  }
  return [
    "disk_setup:",
    ...(diskSetup.partitions ?? []).flatMap(({ device, tableType, layout, overwrite }) => [
      `  ${device}:`,
      ...(tableType === undefined ? [] : [`    table_type: ${tableType}`]),
      `    layout: ${layout}`,
      ...(overwrite === undefined ? [] : [`    overwrite: ${overwrite}`]),
    ]),
    "fs_setup:",
    ...(diskSetup.filesystems ?? []).flatMap(({ label, filesystem, device, replaceFS, extraOpts = [] }) => [
      `  - label: ${label ?? ""}`,
      `    filesystem: ${filesystem}`,
      `    device: ${device}`,
      ...(replaceFS === undefined ? [] : [`    replace_fs: ${replaceFS}`]),
      ...(extraOpts.length === 0
        ? []
        : ["    extra_opts:", ...extraOpts.map((option) => `      - ${option}`)]),
    ]),
  ];
}

const mountLines = ({ mounts = [] }: KubeadmConfigSpec): string[] =>
  mounts.length === 0
    ? []
    : [
        "mounts:",
        ...mounts.flatMap((parts) => parts.map((part, i) => `${i === 0 ? "  - - " : "    - "}${part}`)),
      ];
