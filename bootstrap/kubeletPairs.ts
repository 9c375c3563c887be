import { goSeconds } from "capz-windows-platform/cluster/goValues";
import { quantity } from "capz-windows-kit/quantity";
import { isRecord, at, list } from "capz-windows-kit/untyped";
import { present } from "capz-windows-kit/present";
import type { FieldFault } from "./kubeletConfiguration";
import { optionFaults } from "./managerOptions";
import type { NodeOs } from "capz-windows-platform/machines/naming";

/**
 * Values of KubeletConfiguration that need another one, or another operating system. Source: Kubernetes v1.36.5
 * pkg/kubelet/apis/config/validation/validation{,_windows}.go, pkg/kubelet/eviction/helpers.go, cmd/kubelet/app/server.go,
 * pkg/kubelet/cm/container_manager_windows.go, pkg/features/kube_features.go; v1.35.6 is the same in these.
 */

type Configuration = Readonly<Record<string, unknown>>;

const notStarting = "kubelet does not start with it";

const signals = [
  ...["memory.available", "nodefs.available", "nodefs.inodesFree", "imagefs.available", "imagefs.inodesFree"],
  ...["containerfs.available", "containerfs.inodesFree", "pid.available", "allocatableMemory.available"],
];

const namesIn = (value: unknown): string[] => (isRecord(value) ? Object.keys(value) : []);

/** Signals that kubelet does not have. */
const signalFaults = (configuration: Configuration): FieldFault[] =>
  ["evictionHard", "evictionSoft", "evictionSoftGracePeriod", "evictionMinimumReclaim"].flatMap((name) =>
    namesIn(configuration[name])
      .filter((signal) => !signals.includes(signal))
      .map((signal) => ({
        path: [name, signal],
        problem: `${notStarting}: it has no eviction signal ${signal}`,
        allowed: signals.join(", "),
      })),
  );

const seconds = (value: unknown): number => (typeof value === "string" ? goSeconds(value) : undefined) ?? 0;

export interface KubeletOf {
  readonly os: NodeOs;
  readonly kubernetesMinor: number;
  /** systemReserved, which is not in the configuration. Default: nothing. */
  readonly reserved?: { readonly cpu?: string; readonly memory?: string } | undefined;
}

/** Source: pkg/kubelet/cm/cpumanager/policy_none.go. */
const cpuOptionFaults = ({ cpuManagerPolicy, cpuManagerPolicyOptions }: Configuration): FieldFault[] =>
  namesIn(cpuManagerPolicyOptions).length === 0 || cpuManagerPolicy === "static"
    ? []
    : [
        {
          path: ["cpuManagerPolicyOptions"],
          problem: `${notStarting}: without cpuManagerPolicy: static there are no options`,
          allowed: "with cpuManagerPolicy: static",
        },
      ];

/** Source: pkg/kubelet/apis/config/validation/validation_reserved_memory.go. */
function reservedLimitFaults({ reservedMemory }: Configuration): FieldFault[] {
  const all = list(reservedMemory).flatMap(({ numaNode, limits }) =>
    namesIn(limits).map((name) => ({ name, amount: quantity(at(limits, name)), numaNode })),
  );
  const isWrong = all.some(
    ({ name, amount, numaNode }, index) =>
      !/^(memory$|hugepages-)/.test(name) ||
      amount === 0 ||
      all.findIndex((other) => other.name === name && other.numaNode === numaNode) !== index,
  );
  return present(
    isWrong && {
      path: ["reservedMemory"],
      problem: `${notStarting}: a limit is 0, or of another resource, or twice for a NUMA node`,
      allowed: "memory and hugepages-SIZE above 0, once for each NUMA node",
    },
  );
}

/** The policies that reserve memory; Windows has no Static. Source: pkg/kubelet/cm/memorymanager/memory_manager.go, NewManager. */
const reservingPolicy: Readonly<Record<NodeOs, string>> = { linux: "Static", windows: "BestEffort" };

/**
 * reservedMemory must be exactly what kubelet keeps from pods; a share of the machine's memory is not known here. Source:
 * pkg/kubelet/cm/memorymanager/memory_manager.go, validateReservedMemory, and the node allocatable of pkg/kubelet/cm.
 */
