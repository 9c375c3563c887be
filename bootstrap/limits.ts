import { isScalar, isSeq } from "yaml";
import { yamlDocument } from "capz-windows-kit/boundedYaml";
import { formatCount, type Problem } from "capz-windows-kit/problem";
import type { Arg, BootstrapFile, KubeadmConfigSpec } from "capz-types";
import { present } from "capz-windows-kit/present";

/**
 * Limits of a KubeadmConfig; lengths are in characters. The limit for contents applies to the encoded text. Source:
 * CAPI v1.14.2, CRD kubeadmconfigs, version v1beta2.
 */
export const limits = {
  files: 200,
  path: 512,
  content: 10_240,
  owner: 256,
  permissions: 16,
  commands: 1000,
  command: 10_240,
  users: 100,
  userField: 256,
  sshKeys: 100,
  sshKey: 2048,
  arguments: 100,
  argumentName: 256,
  argumentValue: 1024,
} as const;

/** Length in Unicode characters, as the API server counts, not in UTF-16 code units. */
const characters = (text: string): number => Array.from(text).length;

function checkCount(
  path: string,
  what: string,
  count: number,
  [least, most]: readonly [number, number],
): Problem[] {
  return present(
    (!(count >= least) || !(count <= most)) && {
      path,
      problem: `has ${formatCount(count)} ${what}`,
      allowed: `${formatCount(least)} to ${formatCount(most)} ${what}`,
    },
  );
}

const checkLength = (path: string, text: string | undefined, most: number): Problem[] =>
  // There are at most as many characters as code units, which need not be counted.
  text === undefined || (text !== "" && text.length <= most)
    ? []
    : checkCount(path, "characters", characters(text), [1, most]);

/** By text: the same paths, owners and users come for every pool, and parsing YAML is slow. */
const plainScalars = new Map<string, boolean>();

/** A character that YAML has no place for (YAML 1.2.2, 5.1), and no file or command that a node should get. */
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;

