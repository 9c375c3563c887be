import { gunzipSync } from "node:zlib";
import type { ControlPlane } from "../config/policy/facts";
import { readYamlStream } from "../platform/manifests/yamlStream";
import { clearText, encryptionOf, type Encryption } from "../platform/encryption/keys";
import { at, isRecord, list, numberAt, strings, text, textAt } from "../tools/untyped";
import { isKind, isKnown, notKnown, reach, type Resource } from "./resource";

/** What the API server of a KubeadmControlPlane is started with. */

/** Arguments as v1beta1 (a mapping) and v1beta2 (a list) of Cluster API have them. */
function argument(controlPlane: unknown, name: string): string {
  const all = reach(
    controlPlane,
    "spec",
    "kubeadmConfigSpec",
    "clusterConfiguration",
    "apiServer",
    "extraArgs",
  );
  return Array.isArray(all)
    ? text(list(all).find((one) => one.name === name)?.value)
    : isRecord(all)
      ? text(all[name])
      : "";
}

const fileAt = (controlPlane: unknown, path: string): unknown =>
  list(at(controlPlane, "spec", "kubeadmConfigSpec", "files")).find((file) => file.path === path);

/** The text of a file that an object has; `undefined` where it comes from elsewhere. */
function contentOf(file: unknown): string | undefined {
  const content = at(file, "content");
  if (typeof content !== "string") {
    return undefined;
  }
  const encoding = textAt(file, "encoding");
  const bytes = encoding.includes("base64") ? Buffer.from(content, "base64") : undefined;
  return bytes === undefined
    ? content
    : (encoding.startsWith("gzip") ? gunzipSync(bytes) : bytes).toString("utf8");
}

const yamlIn = (content: string): unknown => readYamlStream(content).values[0];

/** The text of a key of a Secret that the stack registers. */
function secretText(secrets: readonly Resource[], namespace: string, name: string, key: string) {
  const found = secrets.find(
    ({ props }) =>
      textAt(props, "metadata", "name") === name && textAt(props, "metadata", "namespace") === namespace,
  );
  const plain = reach(found?.props, "stringData", key);
  const encoded = reach(found?.props, "data", key);
  return typeof plain === "string"
    ? plain
    : typeof encoded === "string"
      ? Buffer.from(encoded, "base64").toString("utf8")
      : undefined;
}

/** The first name of a provider of an EncryptionConfiguration, and those of its other keys. */
const keysOf = (provider: Record<string, unknown>): string[] =>
  Object.entries(provider).flatMap(([kind, settings]) =>
    kind === clearText
      ? [clearText]
      : Array.isArray(at(settings, "keys"))
        ? list(at(settings, "keys")).map((key) => text(key.name))
        : [textAt(settings, "name")],
  );

/** What an EncryptionConfiguration does with Secrets: the first entry that names them decides, and any other has none. */
function encryptionIn(configuration: unknown): Encryption | undefined {
  const entries = list(at(configuration, "resources"));
  const entry =
    entries.find(({ resources }) =>
      strings(resources).some((name) => ["secrets", "*.", "*.*"].includes(name)),
    ) ?? entries[0];
  const keys = list(entry?.providers).flatMap(keysOf);
  return entry === undefined || keys.every((key) => key === clearText)
    ? undefined
    : { resources: strings(entry.resources).map((name) => (name.startsWith("*.") ? "secrets" : name)), keys };
}

function encryption(controlPlane: Resource, secrets: readonly Resource[]): Encryption | undefined {
  const path = argument(controlPlane.props, "encryption-provider-config");
  const file = fileAt(controlPlane.props, path);
  if (path === "" || file === undefined) {
    return undefined;
  }
  const secret = at(file, "contentFrom", "secret");
  const namespace = textAt(controlPlane.props, "metadata", "namespace");
  const content =
    contentOf(file) ?? secretText(secrets, namespace, textAt(secret, "name"), textAt(secret, "key"));
  // A Secret that is not known yet tells its keys by the name of its file.
  return content === undefined ? encryptionOf(controlPlane.props) : encryptionIn(yamlIn(content));
}

function audit(controlPlane: unknown): { readonly policy?: unknown } | undefined {
  const path = argument(controlPlane, "audit-policy-file");
  const goesSomewhere =
    argument(controlPlane, "audit-log-path") !== "" ||
    argument(controlPlane, "audit-webhook-config-file") !== "";
  if (path === "" || !goesSomewhere) {
    return undefined;
  }
  const content = contentOf(fileAt(controlPlane, path));
  return content === undefined ? {} : { policy: yamlIn(content) };
}

/**
 * Whether the API server verifies kubelets, and whether the files of the machines let kubelets ask for certificates. Clusters
 * with the in-tree cloud provider cannot have them.
 */
function kubeletCertificates(controlPlane: unknown): string | undefined {
  const spec = reach(controlPlane, "spec", "kubeadmConfigSpec");
  if (!["", "external"].includes(argument(controlPlane, "cloud-provider"))) {
    return undefined;
  }
  return argument(controlPlane, "kubelet-certificate-authority") !== ""
    ? "verified"
    : JSON.stringify(at(spec, "files")).includes("serverTLSBootstrap")
      ? "issued"
      : "selfSigned";
}

const controlPlane = (resource: Resource, secrets: readonly Resource[]): ControlPlane => {
  const { urn, props } = resource;
  const replicas = reach(props, "spec", "replicas");
  const known =
    isKnown(reach(props, "spec", "kubeadmConfigSpec", "clusterConfiguration", "apiServer")) &&
    reach(props, "spec", "kubeadmConfigSpec", "files") !== notKnown;
  return {
    ...{ path: "controlPlane", urn, isKnown: known },
    // Without a number it is one (CAPI v1.14.2, CRD kubeadmcontrolplanes).
    replicas: replicas === notKnown ? undefined : (numberAt(props, "spec", "replicas") ?? 1),
    ...(known
      ? {
          encryption: encryption(resource, secrets),
          audit: audit(props),
          kubeletCertificates: kubeletCertificates(props),
        }
      : {}),
  };
};

export const isControlPlane = (resource: Resource): boolean =>
  isKind(resource, "controlplane.cluster.x-k8s.io", "KubeadmControlPlane");

export const controlPlanes = (resources: readonly Resource[]): ControlPlane[] => {
  const secrets = resources.filter((resource) => isKind(resource, "core", "Secret"));
  return resources.filter(isControlPlane).map((resource) => controlPlane(resource, secrets));
};