function reservedMemoryFaults(configuration: Configuration, os: NodeOs, systemMemory: string): FieldFault[] {
  const { reservedMemory, evictionHard, kubeReserved, memoryManagerPolicy: policy } = configuration;
  if (policy !== reservingPolicy[os]) {
    return [];
  }
  const threshold =
    isRecord(evictionHard) && configuration.mergeDefaultEvictionSettings !== true
      ? evictionHard["memory.available"]
      : (at(evictionHard, "memory.available") ?? defaultEvictionHard[os]["memory.available"]);
  const sum = total([at(kubeReserved, "memory"), systemMemory, threshold]);
  const nodes = list(reservedMemory);
  const given = total(nodes.map((one) => at(one, "limits", "memory")));
  if (nodes.length === 0) {
    return [
      {
        path: ["memoryManagerPolicy"],
        problem: `${notStarting}: no memory is reserved`,
        allowed: `None, or ${policy} with reservedMemory`,
      },
    ];
  }
  const others = nodes.flatMap(({ limits }) => namesIn(limits)).filter((name) => name !== "memory");
  if (sum === undefined || given === undefined || (sum === given && others.length === 0)) {
    return [];
  }
  const why = `${others[0] ?? "its memory"} is not what kubelet keeps from pods (reserved, kubeReserved and evictionHard)`;
  return [
    {
      path: ["reservedMemory"],
      problem: `${notStarting}: ${why}`,
      allowed: `memory of ${inMi(sum)} in total`,
    },
  ];
}

const inMi = (bytes: number): string =>
  Number.isInteger(bytes / 1024 ** 2) ? `${bytes / 1024 ** 2}Mi` : String(bytes);

/** The sum of quantities, of which those that are not there are 0; `undefined` if one is none, such as 10%. */
function total(values: readonly unknown[]): number | undefined {
  const numbers = values.map((value) => (value === undefined || value === "" ? 0 : quantity(value)));
  return numbers.includes(undefined) ? undefined : numbers.reduce((sum: number, one = 0) => sum + one, 0);
}

/** Managers of CPUs and memory, which kubelet has on Linux. Source: pkg/kubelet/cm/cpumanager and memorymanager. */
function managerFaults(configuration: Configuration, reservesCpu: boolean): FieldFault[] {
  const { cpuManagerPolicy, memoryManagerPolicy, kubeReserved, reservedSystemCPUs } = configuration;
  const hasCpu = reservesCpu || Boolean(reservedSystemCPUs) || at(kubeReserved, "cpu") !== undefined;
  const found: (FieldFault | false)[] = [
    isOther(cpuManagerPolicy, ["none", "static"]) && {
      path: ["cpuManagerPolicy"],
      problem: notStarting,
      allowed: "none, static",
    },
    cpuManagerPolicy === "static" &&
      !hasCpu && {
        path: ["cpuManagerPolicy"],
        problem: `${notStarting}: no CPU is reserved`,
        allowed: "static with CPUs in kubelet.reserved, kubeReserved or reservedSystemCPUs",
      },
    isOther(memoryManagerPolicy, ["None", "Static"]) && {
      path: ["memoryManagerPolicy"],
      problem: notStarting,
      allowed: "None, Static",
    },
  ];
  return [...found.filter((fault) => fault !== false), ...cpuOptionFaults(configuration)];
}

/** container_manager_windows.go makes the managers with the feature gate alone. */
const windowsManagerFaults = (configuration: Configuration): FieldFault[] => [
  ...cpuOptionFaults(configuration),
  ...present(
    isOther(configuration.memoryManagerPolicy, ["None", "BestEffort"]) && {
      path: ["memoryManagerPolicy"],
      problem: `${notStarting}: Windows does not have this policy`,
      allowed: "None, or BestEffort with reservedMemory",
    },
  ),
];

const isOther = (value: unknown, choices: readonly string[]): boolean =>
  typeof value === "string" && value !== "" && !choices.includes(value);

/**
 * Values with which kubelet ends on Windows, where it sees no cgroups and, without the gate of the managers, no CPUs. Source:
 * server.go, run() and getReservedCPUs; pkg/kubelet/util/util_windows.go; pkg/kubelet/winstats.
 */
const endingOnWindows = (
  { memorySwap, reservedSystemCPUs }: Configuration,
  hasManagers: boolean,
): FieldFault[] =>
  present(
    at(memorySwap, "swapBehavior") === "LimitedSwap" && {
      path: ["memorySwap", "swapBehavior"],
      problem: `${notStarting}: it needs cgroups of version 2, which Windows does not have`,
      allowed: "NoSwap; for Linux nodes, LimitedSwap in linuxPools",
    },
    Boolean(reservedSystemCPUs) &&
      !hasManagers && {
        path: ["reservedSystemCPUs"],
        problem: `${notStarting}: on Windows it sees no CPUs without the feature gate WindowsCPUAndMemoryAffinity`,
        allowed: "CPUs in kubelet.reserved of the pool",
      },
  );

