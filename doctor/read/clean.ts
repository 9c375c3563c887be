import { at, isRecord, list } from "../../domain/untyped";
import type { KubeObject } from "../model/objects";

/**
 * An object without secrets and without fields that the doctor does not use: data of Secrets and ConfigMaps, files and
 * users of bootstrap data, tokens, environment of containers, managed fields.
 */
export function withoutSecrets(object: KubeObject): KubeObject {
  const { metadata, ...rest } = object as KubeObject & Record<string, unknown>;
  const annotations = Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([key]) => !key.includes("last-applied")),
  );
  const kept = Object.entries(metadata).filter(([key]) => key !== "managedFields");
  const clean = {
    ...rest,
    metadata: { ...(Object.fromEntries(kept) as KubeObject["metadata"]), annotations },
  } as KubeObject & Record<string, unknown>;
  switch (object.kind) {
    case "Secret":
    case "ConfigMap":
      return { apiVersion: object.apiVersion, kind: object.kind, metadata: clean.metadata };
    case "KubeadmConfig":
      return { ...clean, spec: bootstrapSpec(object.spec) };
    case "KubeadmControlPlane":
      return {
        ...clean,
        spec: { ...(isRecord(object.spec) ? object.spec : {}), kubeadmConfigSpec: undefined },
      };
    case "Ingress":
      return { ...clean, metadata: withoutSnippets(clean.metadata), spec: classOf(object.spec) };
    case "Pod":
    case "Deployment":
    case "DaemonSet":
    case "StatefulSet":
      return { ...clean, spec: withoutEnvironment(object.spec) };
    default:
      return clean;
  }
}

/** Keeps only the ID of the bootstrap token, which the name of its Secret contains, too. */
function bootstrapSpec(spec: unknown): unknown {
  const token = at(spec, "joinConfiguration", "discovery", "bootstrapToken", "token");
  return typeof token === "string"
    ? { joinConfiguration: { discovery: { bootstrapToken: { token: `${token.split(".")[0] ?? ""}.` } } } }
    : {};
}

/** The gMSA credential spec of a pod, which has names of a domain and no password. */
function accountOf(spec: unknown): object {
  const options = at(spec, "securityContext", "windowsOptions");
  const gmsaCredentialSpecName = at(options, "gmsaCredentialSpecName");
  const gmsaCredentialSpec = at(options, "gmsaCredentialSpec");
  return gmsaCredentialSpecName === undefined
    ? {}
    : { securityContext: { windowsOptions: { gmsaCredentialSpecName, gmsaCredentialSpec } } };
}

/** Keeps the class of an Ingress. Other annotations may hold configuration of a controller, with headers and logins. */
const withoutSnippets = (metadata: KubeObject["metadata"]): KubeObject["metadata"] => ({
  ...metadata,
  annotations: Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([key]) => key === "kubernetes.io/ingress.class"),
  ),
});

const classOf = (spec: unknown): object => ({ ingressClassName: at(spec, "ingressClassName") });

/** Keeps a pod's node, selectors, tolerations, images, resources and gMSA; of a workload its replicas, selector and labels. */
function withoutEnvironment(spec: unknown): unknown {
  if (!isRecord(spec)) {
    return spec;
  }
  const containers = (value: unknown) =>
    list(value).map(({ name, image, resources }) => ({ name, image, resources }));
  return "template" in spec
    ? {
        replicas: spec.replicas,
        selector: spec.selector,
        template: { metadata: { labels: at(spec, "template", "metadata", "labels") } },
      }
    : {
        nodeName: spec.nodeName,
        nodeSelector: spec.nodeSelector,
        tolerations: spec.tolerations,
        containers: containers(spec.containers),
        initContainers: containers(spec.initContainers),
        ...accountOf(spec),
      };
}
