import { parse } from "yaml";
import { defaultReserved } from "../../domain/machines/defaults";
import { at, isRecord, list, numberAt, strings, text, textAt } from "../../domain/untyped";
import type { LeftOut } from "../findings";
import { present, unlessEmpty } from "./machines";
import { commandReason, fileReason, hasSecret, secretReason } from "./boilerplate";
import { isOwn, type Egress } from "./egress";
import type { PoolObjects } from "./roles";
import { taintsIn } from "./taints";

/** What a node's bootstrap data says, in the keys of a stack file. */

type Plain = Record<string, unknown>;

export interface Carried {
  readonly keys: Plain;
  readonly leftOut: readonly LeftOut[];
}

/** A KubeadmConfig's spec, or that of the template of them. */
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

const patchFile = /kubeletconfiguration[^/]*\.ya?ml$/i;

/** What a patch of kubelet's configuration sets, as far as a stack file has keys for it. */
function kubeletOf(configuration: unknown, args: Readonly<Record<string, string>>, os: "linux" | "windows") {
  const number = (field: string, flag: string): number | undefined =>
    numberAt(configuration, field) ?? (args[flag] === undefined ? undefined : Number(args[flag]));
  const minutes = /^(\d+)m$/.exec(textAt(configuration, "imageMinimumGCAge"))?.[1];
  const megabytes = /^(\d+)Mi$/.exec(textAt(configuration, "containerLogMaxSize"))?.[1];
  const reservedArg = Object.fromEntries(
    (args["system-reserved"] ?? "").split(",").map((one) => one.split("=") as [string, string]),
  );
  const reserved = unlessEmpty({
    cpu: at(configuration, "systemReserved", "cpu") ?? reservedArg.cpu,
    memory: at(configuration, "systemReserved", "memory") ?? reservedArg.memory,
  });
  const byDefault = defaultReserved[os];
  const serialized = at(configuration, "serializeImagePulls");
  return unlessEmpty({
    maxPods: number("maxPods", "max-pods"),
    reserved: reserved?.cpu === byDefault.cpu && reserved.memory === byDefault.memory ? {} : reserved,
    imageGC: unlessEmpty({
      highPercent: number("imageGCHighThresholdPercent", "image-gc-high-threshold"),
      lowPercent: number("imageGCLowThresholdPercent", "image-gc-low-threshold"),
      minAgeMinutes: minutes === undefined ? undefined : Number(minutes),
    }),
    maxParallelImagePulls:
      numberAt(configuration, "maxParallelImagePulls") ?? (serialized === true ? 1 : undefined),
    containerLogs: unlessEmpty({
      maxSizeMi: megabytes === undefined ? undefined : Number(megabytes),
      maxFiles: numberAt(configuration, "containerLogMaxFiles"),
    }),
  });
}

function contentOf(file: Plain): string | undefined {
  const content = text(file.content);
  return file.encoding === "base64"
    ? Buffer.from(content, "base64").toString("utf8")
    : file.encoding === undefined
      ? content
      : undefined;
}

const forEgress = {
  why: "the stack writes it for proxy, registryMirror and trustedCertificates, which the stack file has",
};

function filesOf(files: readonly Plain[], from: string, egress: Egress) {
  const carried: Plain[] = [];
  const leftOut: LeftOut[] = [];
  for (const file of files) {
    const path = text(file.path);
    const at = `${from} files[${path}]`;
    const content = contentOf(file);
    const why =
      fileReason(file) ??
      (isOwn(egress, path) ? forEgress : undefined) ??
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
      leftOut.push({ from: at, ...why });
    } else if (!patchFile.test(path)) {
      const permissions = text(file.permissions);
      carried.push({
        path,
        content,
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
  spec: Plain,
  when: "preKubeadmCommands" | "postKubeadmCommands",
  from: string,
  egress: Egress,
) {
  const carried: string[] = [];
  const leftOut: LeftOut[] = [];
  for (const command of strings(spec[when])) {
    const why = commandReason(command) ?? (isOwn(egress, command) ? forEgress : undefined);
    if (why !== undefined) {
      leftOut.push({ from: `${from} ${when}: ${command}`, ...why });
    } else if (hasSecret(command)) {
      leftOut.push({ from: `${from} ${when}: a command (not shown)`, ...secretReason });
    } else {
      carried.push(command);
    }
  }
  return { carried: carried.length === 0 ? undefined : carried, leftOut };
}

/** Labels, taints, kubelet, files and commands of a pool's nodes. */
export function nodeKeys(pool: PoolObjects, egress: Egress): Carried {
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
  const ownFiles = filesOf(files, from, egress);
  const before = commandsOf(spec, "preKubeadmCommands", from, egress);
  const after = commandsOf(spec, "postKubeadmCommands", from, egress);
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