/** Fields with which kubelet does not start on Windows (the third one: v1.37.2, validation_windows.go). */
const notOnWindows = ({
  singleProcessOOMKill,
  userNamespaces,
  defaultPodSysctls,
}: Configuration): string[] => [
  ...(singleProcessOOMKill === undefined ? [] : ["singleProcessOOMKill"]),
  ...(userNamespaces === undefined ? [] : ["userNamespaces"]),
  ...(namesIn(defaultPodSysctls).length === 0 ? [] : ["defaultPodSysctls"]),
];

/** Values with which kubelet of a minor does not start, because of another value or of the operating system. */
export function pairFaults(
  configuration: Configuration,
  { os, kubernetesMinor, reserved }: KubeletOf,
): FieldFault[] {
  const { evictionSoft, evictionSoftGracePeriod } = configuration;
  const { shutdownGracePeriod, shutdownGracePeriodCriticalPods: critical } = configuration;
  const missing = namesIn(evictionSoft).filter(
    (signal) => !namesIn(evictionSoftGracePeriod).includes(signal),
  );
  const queries = configuration.enableSystemLogQuery === true;
  const hasManagers =
    os === "linux" || at(configuration.featureGates, "WindowsCPUAndMemoryAffinity") === true;
  const found: (FieldFault | false)[] = [
    missing.length > 0 && {
      path: ["evictionSoft"],
      problem: `${notStarting}: evictionSoftGracePeriod has no ${missing.join(", ")}`,
      allowed: "each signal of evictionSoft in evictionSoftGracePeriod too, such as memory.available: 1m30s",
    },
    seconds(critical) > seconds(shutdownGracePeriod) && {
      path: ["shutdownGracePeriodCriticalPods"],
      problem: `${notStarting}: it is a part of shutdownGracePeriod, which is shorter`,
      allowed: "at most shutdownGracePeriod",
    },
    configuration.shutdownGracePeriodByPodPriority !== undefined &&
      seconds(shutdownGracePeriod) > 0 && {
        path: ["shutdownGracePeriodByPodPriority"],
        problem: `${notStarting}: it has shutdownGracePeriod too`,
        allowed: "one of the two",
      },
    Number(configuration.imageGCLowThresholdPercent ?? 80) >=
      Number(configuration.imageGCHighThresholdPercent ?? 85) && {
      path: [
        `imageGC${configuration.imageGCLowThresholdPercent === undefined ? "High" : "Low"}ThresholdPercent`,
      ],
      problem: `${notStarting}: the low threshold is not below the high one`,
      allowed: "a low threshold (default 80) below the high one (default 85)",
    },
    configuration.serializeImagePulls === true &&
      Number(configuration.maxParallelImagePulls ?? 1) > 1 && {
        path: ["serializeImagePulls"],
        problem: `${notStarting}: maxParallelImagePulls is more than 1`,
        allowed: "false, or maxParallelImagePulls: 1",
      },
    queries &&
      kubernetesMinor < 36 &&
      at(configuration.featureGates, "NodeLogQuery") !== true && {
        path: ["enableSystemLogQuery"],
        problem: `${notStarting}: before Kubernetes 1.36 it needs the feature gate NodeLogQuery`,
        allowed: "with featureGates: {NodeLogQuery: true}",
      },
    queries &&
      configuration.enableSystemLogHandler === false && {
        path: ["enableSystemLogQuery"],
        problem: `${notStarting}: enableSystemLogHandler is false`,
        allowed: "with enableSystemLogHandler, whose default is true",
      },
    namesIn(configuration.defaultPodSysctls).length > 0 &&
      os === "linux" &&
      at(configuration.featureGates, "DefaultPodSysctls") !== true && {
        path: ["defaultPodSysctls"],
        problem: `${notStarting}: it needs the feature gate DefaultPodSysctls`,
        allowed: "with featureGates: {DefaultPodSysctls: true}",
      },
    ...(os === "windows" ? notOnWindows(configuration) : []).map((name) => ({
      path: [name],
      problem: `${notStarting}: Windows does not have it`,
      allowed: "fields that kubelet has on Windows; for Linux nodes, in linuxPools",
    })),
  ];
  return [
    ...signalFaults(configuration),
    ...(os === "linux" ? managerFaults(configuration, reserved?.cpu !== undefined) : []),
    ...(os === "windows" && hasManagers ? windowsManagerFaults(configuration) : []),
    ...(os === "windows" ? endingOnWindows(configuration, hasManagers) : []),
    ...reservedLimitFaults(configuration),
    ...(hasManagers ? optionFaults(configuration, kubernetesMinor) : []),
    ...(hasManagers ? reservedMemoryFaults(configuration, os, reserved?.memory ?? "") : []),
    ...found.filter((fault) => fault !== false),
  ];
}

