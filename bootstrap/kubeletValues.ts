import { decimal, goDuration } from "../platform/cluster/goValues";
import { gateFault, isGateOn, knowsSettings } from "../platform/cluster/programSettings";
import { tlsVersions } from "../platform/cluster/programArguments";
import type { NodeOs } from "../platform/machines/naming";
import { present } from "../tools/present";
import { quantityPattern } from "../tools/quantity";
import { at, isRecord, ownValue } from "../tools/untyped";
import type { FieldFault } from "./kubeletConfiguration";
import { namesIn } from "./kubeletOnWindows";

/**
 * Values with which kubelet does not start: names that it does not have, and feature gates. Ranges, forms of texts and most
 * fields that need another one are kubelet's to judge. Source: Kubernetes v1.36.5
 * pkg/kubelet/apis/config/validation/validation{,_linux,_windows}.go, pkg/kubelet/eviction/helpers.go, cmd/kubelet/app/server.go;
 * k8s.io/component-base v0.36.3 logs/api/v1/options.go.
 */

type Configuration = Readonly<Record<string, unknown>>;

const notStarting = "kubelet does not start with it";

const choices: Readonly<Record<string, readonly string[]>> = {
  configMapAndSecretChangeDetectionStrategy: ["Watch", "Cache", "Get"],
  hairpinMode: ["promiscuous-bridge", "hairpin-veth", "none"],
  imagePullCredentialsVerificationPolicy: [
    ...["NeverVerifyPreloadedImages", "NeverVerifyAllowlistedImages", "AlwaysVerify", "NeverVerify"],
  ],
  "logging.format": ["text", "json"],
  memoryReservationPolicy: ["None", "TieredReservation"],
  "memorySwap.swapBehavior": ["NoSwap", "LimitedSwap"],
  tlsMinVersion: tlsVersions,
  topologyManagerPolicy: ["none", "best-effort", "restricted", "single-numa-node"],
  topologyManagerScope: ["container", "pod"],
};

/** Source: pkg/kubelet/cm/cpumanager and memorymanager; swap needs cgroups of version 2. */
const choicesOn: Readonly<Record<NodeOs, Readonly<Record<string, readonly string[]>>>> = {
  linux: { cpuManagerPolicy: ["none", "static"], memoryManagerPolicy: ["None", "Static"] },
  windows: { memoryManagerPolicy: ["None", "BestEffort"], "memorySwap.swapBehavior": ["NoSwap"] },
};

/** Windows has its managers only with this gate (pkg/kubelet/cm/container_manager_windows.go). */
const windowsManagers = "WindowsCPUAndMemoryAffinity";

/** Fields that kubelet takes only with a feature gate, if they have another value than the one here. */
const gated: Readonly<Record<string, readonly [gate: string, ...defaults: unknown[]]>> = {
  cpuCFSQuotaPeriod: ["CustomCPUCFSQuotaPeriod", "100ms", "0.1s"],
  "crashLoopBackOff.maxContainerRestartPeriod": ["KubeletCrashLoopBackOffMax"],
  defaultPodSysctls: ["DefaultPodSysctls"],
  enableSystemLogQuery: ["NodeLogQuery", false],
  imageMaximumGCAge: ["ImageMaximumGCAge", "0s"],
  imagePullCredentialsVerificationPolicy: ["KubeletEnsureSecretPulledImages", ""],
  memoryReservationPolicy: ["MemoryQoS", "None", ""],
  preloadedImagesVerificationAllowlist: ["KubeletEnsureSecretPulledImages"],
  "memorySwap.swapBehavior": ["NodeSwap", ""],
  shutdownGracePeriod: ["GracefulNodeShutdown", "0s"],
  shutdownGracePeriodByPodPriority: ["GracefulNodeShutdownBasedOnPodPriority"],
  shutdownGracePeriodCriticalPods: ["GracefulNodeShutdown", "0s"],
};

const signals = [
  ...["memory.available", "nodefs.available", "nodefs.inodesFree", "imagefs.available", "imagefs.inodesFree"],
  ...["containerfs.available", "containerfs.inodesFree", "pid.available", "allocatableMemory.available"],
];

const reservable = ["cpu", "memory", "ephemeral-storage", "pid"];

const isAmount = (text: string): boolean => quantityPattern.test(text) && !text.startsWith("-");

const threshold = {
  keys: signals,
  fits: (text: string) =>
    text.endsWith("%") ? decimal.test(text.slice(0, -1)) && !text.startsWith("-") : isAmount(text),
  allowed: "an amount such as 500Mi, or a percentage such as 10%",
};

/** Mappings: the names that kubelet knows, and what their values are. */
const mappings: Readonly<Record<string, typeof threshold>> = {
  evictionHard: threshold,
  evictionSoft: threshold,
  evictionMinimumReclaim: threshold,
  evictionSoftGracePeriod: {
    keys: signals,
    fits: (text) => goDuration.test(text),
    allowed: "a duration such as 1m30s",
  },
  kubeReserved: { keys: reservable, fits: isAmount, allowed: "a quantity such as 500m or 1Gi" },
};

/** Fields with which kubelet does not start on Windows (the third one: v1.37.2, validation_windows.go). */
const notOnWindows = ["singleProcessOOMKill", "userNamespaces", "defaultPodSysctls"];

const structures = ["crashLoopBackOff", "logging", "memorySwap"];

