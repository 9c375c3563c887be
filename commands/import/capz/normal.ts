import { apiGroup } from "../../../capi/apiVersions";
import { fieldSchema, objectSchema, type Schema } from "../../../capi/overrides/crdSchema";
import { at, isRecord, list, ownValue, type Plain, text, textAt } from "capz-windows-kit/untyped";
import { omitted } from "../findings";
import { secondsOf, yamlIn } from "../values";

/**
 * Converts objects of Cluster API from v1beta1 to the form of v1beta2, decodes the files of nodes, and removes empty
 * values, status and metadata of the API server. Sources: docs/book of CAPI v1.14.2, "v1.10 to v1.11", and
 * api/core/v1beta1/conversion.go.
 */

const record = (value: unknown): Plain => (isRecord(value) ? value : {});

/** The file with the patch that kubeadm merges into kubelet's configuration. */
export const patchFile = /kubeletconfiguration[^/\\]*\.ya?ml$/i;

/** A file with its content as the node gets it, and kubelet's configuration as its fields. Invalid YAML stays text. */
function readable({ encoding, ...file }: Plain): Plain {
  const content =
    encoding === "base64" ? Buffer.from(text(file.content), "base64").toString("utf8") : file.content;
  const fields = patchFile.test(text(file.path)) ? yamlIn(text(content)) : undefined;
  return { ...file, content: isRecord(fields) ? fields : content };
}

/** What elements of lists are, for their conversion. */
const elementKeys: ReadonlyMap<string, string> = new Map([
  ["files", "file"],
  ["userAssignedIdentities", "identity"],
]);

/** Conversions in all kinds: extra arguments become a list, and references have a group instead of an apiVersion. */
function common(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => common(item, elementKeys.get(key) ?? ""));
  }
  if (!isRecord(value)) {
    return value;
  }
  if (key === "extraArgs" || key === "kubeletExtraArgs") {
    return Object.entries(value)
      .map(([name, text]) => ({ name, value: String(text) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  if (key === "identity" && text(value.providerID).startsWith("/")) {
    // CAPZ takes an ID with or without its prefix.
    return { ...value, providerID: `azure://${text(value.providerID)}` };
  }
  if (key === "file" && "content" in value && [undefined, "base64"].includes(value.encoding as string)) {
    return readable(value);
  }
  const { apiVersion, ...rest } = value;
  const isReference = /(Ref|^ref)$/.test(key) && typeof apiVersion === "string" && "kind" in value;
  const inner = isReference ? { ...omitted(rest, "namespace"), apiGroup: apiGroup(apiVersion) } : value;
  return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, common(one, name)]));
}

const seconds = (duration: unknown): unknown => secondsOf(duration) ?? duration;

/** Conditions of a health check. */
const conditions = (all: unknown): unknown =>
  list(all).map(({ timeout, ...rest }) =>
    timeout === undefined ? rest : { ...rest, timeoutSeconds: seconds(timeout) },
  );

/** A field in v1beta1, its places in v1beta2, and how its value is converted. */
type Move = readonly [from: string, to: string | readonly string[], as?: (value: unknown) => unknown];

/** Timeouts of a machine's deletion, which v1beta2 has in a separate mapping. */
const deletionTimes = (from: string, to = from): Move[] =>
  ["nodeDrainTimeout", "nodeVolumeDetachTimeout", "nodeDeletionTimeout"].map((name) => [
    `${from}.${name}`,
    `${to}.deletion.${name}Seconds`,
    seconds,
  ]);

const bootstrapTimes = (spec: string): Move[] => {
  const [api, join] = [`${spec}.clusterConfiguration.apiServer`, `${spec}.joinConfiguration`];
  const check = "timeouts.controlPlaneComponentHealthCheckSeconds";
  return [
    [`${api}.timeoutForControlPlane`, [`${spec}.initConfiguration.${check}`, `${join}.${check}`], seconds],
    [`${join}.discovery.timeout`, `${join}.timeouts.tlsBootstrapSeconds`, seconds],
  ];
};

const poolMoves: readonly Move[] = [
  ...deletionTimes("spec.template.spec"),
  ["spec.minReadySeconds", "spec.template.spec.minReadySeconds"],
];

