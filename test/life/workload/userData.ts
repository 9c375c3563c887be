import { gunzipSync } from "node:zlib";
import { parse, parseAllDocuments } from "yaml";
import { at, list, text, textAt } from "capz-windows-kit/untyped";
import type { KeyPair } from "../support/certificates";

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** The result of a machine's bootstrap data. */
export interface BootPlan {
  readonly role: "init" | "join-control-plane" | "join";
  readonly nodeName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** Whether kubelet waits for a cloud controller manager. */
  readonly externalCloud: boolean;
  /** Of the bootstrap token with which it joins. */
  readonly tokenId?: string;
  /** kubeadm's ClusterConfiguration as text. Only with `init`. */
  readonly clusterConfiguration?: string;
  readonly authority?: KeyPair;
  readonly etcdAuthority?: KeyPair;
}

interface WriteFile {
  readonly path: string;
  readonly content: string;
}

function fileText(file: Record<string, unknown>): string {
  const content = text(file.content);
  const encoding = textAt(file, "encoding");
  const bytes =
    encoding.includes("b64") || encoding.includes("base64") ? Buffer.from(content, "base64") : undefined;
  if (encoding.startsWith("gz")) {
    return gunzipSync(bytes ?? Buffer.from(content, "latin1")).toString("utf8");
  }
  return bytes?.toString("utf8") ?? content;
}

function filesOf(customData: string, hostname: string): WriteFile[] {
  const rendered = Buffer.from(customData, "base64")
    .toString("utf8")
    .replace(/\{\{\s*ds\.meta_data(?:\[["']local_hostname["']\]|\.local_hostname)\s*\}\}/g, hostname)
    // In a quoted YAML string, the quotes of the expression are escaped.
    .replace(/\{\{\s*ds\.meta_data\[\\?["']local_hostname\\?["']\]\s*\}\}/g, hostname);
  const document: unknown = parse(rendered);
  return list(at(document, "write_files")).map((file) => ({
    path: textAt(file, "path"),
    content: fileText(file),
  }));
}

/** Value of a kubelet argument. v1beta4 has a list of names and values, older versions a map. */
function argument(registration: unknown, name: string): string {
  const args = at(registration, "kubeletExtraArgs");
  return Array.isArray(args)
    ? textAt(
        list(args).find((arg) => arg.name === name),
        "value",
      )
    : textAt(args, name);
}

const controlPlaneTaint: Taint = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };
export const uninitializedTaint: Taint = {
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
  effect: "NoSchedule",
};

const kindOf = (documents: readonly unknown[], kind: string): unknown =>
  documents.find((document) => textAt(document, "kind") === kind);

function pair(files: readonly WriteFile[], name: string): KeyPair | undefined {
  const find = (ending: string) =>
    files.find(({ path }) => path === `/etc/kubernetes/pki/${name}.${ending}`)?.content;
  const [cert, key] = [find("crt"), find("key")];
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

/**
 * Reads the configuration that cloud-init or cloudbase-init would pass to kubeadm.
 * @param customData - base64, as Azure gets it
 * @throws Error if it has no configuration of kubeadm
 */
export function bootPlan(customData: string, hostname: string): BootPlan {
  const files = filesOf(customData, hostname);
  const kubeadm = files.find(({ path }) => /\/run\/kubeadm\/kubeadm(-join-config)?\.yaml$/i.test(path));
  if (!kubeadm) {
    throw new Error(`the bootstrap data of ${hostname} has no configuration of kubeadm`);
  }
  const documents = parseAllDocuments(kubeadm.content).map((document) =>
    "toJS" in document ? (document.toJS() as unknown) : undefined,
  );
  const [init, join] = [kindOf(documents, "InitConfiguration"), kindOf(documents, "JoinConfiguration")];
  const registration = at(init ?? join, "nodeRegistration");
  const role = init ? "init" : at(join, "controlPlane") !== undefined ? "join-control-plane" : "join";
  const labels = argument(registration, "node-labels")
    .split(",")
    .filter((label) => label.includes("="))
    .map((label) => label.split("=") as [string, string]);
  const given = at(registration, "taints");
  const taints =
    given === undefined || given === null ? (role === "join" ? [] : [controlPlaneTaint]) : list(given);
  const configuration = kindOf(documents, "ClusterConfiguration");
  const [tokenId = ""] = textAt(join, "discovery", "bootstrapToken", "token").split(".");
  const [authority, etcdAuthority] = [pair(files, "ca"), pair(files, "etcd/ca")];
  return {
    role,
    nodeName: (textAt(registration, "name") || hostname).toLowerCase(),
    labels: Object.fromEntries(labels),
    taints: [...(taints as unknown as Taint[]), ...patchedTaints(files)],
    externalCloud: argument(registration, "cloud-provider") === "external",
    ...(tokenId === "" ? {} : { tokenId }),
    ...(configuration === undefined ? {} : { clusterConfiguration: JSON.stringify(configuration) }),
    ...(authority === undefined ? {} : { authority }),
    ...(etcdAuthority === undefined ? {} : { etcdAuthority }),
  };
}

/** Taints in patches of kubelet's configuration, which kubeadm merges. */
const patchedTaints = (files: readonly WriteFile[]): Taint[] =>
  files
    .filter(({ path }) => /\/kubeletconfiguration\d*(\+\w+)?\.yaml$/i.test(path))
    .flatMap(({ content }) => list(at(parse(content), "registerWithTaints")) as unknown as Taint[]);
