import { at, isRecord } from "../tools/untyped";
import type { NodeOs } from "../platform/machines/naming";

/** What kubelet does by default, and what it does not do on Windows. */

type Configuration = Readonly<Record<string, unknown>>;

export const namesIn = (value: unknown): string[] => (isRecord(value) ? Object.keys(value) : []);

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