/** What kubelet evicts pods for by default (Kubernetes v1.36.3 pkg/kubelet/eviction/defaults_{linux,windows}.go). */
export const defaultEvictionHard: Readonly<Record<NodeOs, Readonly<Record<string, string>>>> = {
  linux: {
    ...{ "memory.available": "100Mi", "nodefs.available": "10%", "nodefs.inodesFree": "5%" },
    ...{ "imagefs.available": "15%", "imagefs.inodesFree": "5%" },
  },
  windows: { "memory.available": "500Mi", "nodefs.available": "10%", "imagefs.available": "15%" },
};

/**
 * The defaults that an evictionHard of a pool's own takes away: it replaces all of them, unless they are merged (k8s.io/kubelet
 * v0.36.3 config/v1beta1/types.go).
 */
export const lostEvictions = (
  { evictionHard, mergeDefaultEvictionSettings: merges }: Configuration,
  os: NodeOs,
): readonly (readonly [signal: string, threshold: string])[] =>
  isRecord(evictionHard) && merges !== true
    ? Object.entries(defaultEvictionHard[os]).filter(([signal]) => !namesIn(evictionHard).includes(signal))
    : [];

/** What a kubelet on Windows does not do: cgroups, the OOM killer, swap, seccomp and iptables are Linux. */
const linuxOnly = [
  ...["cgroupRoot", "cpuCFSQuota", "cpuCFSQuotaPeriod"],
  ...["failCgroupV1", "failSwapOn", "iptablesDropBit"],
  ...["iptablesMasqueradeBit", "kernelMemcgNotification", "kubeReservedCgroup", "kubeletCgroups"],
  ...["makeIPTablesUtilChains", "maxOpenFiles", "memoryReservationPolicy", "memorySwap"],
  "memoryThrottlingFactor",
  ...["oomScoreAdj", "podPidsLimit", "protectKernelDefaults", "qosReserved", "seccompDefault"],
  ...["systemCgroups", "systemReservedCgroup"],
];

/**
 * Fields that have no effect there, and can do no harm, because the images start kubelet with flags for them, which win.
 * Source: image-builder ae63061 images/capi/ansible/windows/roles/kubernetes; kubelet's server.go, kubeletConfigFlagPrecedence.
 */
export const flagsOfWindowsImages: readonly string[] = [
  ...["cgroupsPerQOS", "enableDebuggingHandlers", "enforceNodeAllocatable", "resolvConf"],
];

/** Fields that work only with a feature gate there, which is on by default from a minor on. */
const gated: readonly { readonly gate: string; readonly from: number; readonly fields: readonly string[] }[] =
  [
    {
      gate: "WindowsCPUAndMemoryAffinity",
      from: Infinity,
      fields: [
        ...["cpuManagerPolicy", "cpuManagerPolicyOptions", "memoryManagerPolicy", "reservedMemory"],
        ...["topologyManagerPolicy", "topologyManagerPolicyOptions", "topologyManagerScope"],
      ],
    },
    {
      gate: "WindowsGracefulNodeShutdown",
      from: 34,
      fields: [
        ...["shutdownGracePeriod", "shutdownGracePeriodByPodPriority", "shutdownGracePeriodCriticalPods"],
      ],
    },
  ];

/**
 * Signals by which a kubelet on Windows never evicts: its statistics have no inodes and no number of processes
 * (pkg/kubelet/winstats, pkg/kubelet/stats/pidlimit/pidlimit_unsupported.go, v1.36.5).
 */
export const blindSignals = (configuration: Configuration): string[] => [
  ...new Set(
    ["evictionHard", "evictionSoft"]
      .flatMap((name) => namesIn(configuration[name]))
      .filter((signal) => signal.endsWith(".inodesFree") || signal === "pid.available"),
  ),
];

/** Fields that a kubelet on Windows ignores, with the reason. */
export const ignoredOnWindows = (
  configuration: Configuration,
  kubernetesMinor: number,
): { readonly name: string; readonly why: string }[] =>
  Object.keys(configuration).flatMap((name) => {
    if (linuxOnly.includes(name)) {
      return [{ name, why: "only Linux has what it sets" }];
    }
    if (flagsOfWindowsImages.includes(name)) {
      return [{ name, why: "its images start kubelet with a flag for it, and flags win" }];
    }
    const needed = gated.find(({ fields }) => fields.includes(name));
    return needed !== undefined &&
      kubernetesMinor < needed.from &&
      at(configuration.featureGates, needed.gate) !== true
      ? [{ name, why: `it needs the feature gate ${needed.gate}` }]
      : [];
  });