/** "U+0000" for the first control character of a text; a tab and the end of a line are none. */
export function controlCharacterIn(text: string): string | undefined {
  const found = control.exec(text)?.[0];
  return found && `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function checkControl(path: string, text: string | undefined): Problem[] {
  const found = controlCharacterIn(text ?? "");
  return present(
    found !== undefined && {
      path,
      problem: `has the control character ${found}, with which the bootstrap data of the node is no YAML`,
      allowed: "characters that can be seen, tabs and the ends of lines",
    },
  );
}

/** Whether YAML 1.1 reads a text without quotes as the text itself. */
export function isPlainScalar(text: string): boolean {
  // The parser is more patient than those of Kubernetes and cloud-init.
  if (/[\r\n]/.test(text) || controlCharacterIn(text) !== undefined) {
    return false;
  }
  const known = plainScalars.get(text);
  if (known !== undefined) {
    return known;
  }
  const { contents, errors } = yamlDocument(`- ${text}`, { version: "1.1" });
  const [item, ...more] = errors.length === 0 && isSeq(contents) ? contents.items : [];
  const isPlain = isScalar(item) && item.value === text && more.length === 0;
  plainScalars.set(text, isPlain);
  return isPlain;
}

/** The bootstrap provider writes these fields into YAML as plain scalars, without quotes. */
function checkPlainScalar(path: string, text: string | undefined): Problem[] {
  return present(
    text !== undefined &&
      text !== "" &&
      !isPlainScalar(text) && {
        path,
        problem:
          "Cluster API writes this text into YAML without quotes, where it would be parsed as something else",
        allowed: "one line that YAML reads unchanged without quotes, for instance without ': ' and ' #'",
      },
  );
}

/** Paths on Windows are case-insensitive and allow both kinds of slash. */
const pathKey = (path: string): string =>
  /^[a-z]:/i.test(path) ? path.replaceAll("\\", "/").toLowerCase() : path;

function fileProblems(files: readonly BootstrapFile[]): Problem[] {
  const seen = new Map<string, string>();
  return files.flatMap((file, index): Problem[] => {
    const { path, content, contentFrom, owner, permissions } = file;
    const at = `files[${index}]`;
    const first = seen.get(pathKey(path));
    seen.set(pathKey(path), first ?? `${at} (${path})`);
    const duplicate: Problem = {
      path: `${at}.path`,
      value: path,
      problem: `${first ?? ""} writes the same file`,
      allowed: "each path once",
    };
    const both: Problem = {
      path: at,
      problem: "both content and contentFrom are set",
      allowed: "content or contentFrom",
    };
    return [
      ...(first === undefined ? [] : [duplicate]),
      ...(content !== undefined && contentFrom ? [both] : []),
      ...checkLength(`${at}.path`, path, limits.path),
      ...checkLength(`${at}.content`, content, limits.content),
      ...checkLength(`${at}.owner`, owner, limits.owner),
      ...checkLength(`${at}.permissions`, permissions, limits.permissions),
      ...(file.encoding === undefined ? checkControl(`${at}.content`, content) : []),
      ...checkPlainScalar(`${at}.path`, path),
      ...checkPlainScalar(`${at}.owner`, owner),
    ];
  });
}

function commandProblems(path: string, commands: readonly string[] | undefined): Problem[] {
  return [
    ...checkCount(path, "commands", commands?.length ?? 1, [1, limits.commands]),
    ...(commands ?? []).flatMap((command, index) => [
      ...checkLength(`${path}[${index}]`, command, limits.command),
      ...checkControl(`${path}[${index}]`, command),
    ]),
  ];
}

function argumentProblems(path: string, list: readonly Arg[] | undefined): Problem[] {
  const names = (list ?? []).map(({ name }) => name);
  return [
    ...checkCount(path, "arguments", list?.length ?? 1, [1, limits.arguments]),
    ...(list ?? []).flatMap(({ name, value }, index): Problem[] =>
      present(
        ...checkLength(`${path}[${index}].name`, name, limits.argumentName),
        ...checkCount(`${path}[${index}].value`, "characters", characters(value), [0, limits.argumentValue]),
        names.indexOf(name) !== index && {
          path: `${path}[${index}]`,
          problem: `duplicate argument ${name}`,
          allowed: "each name once",
        },
      ),
    ),
  ];
}

function userProblems(spec: KubeadmConfigSpec): Problem[] {
  return (spec.users ?? []).flatMap(({ name, groups, sudo, sshAuthorizedKeys = [] }, index): Problem[] => {
    const at = `users[${index}]`;
    const fields = Object.entries({ name, groups, sudo });
    return [
      ...fields.flatMap(([field, text]) => [
        ...checkLength(`${at}.${field}`, text, limits.userField),
        ...checkPlainScalar(`${at}.${field}`, text),
      ]),
      ...checkCount(`${at}.sshAuthorizedKeys`, "keys", sshAuthorizedKeys.length, [0, limits.sshKeys]),
      ...sshAuthorizedKeys.flatMap((key, at2) => [
        ...checkLength(`${at}.sshAuthorizedKeys[${at2}]`, key, limits.sshKey),
        ...checkPlainScalar(`${at}.sshAuthorizedKeys[${at2}]`, key),
      ]),
    ];
  });
}

/**
 * Reports everything in a spec that Cluster API's schema and webhook would reject, or that would be altered when the
 * bootstrap data is written. Lengths are in characters.
 */
export function checkBootstrapLimits(spec: KubeadmConfigSpec): Problem[] {
  const { files, users, clusterConfiguration, initConfiguration, joinConfiguration } = spec;
  const { apiServer, controllerManager, etcd } = clusterConfiguration ?? {};
  const lists = {
    "clusterConfiguration.apiServer.extraArgs": apiServer?.extraArgs,
    "clusterConfiguration.controllerManager.extraArgs": controllerManager?.extraArgs,
    "clusterConfiguration.etcd.local.extraArgs": etcd?.local?.extraArgs,
    "initConfiguration.nodeRegistration.kubeletExtraArgs":
      initConfiguration?.nodeRegistration?.kubeletExtraArgs,
    "joinConfiguration.nodeRegistration.kubeletExtraArgs":
      joinConfiguration?.nodeRegistration?.kubeletExtraArgs,
  };
  return [
    ...checkCount("files", "files", files?.length ?? 1, [1, limits.files]),
    ...fileProblems(files ?? []),
    ...commandProblems("preKubeadmCommands", spec.preKubeadmCommands),
    ...commandProblems("postKubeadmCommands", spec.postKubeadmCommands),
    ...checkCount("users", "users", users?.length ?? 1, [1, limits.users]),
    ...userProblems(spec),
    ...Object.entries(lists).flatMap(([path, list]) => argumentProblems(path, list)),
  ];
}
