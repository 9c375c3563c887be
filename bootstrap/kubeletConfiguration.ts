import { goDuration } from "capz-windows-platform/cluster/goValues";
import { kubeletFields } from "capz-windows-platform/cluster/programSettings";
import { isRecord, list, ownValue, type Plain } from "capz-windows-kit/untyped";

/**
 * Fields of KubeletConfiguration (kubelet.config.k8s.io/v1beta1) by the type of their values, from the table of
 * settings; minors before it: config/v1beta1/types.go of k8s.io/kubelet from v0.28 on, looked up on 2026-11-22.
 */

/** `text` is what JSON has as a string; `duration` a text that Go reads as one; `object` is not looked into. */
export type FieldType =
  | "text"
  | "boolean"
  | "whole"
  | "number"
  | "duration"
  | "texts"
  | "list"
  | "textMap"
  | "booleanMap"
  | "object"
  | "any";

/** What types of Go are in YAML. */
const typesOfGo: Readonly<Record<string, FieldType>> = {
  bool: "boolean",
  int32: "whole",
  int64: "whole",
  float64: "number",
  duration: "duration",
  "[]string": "texts",
  "map[string]string": "textMap",
  "map[string]bool": "booleanMap",
};

function fieldType(goType: string): FieldType {
  const byDefault = goType.startsWith("[]") ? "list" : "object";
  const isText = /^(string|v1beta1\.\w+(Mode|Policy|Strategy))$/.test(goType);
  return ownValue(typesOfGo, goType) ?? (isText ? "text" : byDefault);
}

/** Structures with structures in them. */
const deep = ["authentication", "authorization"];

const types: ReadonlyMap<string, FieldType> = new Map([
  ...deep.map((name) => [name, "object"] as const),
  ...[...kubeletFields]
    .filter(([path]) => !path.includes("."))
    .map(([name, { type }]) => [name, fieldType(type)] as const),
]);

type Parts = Readonly<Record<string, FieldType>>;

/** Structures that the table does not look into. Source: k8s.io/component-base v0.36.3 logs/api/v1 and tracing/api/v1, types.go. */
const structures: Readonly<Record<string, Parts>> = {
  logging: { flushFrequency: "any", format: "text", options: "object", verbosity: "whole", vmodule: "list" },
  tracing: { endpoint: "text", samplingRatePerMillion: "whole" },
};

/** Structures in lists. Source: k8s.io/kubelet v0.36.3 config/v1beta1/types.go. */
const elements: Readonly<Record<string, Parts>> = {
  reservedMemory: { limits: "object", numaNode: "whole" },
  shutdownGracePeriodByPodPriority: { priority: "whole", shutdownGracePeriodSeconds: "whole" },
};

/** Parts of fields that are structures. */
function partsOf(name: string): Parts | undefined {
  const parts = [...kubeletFields].filter(([path]) => path.startsWith(`${name}.`));
  return parts.length === 0
    ? ownValue(structures, name)
    : Object.fromEntries(parts.map(([path, { type }]) => [path.slice(name.length + 1), fieldType(type)]));
}

/** First minor of fields that are younger than 1.28 and older than the table of settings. */
const olderSince: Readonly<Record<string, number>> = {
  containerLogMaxWorkers: 30,
  containerLogMonitorInterval: 30,
  crashLoopBackOff: 32,
  failCgroupV1: 31,
  imageMaximumGCAge: 29,
  imagePullCredentialsVerificationPolicy: 33,
  mergeDefaultEvictionSettings: 33,
  podLogsDir: 30,
  preloadedImagesVerificationAllowlist: 33,
  singleProcessOOMKill: 32,
  userNamespaces: 33,
};

const sinceOf = (name: string): number => olderSince[name] ?? kubeletFields.get(name)?.since ?? 0;

/** Fields for which a pool has its own key. */
const keys: Readonly<Record<string, string>> = {
  containerLogMaxFiles: "kubelet.containerLogs.maxFiles",
  containerLogMaxSize: "kubelet.containerLogs.maxSizeMi",
  imageGCHighThresholdPercent: "kubelet.imageGC.highPercent",
  imageGCLowThresholdPercent: "kubelet.imageGC.lowPercent",
  imageMinimumGCAge: "kubelet.imageGC.minAgeMinutes",
  maxParallelImagePulls: "kubelet.maxParallelImagePulls",
  maxPods: "kubelet.maxPods",
  registerWithTaints: "taints",
  serializeImagePulls: "kubelet.maxParallelImagePulls",
  systemReserved: "kubelet.reserved",
};

