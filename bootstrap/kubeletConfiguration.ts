import { goDuration } from "../platform/cluster/goValues";
import { kubeletFields } from "../platform/cluster/programSettings";
import { isRecord, ownValue } from "../tools/untyped";

/**
 * Fields of KubeletConfiguration (kubelet.config.k8s.io/v1beta1) by the type of their values, from the table of
 * settings; minors before it: config/v1beta1/types.go of k8s.io/kubelet from v0.28 on, looked up on 2026-11-22.
 */

/** What a value may be: in words, and as a test. */
interface Shape {
  readonly words: string;
  readonly fits: (value: unknown) => boolean;
}

const isMapOf = (value: unknown, type: "string" | "boolean"): boolean =>
  isRecord(value) && Object.values(value).every((inner) => typeof inner === type);

const text: Shape = { words: "a text", fits: (value) => typeof value === "string" };
const whole: Shape = { words: "a whole number", fits: (value) => Number.isInteger(value) };
const list: Shape = { words: "a list", fits: Array.isArray };
/** A structure, into which nothing looks, but for the parts that the table of settings has. */
const mapping: Shape = { words: "a mapping", fits: isRecord };

/** By type in Go. */
const shapes: Readonly<Record<string, Shape>> = {
  bool: { words: "true or false", fits: (value) => typeof value === "boolean" },
  int32: whole,
  int64: whole,
  float64: { words: "a number", fits: (value) => typeof value === "number" },
  string: text,
  duration: {
    words: "a duration such as 30s or 5m",
    fits: (value) => typeof value === "string" && goDuration.test(value),
  },
  "[]string": {
    words: "a list of texts",
    fits: (value) => Array.isArray(value) && value.every((inner) => typeof inner === "string"),
  },
  "map[string]string": { words: "a mapping of names to texts", fits: (value) => isMapOf(value, "string") },
  "map[string]bool": {
    words: "a mapping of names to true or false",
    fits: (value) => isMapOf(value, "boolean"),
  },
};

function shapeOf(goType: string): Shape {
  if (goType.startsWith("[]")) {
    return ownValue(shapes, goType) ?? list;
  }
  const named = /^v1beta1\.\w+(Mode|Policy|Strategy)$/.test(goType) ? text : mapping;
  return ownValue(shapes, goType) ?? named;
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

export interface FieldFault {
  /** Names from the top of the configuration on. */
  readonly path: readonly string[];
  readonly problem: string;
  readonly allowed: string;
}

const strict = "kubelet's strict decoding refuses it; kubelet then says so in its log and ignores the field";
const wrongType = "kubelet does not start with it: the value has the wrong type";

function fieldFaults(name: string, value: unknown, kubernetesMinor: number): FieldFault[] {
  const version = `Kubernetes 1.${kubernetesMinor}`;
  const parts = [...kubeletFields.keys()].filter((path) => path.startsWith(`${name}.`));
  // The table has parts of structures with a dot.
  const type = name.includes(".") ? undefined : kubeletFields.get(name)?.type;
  const key = ownValue(keys, name);
  const fault = (problem: string, allowed: string, path = [name]): FieldFault[] => [
    { path, problem, allowed },
  ];
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
  if (type === undefined && parts.length === 0) {
    return fault(
      `kubelet of ${version} has no field ${name}: ${strict}`,
      `fields of KubeletConfiguration (kubelet.config.k8s.io/v1beta1) of ${version}`,
    );
  }
  if (sinceOf(name) > kubernetesMinor) {
    return fault(
      `the field came with Kubernetes 1.${sinceOf(name)}, and these nodes have ${version}: ${strict}`,
      `fields of ${version}`,
    );
  }
  const shape = type === undefined ? mapping : shapeOf(type);
  if (!shape.fits(value)) {
    return fault(wrongType, shape.words);
  }
  return Object.entries(parts.length > 0 && isRecord(value) ? value : {}).flatMap(([part, content]) => {
    const inner = kubeletFields.get(`${name}.${part}`)?.type;
    if (inner === undefined) {
      const known = parts.map((path) => path.slice(name.length + 1)).join(", ");
      return fault(`kubelet of ${version} has no field ${name}.${part}: ${strict}`, known, [name, part]);
    }
    return shapeOf(inner).fits(content) ? [] : fault(wrongType, shapeOf(inner).words, [name, part]);
  });
}

/** What kubelet of a minor would refuse in a part of its configuration, or what is not for a pool to set. */
export const configurationFaults = (
  configuration: Readonly<Record<string, unknown>>,
  kubernetesMinor: number,
): FieldFault[] =>
  Object.entries(configuration).flatMap(([name, value]) => fieldFaults(name, value, kubernetesMinor));
