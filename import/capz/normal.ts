import { isRecord, text } from "../../domain/untyped";

/**
 * Converts objects of Cluster API from v1beta1 to the form of v1beta2, and removes empty values, status and metadata of
 * the API server. Sources: docs/book of CAPI v1.14.2, "v1.10 to v1.11", and api/core/v1beta1/conversion.go.
 */

type Plain = Record<string, unknown>;

const seconds = (duration: unknown): unknown => {
  const found = [...String(duration).matchAll(/(\d+(?:\.\d+)?)(h|m|s)/g)];
  const factors: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };
  return typeof duration !== "string" || found.length === 0
    ? duration
    : found.reduce((sum, [, value, unit = "s"]) => sum + Number(value) * (factors[unit] ?? 1), 0);
};

const record = (value: unknown): Plain => (isRecord(value) ? value : {});

/** Moves a field to another path, and converts its value. A value that is already there stays. */
function move(object: Plain, from: readonly string[], to: readonly string[], as = (value: unknown) => value) {
  const parent = from.slice(0, -1).reduce<unknown>((node, key) => record(node)[key], object);
  const key = from.at(-1) ?? "";
  if (!isRecord(parent) || parent[key] === undefined) {
    return;
  }
  const value = as(parent[key]);
  Reflect.deleteProperty(parent, key);
  let holder = object;
  for (const step of to.slice(0, -1)) {
    holder = holder[step] = record(holder[step]);
  }
  holder[to.at(-1) ?? ""] ??= value;
}

const argumentLists = ["extraArgs", "kubeletExtraArgs"];

/** Conversions in all kinds: extra arguments become a list, and references have a group instead of an apiVersion. */
function common(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => common(item));
  }
  if (!isRecord(value)) {
    return value;
  }
  if (argumentLists.includes(key)) {
    return Object.entries(value)
      .map(([name, text]) => ({ name, value: String(text) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  const { apiVersion, namespace, ...rest } = value;
  const isReference = /(Ref|^ref)$/.test(key) && typeof apiVersion === "string" && "kind" in value;
  const inner = isReference
    ? { ...rest, apiGroup: apiVersion.split("/")[0] }
    : {
        ...rest,
        ...(apiVersion === undefined ? {} : { apiVersion }),
        ...(namespace === undefined ? {} : { namespace }),
      };
  return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, common(one, name)]));
}

/** Moves the timeouts of a machine's deletion, which v1beta2 has in a mapping of their own. */
function machineTimes(object: Plain, spec: readonly string[]) {
  for (const name of ["nodeDrainTimeout", "nodeVolumeDetachTimeout", "nodeDeletionTimeout"]) {
    move(object, [...spec, name], [...spec, "deletion", `${name}Seconds`], seconds);
  }
}

function bootstrapTimes(object: Plain, spec: readonly string[]) {
  const times = [...spec, "clusterConfiguration", "apiServer", "timeoutForControlPlane"];
  const value = times.reduce<unknown>((node, key) => record(node)[key], object);
  if (value !== undefined) {
    const name = ["timeouts", "controlPlaneComponentHealthCheckSeconds"];
    move(object, times, [...spec, "initConfiguration", ...name], seconds);
    const join = [...spec, "joinConfiguration", "timeouts"].reduce((holder: Plain, key) => {
      return (holder[key] = record(holder[key]));
    }, object);
    join.controlPlaneComponentHealthCheckSeconds ??= seconds(value);
  }
  move(
    object,
    [...spec, "joinConfiguration", "discovery", "timeout"],
    [...spec, "joinConfiguration", "timeouts", "tlsBootstrapSeconds"],
    seconds,
  );
}

const conditions = (list: unknown): unknown =>
  (Array.isArray(list) ? list : []).map((item: unknown) => {
    const { timeout, ...rest } = record(item);
    return timeout === undefined ? rest : { ...rest, timeoutSeconds: seconds(timeout) };
  });

const byKind: Readonly<Record<string, (object: Plain) => void>> = {
  KubeadmControlPlane(object) {
    const template = ["spec", "machineTemplate"];
    for (const name of [
      "infrastructureRef",
      "nodeDrainTimeout",
      "nodeVolumeDetachTimeout",
      "nodeDeletionTimeout",
    ]) {
      move(object, [...template, name], [...template, "spec", name]);
    }
    machineTimes(object, [...template, "spec"]);
    move(object, ["spec", "rolloutStrategy"], ["spec", "rollout", "strategy"]);
    move(object, ["spec", "rolloutBefore"], ["spec", "rollout", "before"]);
    bootstrapTimes(object, ["spec", "kubeadmConfigSpec"]);
  },
  KubeadmConfig(object) {
    bootstrapTimes(object, ["spec"]);
  },
  KubeadmConfigTemplate(object) {
    bootstrapTimes(object, ["spec", "template", "spec"]);
  },
  MachinePool(object) {
    machineTimes(object, ["spec", "template", "spec"]);
    move(object, ["spec", "minReadySeconds"], ["spec", "template", "spec", "minReadySeconds"]);
  },
  MachineDeployment(object) {
    machineTimes(object, ["spec", "template", "spec"]);
    move(object, ["spec", "minReadySeconds"], ["spec", "template", "spec", "minReadySeconds"]);
    move(object, ["spec", "strategy", "rollingUpdate", "deletePolicy"], ["spec", "deletion", "order"]);
    move(object, ["spec", "strategy"], ["spec", "rollout", "strategy"]);
  },
  MachineHealthCheck(object) {
    move(object, ["spec", "nodeStartupTimeout"], ["spec", "checks", "nodeStartupTimeoutSeconds"], seconds);
    move(object, ["spec", "unhealthyConditions"], ["spec", "checks", "unhealthyNodeConditions"], conditions);
    move(
      object,
      ["spec", "maxUnhealthy"],
      ["spec", "remediation", "triggerIf", "unhealthyLessThanOrEqualTo"],
    );
  },
};

/** A value without empty parts, which live objects may have and planned ones do not. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(filled).filter((item) => item !== undefined);
  }
  if (!isRecord(value)) {
    return value === null || value === "" ? undefined : value;
  }
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const left = filled(inner);
    const isEmpty =
      left === undefined ||
      (Array.isArray(left) && left.length === 0) ||
      (isRecord(left) && Object.keys(left).length === 0);
    // A label with an empty value has a meaning, so it is kept.
    return isEmpty && !(inner === "" && /[./]/.test(key)) ? [] : [[key, isEmpty ? "" : left] as const];
  });
  return Object.fromEntries(entries);
}

/** An object in the form of v1beta2. */
export interface CapiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Kinds of its owners. */
  readonly owners: readonly string[];
  readonly spec: Plain;
  /** `data` of ConfigMaps and Secrets. */
  readonly data: unknown;
}

export function normalObject(given: Plain): CapiObject {
  const object = structuredClone(common(given) as Plain);
  const kind = String(object.kind);
  byKind[kind]?.(object);
  const metadata = record(object.metadata);
  const labels = record(metadata.labels);
  return {
    apiVersion: String(given.apiVersion),
    kind,
    name: String(metadata.name),
    namespace: text(metadata.namespace),
    labels: labels as Record<string, string>,
    annotations: record(metadata.annotations) as Record<string, string>,
    owners: (Array.isArray(metadata.ownerReferences) ? metadata.ownerReferences : []).map((owner: unknown) =>
      String(record(owner).kind),
    ),
    spec: record(filled(object.spec)),
    data: given.data,
  };
}
