import { canonicalJson } from "../../../capi/contentHash";
import { secretFilesName } from "../../../bootstrap/userFiles";
import { at, isRecord, list, strings, text, type Plain } from "capz-windows-kit/untyped";
import { withoutUndefined } from "capz-windows-kit/without";
import { unlessEmpty, unlessNone, type LeftOut } from "../findings";
import { commandReason, fileReason, hasSecret, secretReason, type Reason } from "./boilerplate";
import { kubeletOf } from "./kubelet";
import { patchFile } from "./normal";
import { nodeOf, type PoolObjects } from "./roles";

/** A node's bootstrap data, as keys of a stack file. */

export interface Carried {
  readonly keys: Plain;
  readonly leftOut: readonly LeftOut[];
}

const ofStack: Reason = {
  why: "the stack writes it itself, for every node or for keys that the stack file has",
};

/** A file as the node gets it. Of a Secret only the key counts: that of azure.json is named after the object. */
const asOnNode = ({ content, contentFrom, permissions = "0644" }: Plain): string =>
  canonicalJson({ content: at(contentFrom, "secret", "key") ?? content ?? "", permissions });

/** The reference to a Secret with a file's content. The Secret is not read; a stack's own one is named by its key only. */
function sourceOf({ contentFrom, encoding }: Plain, cluster: string): Plain | undefined {
  const secret = at(contentFrom, "secret");
  if (!isRecord(secret)) {
    return undefined;
  }
  const { name, key } = secret;
  if (name === secretFilesName(cluster)) {
    return { secretFile: key };
  }
  return encoding === undefined ? { secret: { name, key } } : undefined;
}

/** Why a stack file cannot have a file as it is. */
function formReason(file: Plain, contentFrom: Plain | undefined): Reason | undefined {
  if (file.append === true || (contentFrom === undefined && file.encoding !== undefined)) {
    return {
      why: "files here are written whole and as text, and this one is packed or appended to one of the image",
      instead: "files with the text, or a command in preKubeadmCommands",
    };
  }
  return hasSecret(text(file.content)) ? secretReason : undefined;
}

/** Windows takes both slashes, and letters of either case. */
const pathForm = (text: string): string => text.replaceAll("\\", "/").toLowerCase();

/** The user's own files and commands, which are those that a plan of the stack lacks without them. */
function ownEntries({ bootstrap, name, pool }: PoolObjects, made: PoolObjects): Carried {
  const [source, plan] = [nodeOf(bootstrap), nodeOf(made.bootstrap)];
  const planned = new Map(list(plan.files).map((file) => [text(file.path), asOnNode(file)]));
  const commands = [...strings(plan.preKubeadmCommands), ...strings(plan.postKubeadmCommands)];
  const scripts = [...planned.keys()].filter((path) => /\.(ps1|sh)$/.test(path));
  const leftOut: LeftOut[] = [];
  /** Files that the node does not have, neither the source's nor the stack's: commands that name one would fail. */
  const missing = new Map<string, Reason>();
  const leave = (what: string, reason: Reason): [] => {
    leftOut.push({ from: `${bootstrap.kind} ${name} ${what}`, ...reason });
    return [];
  };
  const files = list(source.files).flatMap((file): Plain[] => {
    const path = text(file.path);
    if (patchFile.test(path) || planned.get(path) === asOnNode(file)) {
      return [];
    }
    const contentFrom = sourceOf(file, text(pool.spec.clusterName));
    const why = fileReason(path) ?? (planned.has(path) ? ofStack : formReason(file, contentFrom));
    if (why !== undefined) {
      if (!planned.has(path)) {
        missing.set(pathForm(path), why);
      }
      return leave(`files[${path}]`, why);
    }
    if (!["", "root:root", "root"].includes(text(file.owner))) {
      leave(`files[${path}].owner`, {
        why: "files belong to the administrator",
        instead: "a command that changes it",
      });
    }
    const permissions = ["", "0644"].includes(text(file.permissions)) ? undefined : file.permissions;
    const content = contentFrom === undefined ? text(file.content) : undefined;
    return [withoutUndefined({ path, content, contentFrom, permissions })];
  });
  const commandsOf = (when: "preKubeadmCommands" | "postKubeadmCommands"): string[] =>
    strings(source[when])
      .filter((command) => !commands.includes(command))
      .flatMap((command) => {
        // The arguments of a script that the stack has may differ.
        const isScript = scripts.some((script) => command.includes(script));
        const isSecret = hasSecret(command);
        const why =
          commandReason(command) ??
          (isScript ? ofStack : undefined) ??
          (isSecret ? secretReason : undefined) ??
          [...missing].find(([path]) => pathForm(command).includes(path))?.[1];
        return why === undefined
          ? [command]
          : leave(`${when}: ${isSecret ? "a command (not shown)" : command}`, why);
      });
  return {
    keys: {
      files: unlessNone(files),
      preKubeadmCommands: unlessNone(commandsOf("preKubeadmCommands")),
      postKubeadmCommands: unlessNone(commandsOf("postKubeadmCommands")),
    },
    leftOut,
  };
}

const parts = (texts = ""): string[] => texts.split(",").filter((one) => one !== "");

/** Taints as kubelet writes them: `dedicated=web:NoSchedule`. */
const taintsIn = (texts: string | undefined): Plain[] =>
  parts(texts).map((one) => {
    const [, key = one, value, effect = "NoSchedule"] = /^([^=:]+)(?:=([^:]*))?(?::(\w+))?$/.exec(one) ?? [];
    return withoutUndefined({ key, value: value === "" ? undefined : value, effect });
  });

const uninitialized = "node.cloudprovider.kubernetes.io/uninitialized";

/** Labels that Cluster API copies from a machine to its node. */
const synced =
  /^(node-role\.kubernetes\.io|([^/]+\.)?node-restriction\.kubernetes\.io|([^/]+\.)?node\.cluster\.x-k8s\.io)\//;

/**
 * Labels, taints, kubelet, files and commands of a pool's nodes.
 * @param made - the pool in a plan of the stack without files and commands; they are left out as long as no plan is known
 */
export function nodeKeys(pool: PoolObjects, made: PoolObjects | undefined): Carried {
  const spec = nodeOf(pool.bootstrap);
  const registration = at(spec, "joinConfiguration", "nodeRegistration");
  const args = Object.fromEntries(
    list(at(registration, "kubeletExtraArgs")).map(({ name, value }) => [String(name), text(value)]),
  );
  const configuration = list(spec.files).find(({ path }) => patchFile.test(text(path)))?.content;
  const taints = [
    ...list(at(registration, "taints") ?? at(configuration, "registerWithTaints")),
    ...taintsIn(args["register-with-taints"]),
  ].filter(({ key }) => key !== uninitialized);
  const labels = at(pool.pool.spec, "template", "metadata", "labels");
  const own = made === undefined ? { keys: {}, leftOut: [] } : ownEntries(pool, made);
  return {
    keys: {
      labels: unlessEmpty(
        Object.fromEntries([
          ...parts(args["node-labels"]).map((one) => [...one.split("="), ""].slice(0, 2) as [string, string]),
          ...Object.entries(isRecord(labels) ? labels : {}).filter(([key]) => synced.test(key)),
        ]),
      ),
      taints: unlessNone(taints),
      kubelet: kubeletOf(configuration, args, pool.os),
      ...own.keys,
    },
    leftOut: own.leftOut,
  };
}
