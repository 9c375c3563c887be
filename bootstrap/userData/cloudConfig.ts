import type { BootstrapFile, KubeadmConfigSpec } from "capz-types";

/** The parts of the document, written as CAPI v1.14.2 writes them (bootstrap/kubeadm/pkg/cloudinit). */

const indent = (text: string, spaces: number): string =>
  text
    .split("\n")
    .map((line) => " ".repeat(spaces) + line)
    .join("\n");

/** Content of a file; a placeholder for content from a secret, which only the management cluster knows. */
function fileContent({ content, contentFrom }: BootstrapFile): string {
  return contentFrom
    ? `<from secret ${contentFrom.secret.name}, key ${contentFrom.secret.key}>`
    : (content ?? "");
}

/** One entry of `write_files`. */
export const writeFile = (file: BootstrapFile): string =>
  [
    `-   path: ${file.path}`,
    ...(file.encoding === undefined ? [] : [`    encoding: "${file.encoding}"`]),
    ...(file.owner === undefined ? [] : [`    owner: ${file.owner}`]),
    ...(file.permissions === undefined ? [] : [`    permissions: '${file.permissions}'`]),
    ...(file.append === true ? ["    append: true"] : []),
    "    content: |",
    indent(fileContent(file), 6),
    "",
  ].join("\n");

/** The bootstrap provider writes this file to create the folder of its sentinel; the content here is a placeholder. */
export const sentinelFolder = [
  "-   path: /run/cluster-api/placeholder",
  "    owner: root:root",
  "    permissions: '0640'",
  '    content: "<text of the bootstrap provider; the file only makes the folder>"',
  "",
].join("\n");

const escapes: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

/** Quotes like Go's `%q`, which the bootstrap provider uses for commands and YAML reads as a double-quoted scalar. */
export function goQuote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) {
    return `"${text}"`;
  }
  const quoted = Array.from(text).map((character) => {
    const code = character.codePointAt(0) ?? 0;
    const escape = escapes[character];
    if (escape !== undefined || /^[ \p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character)) {
      return escape ?? character;
    }
    const hex = code.toString(16);
    if (code < 0x80) {
      return `\\x${hex.padStart(2, "0")}`;
    }
    return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
  });
  return `"${quoted.join("")}"`;
}

/** The `bootcmd` section; cloudbase-init ignores it. */
export const bootCommands = ({ bootCommands: list }: KubeadmConfigSpec): string =>
  list === undefined ? "" : ["bootcmd:", ...list.map((command) => `  - ${goQuote(command)}`), ""].join("\n");

/** The `runcmd` section: the pre-commands, the line that runs kubeadm, and the post-commands. */
export const runCommands = (spec: KubeadmConfigSpec, kubeadm: string): string =>
  [
    "runcmd:",
    ...(spec.preKubeadmCommands ?? []).map((command) => `  - ${goQuote(command)}`),
    `  - ${kubeadm}`,
    ...(spec.postKubeadmCommands ?? []).map((command) => `  - ${goQuote(command)}`),
  ].join("\n");

function ntp(spec: KubeadmConfigSpec): string[] {
  const { enabled, servers = [] } = spec.ntp ?? {};
  return spec.ntp === undefined
    ? []
    : [
        "ntp:",
        enabled === undefined ? "  servers:" : `  enabled: ${enabled}\n  servers:`,
        ...servers.map((server) => `    - ${server}`),
      ];
}

function users({ users: list }: KubeadmConfigSpec): string[] {
  const one = ({
    name,
    groups,
    sudo,
    sshAuthorizedKeys = [],
  }: NonNullable<typeof list>[number]): string[] => [
    `  - name: ${name}`,
    ...(groups === undefined ? [] : [`    groups: ${groups}`]),
    ...(sudo === undefined ? [] : [`    sudo: ${sudo}`]),
    ...(sshAuthorizedKeys.length === 0 ? [] : ["    ssh_authorized_keys:"]),
    ...sshAuthorizedKeys.map((key) => `      - ${key}`),
  ];
  return list === undefined ? [] : ["users:", ...list.flatMap(one)];
}

function disks({ diskSetup }: KubeadmConfigSpec): string[] {
  if (diskSetup === undefined) {
    return [];
  }
  const { partitions = [], filesystems = [] } = diskSetup;
  return [
    "disk_setup:",
    ...partitions.flatMap(({ device, layout, diskLayout, overwrite, tableType }) => [
      `  ${device}:`,
      ...(tableType === undefined ? [] : [`    table_type: ${tableType}`]),
      ...(diskLayout === undefined
        ? [`    layout: ${layout}`]
        : ["    layout:", ...diskLayout.map(({ percentage }) => `      - ${percentage}`)]),
      ...(overwrite === undefined ? [] : [`    overwrite: ${overwrite}`]),
    ]),
    "fs_setup:",
    ...filesystems.flatMap(
      ({ device, filesystem, label, partition, overwrite, replaceFS, extraOpts = [] }) => [
        `  - label: ${label ?? ""}`,
        `    filesystem: ${filesystem}`,
        `    device: ${device}`,
        ...(partition === undefined ? [] : [`    partition: ${partition}`]),
        ...(overwrite === undefined ? [] : [`    overwrite: ${overwrite}`]),
        ...(replaceFS === undefined ? [] : [`    replace_fs: ${replaceFS}`]),
        ...(extraOpts.length === 0 ? [] : ["    extra_opts:"]),
        ...extraOpts.map((option) => `      - ${option}`),
      ],
    ),
  ];
}

function mounts({ mounts: list }: KubeadmConfigSpec): string[] {
  const one = (points: readonly string[]): string =>
    `  - ${points.map((point) => `- ${point}\n    `).join("")}`;
  return list === undefined ? [] : ["mounts:", ...list.map(one)];
}

/** The sections after `runcmd` that the spec sets, in the bootstrap provider's order. */
export const trailingKeys = (spec: KubeadmConfigSpec): string =>
  [...ntp(spec), ...users(spec), ...disks(spec), ...mounts(spec)].map((line) => `\n${line}`).join("");
