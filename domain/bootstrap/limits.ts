import { parse } from "yaml";
import { grouped, type Problem } from "../problem";
import type { Arg, BootstrapFile, KubeadmConfigSpec } from "../capi/types";

/**
 * Limits of a KubeadmConfig, lengths in characters. Source: CAPI v1.13.6, CRD kubeadmconfigs, version v1beta2; the
 * bound on contents is for the text as it is encoded.
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

/** As the API server counts: Unicode characters, not UTF-16 units. */
const characters = (text: string): number => Array.from(text).length;

function outside(
  path: string,
  what: string,
  count: number,
  [least, most]: readonly [number, number],
  write: string,
): Problem[] {
  return count >= least && count <= most
    ? []
    : [
        {
          path,
          problem: `it has ${grouped(count)} ${what}`,
          allowed: `${grouped(least)} to ${grouped(most)} ${what}`,
          write,
        },
      ];
}

const length = (path: string, text: string | undefined, most: number, write: string): Problem[] =>
  text === undefined ? [] : outside(path, "characters", characters(text), [1, most], write);

/** The bootstrap provider writes these fields into YAML as they are, without quotes. */
function plain(path: string, text: string | undefined): Problem[] {
  const read = (): unknown => {
    try {
      return parse(`- ${text ?? ""}`, { version: "1.1" });
    } catch {
      return undefined;
    }
  };
  const value = text === undefined ? undefined : read();
  return text === undefined ||
    text === "" ||
    (Array.isArray(value) && value.length === 1 && value[0] === text)
    ? []
    : [
        {
          path,
          problem:
            "Cluster API writes it into YAML without quotes, and there it would be read as something else",
          allowed: "one line without ': ' and ' #' that does not begin like YAML syntax",
          write: "a simpler text",
        },
      ];
}

/** Windows has one file for all spellings of a path. */
const pathKey = (path: string): string =>
  /^[a-z]:/i.test(path) ? path.replaceAll("\\", "/").toLowerCase() : path;

function fileProblems(files: readonly BootstrapFile[]): Problem[] {
  const seen = new Map<string, string>();
  return files.flatMap((file, index): Problem[] => {
    const { path, content, contentFrom, owner, permissions } = file;
    const at = `files[${index}] (${path.length > 100 ? `${path.slice(0, 97)}...` : path})`;
    const first = seen.get(pathKey(path));
    seen.set(pathKey(path), first ?? at);
    const twice: Problem = {
      path: at,
      problem: `${first ?? ""} writes the same file`,
      allowed: "each path once",
      write: "another path, or one file less",
    };
    const both: Problem = {
      path: at,
      problem: "it has a content and takes one from a secret",
      allowed: "content or contentFrom",
      write: "take one of them out",
    };
    return [
      ...(first === undefined ? [] : [twice]),
      ...(content !== undefined && contentFrom ? [both] : []),
      ...length(`${at}.path`, path, limits.path, "a shorter path"),
      ...length(`${at}.content`, content, limits.content, "two files, or a command that fetches the rest"),
      ...length(`${at}.owner`, owner, limits.owner, "owner: root:root"),
      ...length(`${at}.permissions`, permissions, limits.permissions, 'permissions: "0644"'),
      ...plain(`${at}.path`, path),
      ...plain(`${at}.owner`, owner),
    ];
  });
}

function commandProblems(path: string, commands: readonly string[] | undefined): Problem[] {
  return [
    ...outside(
      path,
      "commands",
      commands?.length ?? 1,
      [1, limits.commands],
      "fewer commands, or leave the key out",
    ),
    ...(commands ?? []).flatMap((command, index) =>
      length(`${path}[${index}]`, command, limits.command, "a script in files, and the command that runs it"),
    ),
  ];
}

function argumentProblems(path: string, list: readonly Arg[] | undefined): Problem[] {
  const names = (list ?? []).map(({ name }) => name);
  return [
    ...outside(
      path,
      "arguments",
      list?.length ?? 1,
      [1, limits.arguments],
      "fewer arguments, or leave the key out",
    ),
    ...(list ?? []).flatMap(({ name, value }, index): Problem[] => [
      ...length(`${path}[${index}].name`, name, limits.argumentName, "the name of a flag, without --"),
      ...outside(
        `${path}[${index}].value`,
        "characters",
        characters(value),
        [0, limits.argumentValue],
        "a shorter value",
      ),
      ...(names.indexOf(name) === index
        ? []
        : [
            {
              path: `${path}[${index}]`,
              problem: `${name} is there twice`,
              allowed: "each name once",
              write: "one",
            },
          ]),
    ]),
  ];
}

function userProblems(spec: KubeadmConfigSpec): Problem[] {
  return (spec.users ?? []).flatMap(({ name, groups, sudo, sshAuthorizedKeys = [] }, index): Problem[] => {
    const at = `users[${index}]`;
    const fields = Object.entries({ name, groups, sudo });
    return [
      ...fields.flatMap(([field, text]) => [
        ...length(`${at}.${field}`, text, limits.userField, "a shorter text"),
        ...plain(`${at}.${field}`, text),
      ]),
      ...outside(
        `${at}.sshAuthorizedKeys`,
        "keys",
        sshAuthorizedKeys.length,
        [0, limits.sshKeys],
        "fewer keys",
      ),
      ...sshAuthorizedKeys.flatMap((key, at2) => [
        ...length(`${at}.sshAuthorizedKeys[${at2}]`, key, limits.sshKey, "an ed25519 key: they are short"),
        ...plain(`${at}.sshAuthorizedKeys[${at2}]`, key),
      ]),
    ];
  });
}

/**
 * Everything in a spec that Cluster API's schema and webhook would refuse, or would turn into something else when it
 * writes the bootstrap data; empty when all is well. Lengths are in characters.
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
    ...outside("files", "files", files?.length ?? 1, [1, limits.files], "fewer files, or leave the key out"),
    ...fileProblems(files ?? []),
    ...commandProblems("preKubeadmCommands", spec.preKubeadmCommands),
    ...commandProblems("postKubeadmCommands", spec.postKubeadmCommands),
    ...outside("users", "users", users?.length ?? 1, [1, limits.users], "fewer users, or leave the key out"),
    ...userProblems(spec),
    ...Object.entries(lists).flatMap(([path, list]) => argumentProblems(path, list)),
  ];
}
