import { isAlias, isMap, isScalar, isSeq, stringify, visit } from "yaml";
import { yamlDocument } from "./boundedYaml";
import { isRecord, text } from "./untyped";

/**
 * Kubeconfigs that come from a cluster, as Cluster API keeps them in the Secret `<cluster>-kubeconfig`. Whoever may write that
 * Secret must not run programs on the machine that reads it, nor have it read files, so only the fields below are accepted.
 * Kubeconfigs that a user names are not read here, and may log in by a program.
 */

/** The address of an API server, and a login that is complete in itself. */
export interface ClusterKubeconfig {
  readonly names: { readonly cluster: string; readonly user: string; readonly context: string };
  /** An https URL. */
  readonly server: string;
  /** In base64, as all data here. Default: the authorities that this machine trusts. */
  readonly certificateAuthorityData?: string | undefined;
  readonly clientCertificateData?: string | undefined;
  readonly clientKeyData?: string | undefined;
  readonly token?: string | undefined;
  /** Whether the text has the empty field `preferences`, which client-go wrote until v0.33. */
  readonly hasPreferences: boolean;
}

/** The text is not a kubeconfig that may come from a cluster. The message quotes names of fields, never a value. */
export class ClusterKubeconfigError extends Error {
  override readonly name = "ClusterKubeconfigError";
}

/** Cluster API writes about 6 kB. */
const mostBytes = 100_000;

/** What a kubeconfig of client-go's clientcmd.Write has at most, without extensions. */
const fields = {
  config: ["apiVersion", "kind", "clusters", "contexts", "current-context", "preferences", "users"],
  cluster: ["server", "certificate-authority-data"],
  context: ["cluster", "user"],
  user: ["client-certificate-data", "client-key-data", "token"],
} as const;

const refuse = (what: string): never => {
  throw new ClusterKubeconfigError(
    `the kubeconfig is refused: ${what}. A kubeconfig from a cluster may have one cluster with server and certificate-authority-data, and one user with client-certificate-data, client-key-data or token`,
  );
};

/** The name of a field as a message shows it. */
const shown = (name: string): string =>
  /^[\w.-]{1,60}$/.test(name) ? name : "a field whose name is not a plain word";

/** A mapping with no fields but those that are known. */
function known(value: unknown, path: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) {
    return refuse(`${path || "it"} is not a mapping`);
  }
  const other = Object.keys(value).find((name) => !names.includes(name));
  return other === undefined ? value : refuse(`it has ${path === "" ? "" : `${path}.`}${shown(other)}`);
}

/** The only entry of `clusters`, `contexts` or `users`: its name and its content. */
function only(list: unknown, path: string, content: string, names: readonly string[]) {
  if (!Array.isArray(list) || list.length !== 1) {
    return refuse(`${path} has not exactly one entry`);
  }
  const entry = known(list[0], `${path}[0]`, ["name", content]);
  return {
    name: nameIn(entry.name, `${path}[0].name`),
    of: known(entry[content], `${path}[0].${content}`, names),
  };
}

function nameIn(value: unknown, path: string): string {
  const name = text(value);
  return /^[\w@.:/-]{1,253}$/.test(name) ? name : refuse(`${path} is not a plain name`);
}

function pem(value: unknown, path: string): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  const data = text(value);
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(data);
  return isBase64 && Buffer.from(data, "base64").toString("latin1").startsWith("-----BEGIN ")
    ? data
    : refuse(`${path} is not PEM in base64`);
}

function tokenIn(value: unknown): string | undefined {
  return value === undefined || /^[\x21-\x7e]+$/.test(text(value))
    ? (value as string | undefined)
    : refuse("users[0].user.token is not a token");
}

function serverIn(value: unknown): string {
  const server = text(value);
  const url = /^https:\/\/[\w.:[\]-]+(?:\/[\w./-]*)?$/.test(server) && URL.canParse(server);
  return url ? server : refuse("clusters[0].cluster.server is not an https URL with a host and a port");
}

/** The package recurses, so that brackets by the thousand end its stack. */
function documentOf(kubeconfig: string) {
  try {
    return yamlDocument(kubeconfig, { version: "1.2", schema: "core", merge: false });
  } catch {
    return undefined;
  }
}

/** The content of a document without anchors, aliases, tags and merge keys, which readers of YAML resolve differently. */
function contentOf(kubeconfig: string): unknown {
  if (Buffer.byteLength(kubeconfig) > mostBytes) {
    return refuse(`it has more than ${mostBytes} bytes`);
  }
  const document = documentOf(kubeconfig);
  if (document === undefined || document.errors.length > 0 || document.warnings.length > 0) {
    return refuse("it is not YAML, or has a key twice");
  }
  visit(document, {
    Node: (_key, node) => {
      const isPlain =
        !isAlias(node) && node.anchor === undefined && (isMap(node) || isSeq(node) || isScalar(node));
      if (!isPlain || node.tag !== undefined) {
        refuse("it has an anchor, an alias or a tag of YAML");
      }
    },
  });
  return document.toJS() as unknown;
}

/**
 * Reads a kubeconfig that came from a cluster.
 * @throws ClusterKubeconfigError for any field that is not known here
 */
export function parseClusterKubeconfig(kubeconfig: string): ClusterKubeconfig {
  const config = known(contentOf(kubeconfig), "", fields.config);
  if (config.apiVersion !== "v1" || config.kind !== "Config") {
    refuse("it is not of apiVersion v1 and kind Config");
  }
  known(config.preferences ?? {}, "preferences", []);
  const cluster = only(config.clusters, "clusters", "cluster", fields.cluster);
  const context = only(config.contexts, "contexts", "context", fields.context);
  const user = only(config.users, "users", "user", fields.user);
  if (context.of.cluster !== cluster.name || context.of.user !== user.name) {
    refuse("contexts[0].context does not name its cluster and its user");
  }
  if (config["current-context"] !== context.name) {
    refuse("current-context does not name its context");
  }
  return {
    names: { cluster: cluster.name, user: user.name, context: context.name },
    server: serverIn(cluster.of.server),
    certificateAuthorityData: pem(
      cluster.of["certificate-authority-data"],
      "clusters[0].cluster.certificate-authority-data",
    ),
    clientCertificateData: pem(user.of["client-certificate-data"], "users[0].user.client-certificate-data"),
    clientKeyData: pem(user.of["client-key-data"], "users[0].user.client-key-data"),
    token: tokenIn(user.of.token),
    hasPreferences: config.preferences !== undefined,
  };
}

/**
 * A kubeconfig with the known fields of one that came from a cluster, for programs that read YAML in their own way. For what
 * Cluster API writes, it is the same text.
 * @throws ClusterKubeconfigError
 */
export function clusterKubeconfigText(kubeconfig: string): string {
  const { names, server, hasPreferences, ...data } = parseClusterKubeconfig(kubeconfig);
  return stringify(
    {
      apiVersion: "v1",
      clusters: [
        {
          cluster: { "certificate-authority-data": data.certificateAuthorityData, server },
          name: names.cluster,
        },
      ],
      contexts: [{ context: { cluster: names.cluster, user: names.user }, name: names.context }],
      "current-context": names.context,
      kind: "Config",
      preferences: hasPreferences ? {} : undefined,
      users: [
        {
          name: names.user,
          user: {
            "client-certificate-data": data.clientCertificateData,
            "client-key-data": data.clientKeyData,
            token: data.token,
          },
        },
      ],
    },
    // Quoted where YAML 1.1 would read something else, as the name `yes`.
    { version: "1.1", indentSeq: false, lineWidth: 0 },
  );
}