/** Fields that kubeadm, the image or the cloud provider set. With other values a node does not join or is unreachable. */
const owned: ReadonlySet<string> = new Set([
  ...["apiVersion", "kind", "authentication", "authorization", "cgroupDriver", "clusterDNS", "clusterDomain"],
  ...["containerRuntimeEndpoint", "imageServiceEndpoint", "podCIDR", "port", "providerID", "registerNode"],
  ...["rotateCertificates", "runOnce", "serverTLSBootstrap", "staticPodPath", "staticPodURL"],
  ...["staticPodURLHeader", "tlsCertFile", "tlsPrivateKeyFile"],
]);

const isMapOf = (value: unknown, type: "string" | "boolean"): boolean =>
  isRecord(value) && Object.values(value).every((inner) => typeof inner === type);

/** Which values a type takes, and what they are called. */
const values: Readonly<Record<FieldType, readonly [fits: (value: unknown) => boolean, words: string]>> = {
  text: [(value) => typeof value === "string", "a text"],
  boolean: [(value) => typeof value === "boolean", "true or false"],
  whole: [Number.isInteger, "a whole number"],
  number: [(value) => typeof value === "number", "a number"],
  duration: [(value) => typeof value === "string" && goDuration.test(value), "a duration such as 30s or 5m"],
  texts: [
    (value) => Array.isArray(value) && value.every((inner) => typeof inner === "string"),
    "a list of texts",
  ],
  list: [Array.isArray, "a list"],
  textMap: [(value) => isMapOf(value, "string"), "a mapping of names to texts"],
  booleanMap: [(value) => isMapOf(value, "boolean"), "a mapping of names to true or false"],
  object: [isRecord, "a mapping"],
  any: [() => true, "anything"],
};

export interface FieldFault {
  /** Names from the top of the configuration on. */
  readonly path: readonly string[];
  readonly problem: string;
  readonly allowed: string;
}

const strict = "kubelet's strict decoding refuses it; kubelet then says so in its log and ignores the field";
const wrongType = "kubelet does not start with it: the value has the wrong type";

/** What is not for a pool to set. */
function ownerFault(name: string): FieldFault | undefined {
  const key = ownValue(keys, name);
  if (owned.has(name)) {
    return {
      path: [name],
      problem: "kubeadm, the image or the cloud provider set this field",
      allowed:
        name === "serverTLSBootstrap"
          ? "kubeletCertificates, for the kubelets of all machines"
          : "fields that nothing else sets",
    };
  }
  return key === undefined
    ? undefined
    : {
        path: [name],
        problem: "the stack file has a key for it, which plans and rules read",
        allowed: `${key} of the pool`,
      };
}

/** Parts that a structure does not have, and values of another type. */
function partFaults(name: string, parts: Parts, value: Plain, version: string): FieldFault[] {
  return Object.entries(value).flatMap(([part, content]): FieldFault[] => {
    const type = ownValue(parts, part);
    if (type === undefined) {
      return [
        {
          path: [name, part],
          problem: `kubelet of ${version} has no field ${name}.${part}: ${strict}`,
          allowed: Object.keys(parts).join(", "),
        },
      ];
    }
    const [fits, allowed] = values[type];
    return fits(content) ? [] : [{ path: [name, part], problem: wrongType, allowed }];
  });
}

/** Fields that kubelet of a minor does not have, and values of another type. */
export function fieldFaults(name: string, value: unknown, kubernetesMinor: number): FieldFault[] {
  const version = `Kubernetes 1.${kubernetesMinor}`;
  const type = types.get(name);
  const inner = partsOf(name);
  const fault = (problem: string, allowed: string): FieldFault[] => [{ path: [name], problem, allowed }];
  if (type === undefined && inner === undefined) {
    return [
      {
        path: [name],
        problem: `kubelet of ${version} has no field ${name}: ${strict}`,
        allowed: `fields of KubeletConfiguration (kubelet.config.k8s.io/v1beta1) of ${version}`,
      },
    ];
  }
  if (sinceOf(name) > kubernetesMinor) {
    return fault(
      `the field came with Kubernetes 1.${sinceOf(name)}, and these nodes have ${version}: ${strict}`,
      `fields of ${version}`,
    );
  }
  const hasParts = inner !== undefined && !deep.includes(name);
  const [fits, words] = values[hasParts ? "object" : (type ?? "object")];
  if (!fits(value)) {
    return fault(wrongType, words);
  }
  if (hasParts) {
    return partFaults(name, inner, value as Plain, version);
  }
  const ofElement = ownValue(elements, name);
  return list(ofElement && value).flatMap((one) => partFaults(name, ofElement ?? {}, one, version));
}

/** What kubelet of a minor would refuse in a field of a pool's configuration, or what is not for a pool to set. */
export const configurationFaults = (name: string, value: unknown, kubernetesMinor: number): FieldFault[] => {
  const fault = ownerFault(name);
  return fault === undefined ? fieldFaults(name, value, kubernetesMinor) : [fault];
};