const moves: Readonly<Record<string, readonly Move[]>> = {
  KubeadmControlPlane: [
    // Before v1alpha4.
    ["spec.infrastructureTemplate", "spec.machineTemplate.spec.infrastructureRef"],
    ["spec.machineTemplate.infrastructureRef", "spec.machineTemplate.spec.infrastructureRef"],
    ...deletionTimes("spec.machineTemplate", "spec.machineTemplate.spec"),
    ["spec.rolloutStrategy", "spec.rollout.strategy"],
    ["spec.rolloutBefore", "spec.rollout.before"],
    ...bootstrapTimes("spec.kubeadmConfigSpec"),
  ],
  KubeadmConfig: bootstrapTimes("spec"),
  KubeadmConfigTemplate: bootstrapTimes("spec.template.spec"),
  MachinePool: poolMoves,
  MachineDeployment: [
    ...poolMoves,
    ["spec.strategy.rollingUpdate.deletePolicy", "spec.deletion.order"],
    ["spec.strategy", "spec.rollout.strategy"],
  ],
  MachineHealthCheck: [
    ["spec.nodeStartupTimeout", "spec.checks.nodeStartupTimeoutSeconds", seconds],
    ["spec.unhealthyConditions", "spec.checks.unhealthyNodeConditions", conditions],
    ["spec.maxUnhealthy", "spec.remediation.triggerIf.unhealthyLessThanOrEqualTo"],
  ],
};

/** Moves a field to other paths, and converts its value. A value that is already there stays. */
function move(object: Record<string, unknown>, [from, to, as = (value) => value]: Move): void {
  const path = from.split(".");
  const key = path.pop() ?? "";
  const parent = at(object, ...path);
  if (!isRecord(parent) || parent[key] === undefined) {
    return;
  }
  const value = as(parent[key]);
  Reflect.deleteProperty(parent, key);
  for (const target of [to].flat()) {
    const steps = target.split(".");
    const last = steps.pop() ?? "";
    const holder = steps.reduce((node, step) => (node[step] = record(node[step])), object);
    holder[last] ??= value;
  }
}

/** Mappings of CAPZ that say something by being there, also empty (CAPZ v1.27 docs/book, spot-vms.md and ssh-access.md). */
const saysByPresence = new Set(["spotVMOptions", "azureBastion"]);

/**
 * A value without empty parts, which live objects may have and planned ones do not. An empty mapping that the CRD does not know
 * stays: what it says by being there is not known.
 */
function filled(value: unknown, schema?: Schema): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => filled(item)).filter((item) => item !== undefined);
  }
  if (!isRecord(value)) {
    return value === null || value === "" ? undefined : value;
  }
  if (patchFile.test(text(value.path))) {
    // An empty mapping of kubelet's configuration has a meaning.
    return value;
  }
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const field = schema && fieldSchema(schema, key);
    const left = filled(inner, field);
    const isEmpty = left === undefined || (typeof left === "object" && Object.keys(left ?? {}).length === 0);
    const isPresent = saysByPresence.has(key) || (schema !== undefined && field === undefined);
    if (!isEmpty || (isPresent && isRecord(left))) {
      return [[key, left] as const];
    }
    // A label with an empty value has a meaning, so it is kept.
    return inner === "" && /[./]/.test(key) ? [[key, ""] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** An object in the form of v1beta2. */
export type CapiObject = ReturnType<typeof normalObject>;

export function normalObject(given: Plain) {
  const object = structuredClone(common(given) as Plain);
  const kind = String(object.kind);
  ownValue(moves, kind)?.forEach((one) => {
    move(object, one);
  });
  const metadata = record(object.metadata);
  const apiVersion = String(given.apiVersion);
  // CAPZ has no v1beta2.
  const isOlder =
    /^((\w+\.)?cluster\.x-k8s\.io)\/v1beta1$/.test(apiVersion) && !apiVersion.startsWith("infra");
  return {
    apiVersion: isOlder ? `${apiGroup(apiVersion)}/v1beta2` : apiVersion,
    kind,
    name: String(metadata.name),
    namespace: text(metadata.namespace),
    labels: record(metadata.labels) as Record<string, string>,
    annotations: record(metadata.annotations) as Record<string, string>,
    /** Kinds of its owners. */
    owners: list(metadata.ownerReferences).map((owner) => textAt(owner, "kind")),
    spec: record(filled(object.spec, fieldSchema(objectSchema(kind), "spec"))),
    /** `data` of ConfigMaps and Secrets. */
    data: given.data,
  };
}
