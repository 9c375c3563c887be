import { parse } from "yaml";
import { secretFilesName } from "../../domain/bootstrap/userFiles";
import { at, isRecord, list, strings, text } from "../../domain/untyped";
import type { LeftOut } from "../findings";
import { present, unlessEmpty } from "./machines";
import { commandReason, fileReason, hasSecret, secretReason } from "./boilerplate";
import { isOwn, type Own } from "./egress";
import { kubeletOf, patchFile } from "./kubelet";
import type { PoolObjects } from "./roles";
import { taintsIn } from "./taints";

/** A node's bootstrap data, as keys of a stack file. */

type Plain = Record<string, unknown>;

export interface Carried {
  readonly keys: Plain;
  readonly leftOut: readonly LeftOut[];
}

/** The spec of a KubeadmConfig, or the one inside a KubeadmConfigTemplate. */
export const bootstrapSpec = ({ bootstrap }: Pick<PoolObjects, "bootstrap">): Plain => {
  const spec =
    bootstrap.kind === "KubeadmConfigTemplate" ? at(bootstrap.spec, "template", "spec") : bootstrap.spec;
  return isRecord(spec) ? spec : {};
};

/**
 * Identifies a file or command in the whole cluster.
 * @param entry - path of a file, or a command, of the pool's nodes
 */
export const entryOf = ({ os, name }: Pick<PoolObjects, "os" | "name">, entry: string): string =>
  `${os}Pools.${name} ${entry}`;

const uninitialized = "node.cloudprovider.kubernetes.io/uninitialized";

const labelsIn = (argument: string): Record<string, string> =>
  Object.fromEntries(
    argument
      .split(",")
      .filter((one) => one !== "")
      .map((one) => {
        const [key = "", value = ""] = one.split("=");
        return [key, value];
      }),
  );

function contentOf(file: Plain): string | undefined {
  const content = text(file.content);
  return file.encoding === "base64"
    ? Buffer.from(content, "base64").toString("utf8")
    : file.encoding === undefined
      ? content
      : undefined;
}

const forKeys = { why: "the stack writes it for keys that the stack file has" };

/**
 * The reference to a Secret with a file's content. The Secret is not read; a stack's own one is named by its key only.
 */
function sourceOf(file: Plain, cluster: string): Plain | undefined {
  const secret = at(file, "contentFrom", "secret");
  if (!isRecord(secret)) {
    return undefined;
  }
  return secret.name === secretFilesName(cluster)
    ? { secretFile: secret.key }
    : file.encoding === undefined
      ? { secret: { name: secret.name, key: secret.key } }
      : undefined;
}

function filesOf(pool: PoolObjects, from: string, own: Own) {
  const carried: Plain[] = [];
  const leftOut: LeftOut[] = [];
  for (const file of list(bootstrapSpec(pool).files)) {
    const path = text(file.path);
    const at = `${from} files[${path}]`;
    const contentFrom = sourceOf(file, text(pool.pool.spec.clusterName));
    const content = contentFrom === undefined ? contentOf(file) : "";
    const why =
      (isOwn(own, path) ? forKeys : undefined) ??
      fileReason(file) ??
      (file.append === true
        ? {
            why: "it is appended to a file of the image, and files here are written whole",
            instead: "a command in preKubeadmCommands",
          }
        : content === undefined
          ? { why: "it is packed, and a stack file has files as text", instead: "files with the text" }
          : hasSecret(content)
            ? secretReason
            : undefined);
    if (why !== undefined) {
      leftOut.push({ from: at, entry: entryOf(pool, path), ...why });
    } else if (!patchFile.test(path)) {
      const permissions = text(file.permissions);
      carried.push({
        path,
        ...(contentFrom === undefined ? { content } : { contentFrom }),
        ...(permissions === "" || permissions === "0644" ? {} : { permissions }),
      });
      if (!["", "root:root", "root"].includes(text(file.owner))) {
        leftOut.push({
          from: `${at}.owner`,
          why: "files belong to the administrator",
          instead: "a command that changes it",
        });
      }
    }
  }
  return { carried, leftOut };
}

function commandsOf(
  pool: PoolObjects,
  when: "preKubeadmCommands" | "postKubeadmCommands",
  from: string,
  own: Own,
) {
  const carried: string[] = [];
  const leftOut: LeftOut[] = [];
  for (const command of strings(bootstrapSpec(pool)[when])) {
    const why = (isOwn(own, command) ? forKeys : undefined) ?? commandReason(command);
    if (why !== undefined) {
      leftOut.push({ from: `${from} ${when}: ${command}`, entry: entryOf(pool, command), ...why });
    } else if (hasSecret(command)) {
      leftOut.push({ from: `${from} ${when}: a command (not shown)`, ...secretReason });
    } else {
      carried.push(command);
    }
  }
  return { carried: carried.length === 0 ? undefined : carried, leftOut };
}

/** Labels, taints, kubelet, files and commands of a pool's nodes. */
export function nodeKeys(pool: PoolObjects, own: Own): Carried {
  const spec = bootstrapSpec(pool);
  const from = `${pool.bootstrap.kind} ${pool.name}`;
  const registration = at(spec, "joinConfiguration", "nodeRegistration");
  const args = Object.fromEntries(
    list(at(registration, "kubeletExtraArgs")).map(({ name, value }) => [String(name), text(value)]),
  );
  const files = list(spec.files);
  const patch = files.find(({ path }) => patchFile.test(text(path)));
  const configuration: unknown = patch === undefined ? undefined : parse(contentOf(patch) ?? "");
  const taints = [
    ...list(at(registration, "taints")),
    ...(at(registration, "taints") === undefined ? list(at(configuration, "registerWithTaints")) : []),
    ...taintsIn(args["register-with-taints"] ?? ""),
  ].filter(({ key }) => key !== uninitialized);
  const synced = at(pool.pool.spec, "template", "metadata", "labels");
  const labels = {
    ...labelsIn(args["node-labels"] ?? ""),
    ...Object.fromEntries(
      Object.entries(isRecord(synced) ? synced : {}).filter(([key]) =>
        /^(node-role\.kubernetes\.io|([^/]+\.)?node-restriction\.kubernetes\.io|([^/]+\.)?node\.cluster\.x-k8s\.io)\//.test(
          key,
        ),
      ),
    ),
  };
  const ownFiles = filesOf(pool, from, own);
  const before = commandsOf(pool, "preKubeadmCommands", from, own);
  const after = commandsOf(pool, "postKubeadmCommands", from, own);
  return {
    keys: present({
      labels: unlessEmpty(labels),
      taints: taints.length === 0 ? undefined : taints,
      kubelet: kubeletOf(configuration, args, pool.os),
      files: ownFiles.carried.length === 0 ? undefined : ownFiles.carried,
      preKubeadmCommands: before.carried,
      postKubeadmCommands: after.carried,
    }),
    leftOut: [...ownFiles.leftOut, ...before.leftOut, ...after.leftOut],
  };
}
