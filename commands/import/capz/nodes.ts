import { withoutUndefined } from "../../../tools/without";
import { canonicalJson } from "../../../capi/contentHash";
import { secretFilesName } from "../../../bootstrap/userFiles";
import { at, isRecord, list, strings, text, type Plain } from "../../../tools/untyped";
import type { LeftOut } from "../findings";
import { unlessEmpty } from "./machines";
import { commandReason, fileReason, hasSecret, secretReason } from "./boilerplate";
import { kubeletOf } from "./kubelet";
import { patchFile } from "./normal";
import type { PoolObjects } from "./roles";
import { taintsIn } from "./taints";

/** A node's bootstrap data, as keys of a stack file. */

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

const ofStack = { why: "the stack writes it itself, for every node or for keys that the stack file has" };

/** A file as the node gets it. Of a Secret only the key counts: that of azure.json is named after the object. */
const asOnNode = ({ content, contentFrom, permissions = "0644" }: Plain): string =>
  canonicalJson({ content: at(contentFrom, "secret", "key") ?? content ?? "", permissions });

/** Why a stack file cannot have a file as it is. */
function formReason(file: Plain, isPacked: boolean): Pick<LeftOut, "why" | "instead"> | undefined {
  if (file.append === true) {
    return {
      why: "it is appended to a file of the image, and files here are written whole",
      instead: "a command in preKubeadmCommands",
    };
  }
  if (isPacked) {
    return { why: "it is packed, and a stack file has files as text", instead: "files with the text" };
  }
  return hasSecret(text(file.content)) ? secretReason : undefined;
}

/**
 * The reference to a Secret with a file's content. The Secret is not read; a stack's own one is named by its key only.
 */
function sourceOf(file: Plain, cluster: string): Plain | undefined {
  const secret = at(file, "contentFrom", "secret");
  if (!isRecord(secret)) {
    return undefined;
  }
  if (secret.name === secretFilesName(cluster)) {
    return { secretFile: secret.key };
  }
  return file.encoding === undefined ? { secret: { name: secret.name, key: secret.key } } : undefined;
}

/** @param made - bootstrap data of the pool in a plan of the stack without the user's files and commands */
function filesOf(pool: PoolObjects, from: string, made: Plain) {
  const carried: Plain[] = [];
  const leftOut: LeftOut[] = [];
  const own = new Map(list(made.files).map((file) => [text(file.path), asOnNode(file)]));
  for (const file of list(bootstrapSpec(pool).files)) {
    const path = text(file.path);
    if (patchFile.test(path) || own.get(path) === asOnNode(file)) {
      continue;
    }
    const contentFrom = sourceOf(file, text(pool.pool.spec.clusterName));
    const content = text(file.content);
    const isPacked = contentFrom === undefined && file.encoding !== undefined;
    const why = fileReason(path) ?? (own.has(path) ? ofStack : formReason(file, isPacked));
    if (why !== undefined) {
      leftOut.push({ from: `${from} files[${path}]`, ...why });
      continue;
    }
    const permissions = text(file.permissions);
    carried.push({
      path,
      ...(contentFrom === undefined ? { content } : { contentFrom }),
      ...(permissions === "" || permissions === "0644" ? {} : { permissions }),
    });
    if (!["", "root:root", "root"].includes(text(file.owner))) {
      leftOut.push({
        from: `${from} files[${path}].owner`,
        why: "files belong to the administrator",
        instead: "a command that changes it",
      });
    }
  }
  return { carried, leftOut };
}

function commandsOf(
  pool: PoolObjects,
  when: "preKubeadmCommands" | "postKubeadmCommands",
  from: string,
  made: Plain,
) {
  const carried: string[] = [];
  const leftOut: LeftOut[] = [];
  const own = [...strings(made.preKubeadmCommands), ...strings(made.postKubeadmCommands)];
  const scripts = list(made.files)
    .map(({ path }) => text(path))
    .filter((path) => /\.(ps1|sh)$/.test(path));
  for (const command of strings(bootstrapSpec(pool)[when]).filter((each) => !own.includes(each))) {
    const why =
      commandReason(command) ??
      // The arguments of a script that the stack has may differ.
      (scripts.some((script) => command.includes(script)) ? ofStack : undefined) ??
      (hasSecret(command) ? secretReason : undefined);
    if (why === undefined) {
      carried.push(command);
    } else {
      leftOut.push({
        from: `${from} ${when}: ${hasSecret(command) ? "a command (not shown)" : command}`,
        ...why,
      });
    }
  }
  return { carried, leftOut };
}

/** The user's own files and commands, which are those that a plan of the stack lacks without them. */
function ownEntries(pool: PoolObjects, made: PoolObjects): Carried {
  const from = `${pool.bootstrap.kind} ${pool.name}`;
  const spec = bootstrapSpec(made);
  const found = {
    files: filesOf(pool, from, spec),
    preKubeadmCommands: commandsOf(pool, "preKubeadmCommands", from, spec),
    postKubeadmCommands: commandsOf(pool, "postKubeadmCommands", from, spec),
  };
  return {
    keys: Object.fromEntries(
      Object.entries(found).map(([key, { carried }]) => [key, carried.length === 0 ? undefined : carried]),
    ),
    leftOut: Object.values(found).flatMap(({ leftOut }) => leftOut),
  };
}

/**
 * Labels, taints, kubelet, files and commands of a pool's nodes.
 * @param made - the pool in a plan of the stack without files and commands; they are left out as long as no plan is known
 */
export function nodeKeys(pool: PoolObjects, made: PoolObjects | undefined): Carried {
  const spec = bootstrapSpec(pool);
  const registration = at(spec, "joinConfiguration", "nodeRegistration");
  const args = Object.fromEntries(
    list(at(registration, "kubeletExtraArgs")).map(({ name, value }) => [String(name), text(value)]),
  );
  const configuration = list(spec.files).find(({ path }) => patchFile.test(text(path)))?.content;
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
  const own = made === undefined ? { keys: {}, leftOut: [] } : ownEntries(pool, made);
  return {
    keys: withoutUndefined({
      labels: unlessEmpty(labels),
      taints: taints.length === 0 ? undefined : taints,
      kubelet: kubeletOf(configuration, args, pool.os),
      ...own.keys,
    }),
    leftOut: own.leftOut,
  };
}
