import { goDuration } from "capz-windows-platform/cluster/goValues";
import { kubeletFields } from "capz-windows-platform/cluster/programSettings";
import { isRecord, ownValue } from "capz-windows-kit/untyped";

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
  | "object";

/** What a type of Go is in YAML. */
function fieldType(goType: string): FieldType {
  switch (goType) {
    case "bool":
      return "boolean";
    case "int32":
    case "int64":
      return "whole";
    case "float64":
      return "number";
    case "duration":
      return "duration";
    case "[]string":
      return "texts";
    case "map[string]string":
      return "textMap";
    case "map[string]bool":
      return "booleanMap";
    default:
      return otherType(goType);
  }
}

function otherType(goType: string): FieldType {
  if (goType.startsWith("[]")) {
    return "list";
  }
  return /^(string|v1beta1\.\w+(Mode|Policy|Strategy))$/.test(goType) ? "text" : "object";
}

const types: ReadonlyMap<string, FieldType> = new Map(
  [...kubeletFields]
    .filter(([path]) => !path.includes("."))
    .map(([name, { type }]) => [name, fieldType(type)] as const),
);

/** Parts of fields that are structures. */
function partsOf(name: string): Readonly<Record<string, FieldType>> | undefined {
  const parts = [...kubeletFields].filter(([path]) => path.startsWith(`${name}.`));
  return parts.length === 0
    ? undefined
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

const fits: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  whole: (value) => Number.isInteger(value),
  number: (value) => typeof value === "number",
  duration: (value) => typeof value === "string" && goDuration.test(value),
  texts: (value) => Array.isArray(value) && value.every((inner) => typeof inner === "string"),
  list: Array.isArray,
  textMap: (value) => isMapOf(value, "string"),
  booleanMap: (value) => isMapOf(value, "boolean"),
  object: isRecord,
};

const words: Readonly<Record<FieldType, string>> = {
  text: "a text",
  boolean: "true or false",
  whole: "a whole number",
  number: "a number",
  duration: "a duration such as 30s or 5m",
  texts: "a list of texts",
  list: "a list",
  textMap: "a mapping of names to texts",
  booleanMap: "a mapping of names to true or false",
  object: "a mapping",
};

export interface FieldFault {
  /** Names from the top of the configuration on. */
  readonly path: readonly string[];
  readonly problem: string;
  readonly allowed: string;
}

const strict = "kubelet's strict decoding refuses it; kubelet then says so in its log and ignores the field";
const notStarting = "kubelet does not start with it";

function fieldFaults(name: string, value: unknown, kubernetesMinor: number): FieldFault[] {
  const version = `Kubernetes 1.${kubernetesMinor}`;
  const type = types.get(name);
  const inner = partsOf(name);
  const key = ownValue(keys, name);
  const fault = (problem: string, allowed: string): FieldFault[] => [{ path: [name], problem, allowed }];
  if (owned.has(name)) {
    return fault(
      "kubeadm, the image or the cloud provider set this field",
      name === "serverTLSBootstrap"
        ? "kubeletCertificates, for the kubelets of all machines"
        : "fields that nothing else sets",
    );
  }
  if (key !== undefined) {
    return fault("the stack file has a key for it, which plans and rules read", `${key} of the pool`);
  }
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
  if (type !== undefined) {
    return fits[type](value) ? [] : fault(`${notStarting}: the value has the wrong type`, words[type]);
  }
  if (!isRecord(value)) {
    return fault(`${notStarting}: the value has the wrong type`, words.object);
  }
  return Object.entries(value).flatMap(([part, content]): FieldFault[] => {
    const partType = ownValue(inner, part);
    if (partType === undefined) {
      return [
        {
          path: [name, part],
          problem: `kubelet of ${version} has no field ${name}.${part}: ${strict}`,
          allowed: Object.keys(inner ?? {}).join(", "),
        },
      ];
    }
    if (fits[partType](content)) {
      return [];
    }
    return [
      {
        path: [name, part],
        problem: `${notStarting}: the value has the wrong type`,
        allowed: words[partType],
      },
    ];
  });
}

/** What kubelet of a minor would refuse in a part of its configuration, or what is not for a pool to set. */
export const configurationFaults = (
  configuration: Readonly<Record<string, unknown>>,
  kubernetesMinor: number,
): FieldFault[] =>
  Object.entries(configuration).flatMap(([name, value]) => fieldFaults(name, value, kubernetesMinor));