export interface KubeletOf {
  readonly os: NodeOs;
  readonly kubernetesMinor: number;
  /** Whether systemReserved, which is not in the configuration, keeps CPU from pods. */
  readonly reservesCpu: boolean;
}

const isEmpty = (value: unknown): boolean =>
  value === "" ||
  (isRecord(value) && Object.keys(value).length === 0) ||
  (Array.isArray(value) && value.length === 0);

/** Fields with their paths, those of structures too. */
const leaves = (configuration: Configuration): [path: string, value: unknown][] =>
  Object.entries(configuration).flatMap(([name, value]): [string, unknown][] =>
    structures.includes(name) && isRecord(value)
      ? Object.entries(value).map(([part, inner]) => [`${name}.${part}`, inner])
      : [[name, value]],
  );

function choiceFaults(configuration: Configuration, os: NodeOs): FieldFault[] {
  const hasManagers = os === "linux" || at(configuration.featureGates, windowsManagers) === true;
  return leaves(configuration).flatMap(([path, value]) => {
    const ofSystem =
      path.endsWith("ManagerPolicy") && !hasManagers ? undefined : ownValue(choicesOn[os], path);
    const allowed = ofSystem ?? ownValue(choices, path);
    return present(
      allowed !== undefined &&
        typeof value === "string" &&
        value !== "" &&
        !allowed.includes(value) && {
          path: path.split("."),
          problem: notStarting,
          allowed: allowed.join(", "),
        },
    );
  });
}

/** Fields whose feature gate is off. Gates of all alpha features are not followed. */
function missingGates(configuration: Configuration, minor: number): FieldFault[] {
  return leaves(configuration).flatMap(([path, value]) => {
    const [gate, ...defaults] = ownValue(gated, path) ?? [];
    if (gate === undefined || isEmpty(value) || defaults.includes(value)) {
      return [];
    }
    const set = at(configuration.featureGates, gate);
    const byDefault = isGateOn(gate, minor) || at(configuration.featureGates, "AllAlpha") === true;
    return present(
      !(typeof set === "boolean" ? set : byDefault) && {
        path: path.split("."),
        problem: `${notStarting}: it needs the feature gate ${gate}`,
        allowed: `it with the feature gate ${gate}, which is off by default in Kubernetes 1.${minor}`,
      },
    );
  });
}

/** Feature gates that a minor does not have or that it has locked. */
function gateFaults({ featureGates }: Configuration, minor: number): FieldFault[] {
  return Object.entries(isRecord(featureGates) ? featureGates : {}).flatMap(([name, isOn]) => {
    const fault = gateFault(name, isOn === true, minor);
    return present(
      fault !== undefined && {
        path: ["featureGates", name],
        problem: `${notStarting}: ${fault}`,
        allowed: `feature gates of Kubernetes 1.${minor} that are not locked`,
      },
    );
  });
}

function mappingFaults(configuration: Configuration): FieldFault[] {
  return Object.entries(mappings).flatMap(([field, { keys, fits, allowed }]) => {
    const given = configuration[field];
    return Object.entries(isRecord(given) ? given : {}).flatMap(([key, value]) =>
      present<FieldFault>(
        !keys.includes(key) && {
          path: [field, key],
          problem: `${notStarting}: it does not know ${key}`,
          allowed: keys.join(", "),
        },
        keys.includes(key) &&
          typeof value === "string" &&
          !fits(value) && { path: [field, key], problem: notStarting, allowed },
      ),
    );
  });
}

/** Values with which kubelet does not start. Of minors outside of the table of settings, gates are not judged. */
export function valueFaults(
  configuration: Configuration,
  { os, kubernetesMinor, reservesCpu }: KubeletOf,
): FieldFault[] {
  const { evictionSoft, evictionSoftGracePeriod, cpuManagerPolicy, kubeReserved } = configuration;
  const hasCpu =
    reservesCpu || Boolean(configuration.reservedSystemCPUs) || at(kubeReserved, "cpu") !== undefined;
  const missing = namesIn(evictionSoft).filter(
    (signal) => !namesIn(evictionSoftGracePeriod).includes(signal),
  );
  const isKnown = knowsSettings(kubernetesMinor);
  return [
    ...(os === "windows" ? notOnWindows : [])
      .filter((name) => name in configuration && !isEmpty(configuration[name]))
      .map((name) => ({
        path: [name],
        problem: `${notStarting}: Windows does not have it`,
        allowed: "fields that kubelet has on Windows; for Linux nodes, in linuxPools",
      })),
    ...(isKnown ? gateFaults(configuration, kubernetesMinor) : []),
    ...choiceFaults(configuration, os),
    ...(isKnown ? missingGates(configuration, kubernetesMinor) : []),
    ...mappingFaults(configuration),
    ...present<FieldFault>(
      missing.length > 0 && {
        path: ["evictionSoft"],
        problem: `${notStarting}: evictionSoftGracePeriod has no ${missing.join(", ")}`,
        allowed:
          "each signal of evictionSoft in evictionSoftGracePeriod too, such as memory.available: 1m30s",
      },
      os === "linux" &&
        cpuManagerPolicy === "static" &&
        !hasCpu && {
          path: ["cpuManagerPolicy"],
          problem: `${notStarting}: no CPU is reserved`,
          allowed: "static with CPUs in kubelet.reserved, kubeReserved or reservedSystemCPUs",
        },
    ),
  ];
}
