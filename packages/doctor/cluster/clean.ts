import { mergePatch } from "capz-windows-kit/mergePatch";
import { argumentLists } from "capz-windows-platform/cluster/programArguments";
import { hideCredentials } from "capz-windows-kit/credentials";
import { at, isRecord, list, type Plain, strings, text } from "capz-windows-kit/untyped";
import type { KubeObject } from "./objects";

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
        spec: {
          ...(isRecord(object.spec) ? object.spec : {}),
          kubeadmConfigSpec: argumentsIn(at(object.spec, "kubeadmConfigSpec")),
        },
      };
    case "Pod":
      return { ...clean, spec: podWithoutEnvironment(object.spec) };
    case "Deployment":
    case "DaemonSet":
      return { ...clean, spec: workloadWithoutEnvironment(object.spec) };
    default:
      return clean;
  }
}

/** Of bootstrap data the arguments of Kubernetes' programs, at their places. */
const argumentsIn = (spec: unknown): Plain =>
  argumentLists(spec).reduce<unknown>(
    (kept, { path, all }) =>
      mergePatch(
        kept,
        path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), all),
      ),
    {},
  ) as Plain;

/** Keeps also the ID of the bootstrap token, which the name of its Secret contains, too. */
function bootstrapSpec(spec: unknown): unknown {
  const token = at(spec, "joinConfiguration", "discovery", "bootstrapToken", "token");
  return mergePatch(
    argumentsIn(spec),
    typeof token === "string"
      ? { joinConfiguration: { discovery: { bootstrapToken: { token: `${token.split(".")[0] ?? ""}.` } } } }
      : {},
  );
}

/**
 * Whether a pod or container runs in the host's process space on Windows, and the gMSA credential spec of a pod, which
 * has names of a domain and no password.
 */
function windowsOptionsOf(spec: unknown): object {
  const kept = ["hostProcess", "gmsaCredentialSpecName", "gmsaCredentialSpec"].flatMap((name) => {
    const value = at(spec, "securityContext", "windowsOptions", name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return kept.length === 0 ? {} : { securityContext: { windowsOptions: Object.fromEntries(kept) } };
}

/** Of all arguments of containers, which may have passwords, the life of bootstrap tokens alone. */
function tokenLifeIn(containers: readonly Record<string, unknown>[]): object {
  const args = containers
    .flatMap((container) => strings(container.args))
    .filter((argument) => /^--bootstrap-token-ttl=[0-9hms]{1,20}$/.test(argument));
  return args.length === 0 ? {} : { containers: [{ args }] };
}

/** Keeps a workload's replicas and selector, and the labels and tolerations of its pods. */
function workloadWithoutEnvironment(spec: unknown): unknown {
  if (!isRecord(spec)) {
    return spec;
  }
  const pod = at(spec, "template", "spec");
  return {
    replicas: spec.replicas,
    selector: spec.selector,
    template: {
      metadata: { labels: at(spec, "template", "metadata", "labels") },
      spec: { tolerations: at(pod, "tolerations"), ...tokenLifeIn(list(at(pod, "containers"))) },
    },
  };
}

/** Of a pod's volumes the claims alone. */
const claimsOf = (spec: unknown): object[] =>
  list(at(spec, "volumes")).flatMap(({ persistentVolumeClaim: claim }) =>
    isRecord(claim) ? [{ persistentVolumeClaim: { claimName: claim.claimName } }] : [],
  );

/** Keeps a pod's node, selectors, operating system, tolerations, images, resources, claims, gMSA and hostProcess. */
function podWithoutEnvironment(spec: unknown): unknown {
  if (!isRecord(spec)) {
    return spec;
  }
  const containers = (value: unknown) =>
    list(value).map((container) => {
      const { name, image, resources } = container;
      return { name, image, resources, ...windowsOptionsOf(container) };
    });
  return {
    nodeName: spec.nodeName,
    nodeSelector: spec.nodeSelector,
    affinity: { nodeAffinity: at(spec, "affinity", "nodeAffinity") },
    os: spec.os,
    tolerations: spec.tolerations,
    containers: containers(spec.containers),
    initContainers: containers(spec.initContainers),
    volumes: claimsOf(spec),
    ...windowsOptionsOf(spec),
  };
}

/**
 * What programs say about tokens and Secrets, and rules read: kubelet v1.36.3 (pkg/volume/secret), containerd v2.2 (remotes/docker),
 * Go 1.26 (net, os), the SMB CSI driver, whose line PowerShell cuts. No credential is in it, though it looks like one.
 */
const harmless = new RegExp(
  [
    String.raw`serviceaccount[\\/]+token: (?:The system cannot find the (?:path|file) specified\.|no such file or directory)`,
    // The file of a token, in any volume, and what is wrong with it.
    String.raw`[\\/]\.\.[\d_]{4,40}(?:\.\d{1,20})?[\\/]+token: (?=(?:[A-Za-z]{2,20}:? ){2}[A-Za-z]{2,20}\b)`,
    String.raw`couldn't find key [\w.-]{1,253} in (?:Secret|ConfigMap) [a-z0-9.-]{1,253}\/[a-z0-9.-]{1,253}`,
    // These words alone: what follows, a sentence, is searched.
    String.raw`failed to (?:fetch|get|create user process) (?:[a-z]{1,20} ){0,3}token: (?=(?:AADSTS\d{1,9}|[A-Za-z]{1,40})[: ]|EOF\b)`,
    String.raw`request to https?:\/\/[\w./:-]{1,253}\/token: (?=\d{3} [A-Z][a-z])`,
    String.raw`\/token\\{0,4}"(?=: (?:(?:dial|read|write) (?:tcp|udp)|proxyconnect|net\/http|http|tls|x509|context|EOF|unexpected EOF|remote error))`,
    String.raw`volume "[a-z0-9.-]{1,253}" : (?:secret "[a-z0-9.-]{1,253}" not found|references non-existent secret key: [\w.-]{1,253})`,
    String.raw`-RemotePath \$Env:smbremotepath -Cred \.\.\.(?=["\\\s]|$)`,
  ].join("|"),
  "g",
);

/**
 * A text without its credentials, as a report shows it and `--save` keeps it.
 * @param name - under which it stands, where that may make it a credential
 */
export function withoutCredentials(value: string, name?: string): string {
  const phrases: string[] = [];
  // Characters of private use: no text of a cluster has them for a reason.
  const marked = value.replace(harmless, (phrase) => `\uE000${phrases.push(phrase) - 1}\uE001`);
  return hideCredentials(marked, name).replace(
    /\uE000(\d+)\uE001/g,
    (_, index: string) => phrases[Number(index)] ?? "",
  );
}
