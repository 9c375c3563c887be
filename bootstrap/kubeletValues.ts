import { posix } from "node:path";
import { decimal, goSeconds } from "capz-windows-platform/cluster/goValues";
import { gateFault, isGateOn, knowsSettings } from "capz-windows-platform/cluster/programSettings";
import { isCipherSuite, lacksHttp2Suite, tlsVersions } from "capz-windows-platform/cluster/tls";
import { isImagePattern } from "capz-windows-platform/workloads/imageReferences";
import { quantity, quantityPattern } from "capz-windows-kit/quantity";
import { at, isRecord, list, ownValue, strings, textAt } from "capz-windows-kit/untyped";
import type { FieldFault } from "./kubeletConfiguration";

/**
 * Values with which kubelet does not start. Source: Kubernetes v1.36.3 pkg/kubelet/apis/config/validation/validation.go and
 * validation_linux.go, pkg/kubelet/eviction/helpers.go, pkg/kubelet/sysctl/allowlist.go, pkg/kubelet/cm and kubelet.go of the
 * managers; k8s.io/component-base v0.36.3 logs/api/v1/options.go, tracing/api/v1/config.go and cli/flag/ciphersuites_flag.go.
 * test/nodes/settings.test.ts holds them against kubelet itself.
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

const most = 2 ** 31 - 1;

/** Whole numbers, from–to. Zero is kubelet's default for some. */
const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  containerLogMaxFiles: [2, most],
  containerLogMaxWorkers: [1, most],
  eventBurst: [0, most],
  eventRecordQPS: [0, most],
  healthzPort: [0, 65_535],
  imageGCHighThresholdPercent: [0, 100],
  imageGCLowThresholdPercent: [0, 100],
  iptablesDropBit: [0, 31],
  iptablesMasqueradeBit: [0, 31],
  kubeAPIBurst: [0, most],
  kubeAPIQPS: [0, most],
  maxOpenFiles: [0, Number.MAX_SAFE_INTEGER],
  maxParallelImagePulls: [1, most],
  maxPods: [0, most],
  nodeLeaseDurationSeconds: [0, most],
  nodeStatusMaxImages: [-1, most],
  oomScoreAdj: [-1000, 1000],
  podsPerCore: [0, most],
  port: [0, 65_535],
  readOnlyPort: [0, 65_535],
  registryBurst: [0, most],
  registryPullQPS: [0, most],
  "logging.verbosity": [0, most],
  "tracing.samplingRatePerMillion": [0, 1_000_000],
};

/** Durations in seconds, from–to; zero is kubelet's default, where `neverZero` does not say otherwise. */
const periods: Readonly<Record<string, readonly [least: number, most: number, words: string]>> = {
  containerLogMonitorInterval: [3, Infinity, "at least 3s"],
  cpuCFSQuotaPeriod: [0.001, 1, "1ms to 1s"],
  "crashLoopBackOff.maxContainerRestartPeriod": [1, 300, "1s to 5m"],
  imageMaximumGCAge: [0, Infinity, "0s, or longer than kubelet.imageGC.minAgeMinutes (default: 2 minutes)"],
  imageMinimumGCAge: [0, Infinity, "at least 0s"],
  shutdownGracePeriod: [1, Infinity, "0s, or at least 1s"],
  shutdownGracePeriodCriticalPods: [1, Infinity, "0s, or at least 1s"],
};

/** A pointer: of these, kubelet has a default for no value only (kubernetes v1.36.3 apis/config/v1beta1/defaults.go). */
const neverZero: readonly string[] = ["crashLoopBackOff.maxContainerRestartPeriod"];

/** Fields that kubelet takes only with a feature gate, if they have another value than the one here. */
const gated: Readonly<Record<string, readonly [gate: string, ...defaults: unknown[]]>> = {
  cpuCFSQuotaPeriod: ["CustomCPUCFSQuotaPeriod", "100ms", "0.1s"],
  "crashLoopBackOff.maxContainerRestartPeriod": ["KubeletCrashLoopBackOffMax"],
  imageMaximumGCAge: ["ImageMaximumGCAge", "0s"],
  imagePullCredentialsVerificationPolicy: ["KubeletEnsureSecretPulledImages", ""],
  memoryReservationPolicy: ["MemoryQoS", "None", ""],
  preloadedImagesVerificationAllowlist: ["KubeletEnsureSecretPulledImages"],
  "memorySwap.swapBehavior": ["NodeSwap", ""],
  shutdownGracePeriod: ["GracefulNodeShutdown", "0s"],
  shutdownGracePeriodByPodPriority: ["GracefulNodeShutdownBasedOnPodPriority"],
  shutdownGracePeriodCriticalPods: ["GracefulNodeShutdown", "0s"],
};

/** Namespaced by the Linux kernel: k8s.io/component-helpers node/util/sysctl/namespace.go. */
const namespacedSysctl =
  /^(kernel\.(sem|shmall|shmmax|shmmni|shm_rmid_forced)|kernel\.(shm|msg).*|fs\.mqueue\..*|net\..*)$/;
const sysctlPattern = /^([a-z0-9][-_a-z0-9]*[a-z0-9]?[./])*([a-z0-9][-_a-z0-9*]*|\*)$/;

interface Wrong {
  readonly problem: string;
  readonly allowed: string;
}

const wrong = (allowed: string, why?: string): Wrong => ({
  problem: why === undefined ? notStarting : `${notStarting}: ${why}`,
  allowed,
});

/** `NaN` for what is no number with a percent sign. */
const percentOf = (value: string): number => {
  const number = value.slice(0, -1);
  return decimal.test(number) ? Number(number) : NaN;
};

/** A threshold or an amount of an eviction signal. */
function amountFault(value: string, isAboveZero: boolean): boolean {
  if (value.endsWith("%")) {
    const percent = percentOf(value);
    return !(percent >= 0 && percent <= 100);
  }
  return (
    !quantityPattern.test(value) ||
    value.startsWith("-") ||
    (isAboveZero && /^\+?[0.]+[A-Za-z]*$/.test(value))
  );
}

const thresholdFault = (_: string, value: string): Wrong | undefined =>
  amountFault(value, true)
    ? wrong("an amount above 0, such as 500Mi, or a percentage such as 10%")
    : undefined;

const reservable = ["cpu", "memory", "ephemeral-storage", "pid"];

function reservedFault(name: string, value: string): Wrong | undefined {
  if (!reservable.includes(name)) {
    return wrong(reservable.join(", "), `kubelet cannot reserve ${name}`);
  }
  return !quantityPattern.test(value) || value.startsWith("-")
    ? wrong("a quantity such as 500m or 1Gi")
    : undefined;
}

/** Checks of the entries of mappings, by field. */
const entries: Readonly<Record<string, (name: string, value: string) => Wrong | undefined>> = {
  evictionHard: thresholdFault,
  evictionSoft: thresholdFault,
  evictionMinimumReclaim: (_, value) => {
    const isAmount = value.endsWith("%") ? percentOf(value) > 0 : !amountFault(value, false);
    return isAmount ? undefined : wrong("an amount such as 500Mi, or a percentage such as 10%");
  },
  evictionSoftGracePeriod: (_, value) =>
    (goSeconds(value) ?? -1) < 0 ? wrong("a duration such as 1m30s") : undefined,
  kubeReserved: reservedFault,
  systemReserved: reservedFault,
  // pkg/kubelet/cm/container_manager.go, ParseQOSReserved, which kubelet calls whatever the feature gate says.
  qosReserved: (name, value) => {
    if (name !== "memory") {
      return wrong("memory", `kubelet cannot reserve ${name}`);
    }
    return /^\+?0*(\d{1,2}|100)%+$/.test(value) ? undefined : wrong("a whole percentage such as 50%");
  },
};

/** Lists of CPUs such as 0-3,8. Source: k8s.io/utils/cpuset. */
function isCpuSet(text: string): boolean {
  return text.split(",").every((range) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    return first !== undefined && Number(first) <= Number(last);
  });
}

const enforcements = [
  ...["pods", "system-reserved", "system-reserved-compressible"],
  ...["kube-reserved", "kube-reserved-compressible", "none"],
];

function enforcementFaults(configuration: Configuration): (Wrong | undefined)[] {
  const given = strings(configuration.enforceNodeAllocatable);
  const unknown = given.filter((one) => !enforcements.includes(one));
  const needs = (kind: string, field: string): Wrong | undefined => {
    const isEnforced = given.includes(kind) || given.includes(`${kind}-compressible`);
    return isEnforced && !configuration[field]
      ? wrong(`${field} beside ${kind}`, `it needs ${field}`)
      : undefined;
  };
  return [
    unknown.length > 0 ? wrong(enforcements.join(", "), `it does not know ${unknown.join(", ")}`) : undefined,
    new Set(given).size < given.length ? wrong("each once", "an entry is repeated") : undefined,
    given.includes("none") && given.length > 1 ? wrong("none alone", "none has others beside it") : undefined,
    given.includes("system-reserved") && given.includes("system-reserved-compressible")
      ? wrong("one of the two", "system-reserved has its compressible form beside it")
      : undefined,
    given.includes("kube-reserved") && given.includes("kube-reserved-compressible")
      ? wrong("one of the two", "kube-reserved has its compressible form beside it")
      : undefined,
    needs("system-reserved", "systemReservedCgroup"),
    needs("kube-reserved", "kubeReservedCgroup"),
  ];
}

/** What a field's own value is wrong in. */
function valueFault(path: string, value: unknown): Wrong | undefined {
  const choice = ownValue(choices, path);
  if (choice !== undefined && typeof value === "string" && value !== "") {
    return choice.includes(value) ? undefined : wrong(choice.join(", "));
  }
  const range = ownValue(ranges, path);
  if (range !== undefined && typeof value === "number") {
    const isIn = Number.isInteger(value) && value >= range[0] && value <= range[1];
    return isIn ? undefined : wrong(`a whole number from ${range[0]} to ${range[1]}`);
  }
  const period = ownValue(periods, path);
  if (period !== undefined && typeof value === "string") {
    const seconds = goSeconds(value) ?? 0;
    const isDefault = seconds === 0 && !neverZero.includes(path);
    return isDefault || (seconds >= period[0] && seconds <= period[1]) ? undefined : wrong(period[2]);
  }
  return undefined;
}

const idsUnit = 65_536;

/** Fields with a form of their own. */
const forms: Readonly<
  Record<string, (value: unknown, configuration: Configuration, minor: number) => Wrong | undefined>
> = {
  allowedUnsafeSysctls: (value) => {
    const bad = strings(value).filter(
      (name) => !sysctlPattern.test(name) || !namespacedSysctl.test(name.replaceAll("/", ".")),
    );
    return bad.length === 0
      ? undefined
      : wrong(
          "names that the kernel keeps by namespace, such as net.* or kernel.msg*",
          `it does not take ${bad.join(", ")}`,
        );
  },
  cgroupsPerQOS: (value, { enforceNodeAllocatable = ["pods"] }) =>
    value === false && strings(enforceNodeAllocatable).some((one) => one !== "none")
      ? wrong(
          "false beside enforceNodeAllocatable: [none]",
          "enforceNodeAllocatable needs it, whose default is [pods]",
        )
      : undefined,
  // pkg/kubelet/logs/container_log_manager.go, parseMaxSize.
  containerLogMaxSize: (value) =>
    typeof value === "string" && value !== "" && !Number.isInteger(quantity(value))
      ? wrong("a size such as 50Mi")
      : undefined,
  // Not like other durations, of which zero is the default.
  cpuCFSQuotaPeriod: (value) =>
    typeof value === "string" && goSeconds(value) === 0 ? wrong("1ms to 1s") : undefined,
  // k8s.io/component-base v0.36.3 logs/api/v1/options.go.
  "logging.vmodule": (value, { logging }) => {
    const format = at(logging, "format") ?? "";
    const isRight = list(value).every((one) => {
      const level = at(one, "verbosity") ?? 0;
      const isLevel = typeof level === "number" && Number.isInteger(level) && level >= 0 && level <= most;
      return isLevel && /^[^=,]+$/.test(textAt(one, "filePattern"));
    });
    return isRight && (list(value).length === 0 || format === "" || format === "text")
      ? undefined
      : wrong("a filePattern without = and comma, a verbosity, and the format text");
  },
  memoryThrottlingFactor: (value) =>
    typeof value === "number" && (value <= 0 || value > 1) ? wrong("more than 0, and at most 1") : undefined,
  podLogsDir: (value) =>
    typeof value === "string" &&
    !(
      /^[\x20-\x7e]*$/.test(value) &&
      (!value.startsWith("/") || posix.normalize(value).replace(/(.)\/$/, "$1") === value)
    )
      ? wrong("a path of ASCII characters without .., //, and / at its end")
      : undefined,
  preloadedImagesVerificationAllowlist: (value, { imagePullCredentialsVerificationPolicy: policy }) => {
    if (list(value).length > 0 && policy !== "NeverVerifyAllowlistedImages") {
      return wrong("it beside imagePullCredentialsVerificationPolicy: NeverVerifyAllowlistedImages");
    }
    const bad = strings(value).find((pattern) => !isImagePattern(pattern));
    return bad === undefined
      ? undefined
      : wrong(
          "names of images without tag and digest, and registries or folders with /* behind them",
          `${bad === "" ? '""' : bad} is none`,
        );
  },
  reservedSystemCPUs: (value, { systemReservedCgroup, kubeReservedCgroup }) => {
    if (typeof value === "string" && value !== "" && !isCpuSet(value)) {
      return wrong("CPUs such as 0-1,4");
    }
    return Boolean(value) && (Boolean(systemReservedCgroup) || Boolean(kubeReservedCgroup))
      ? wrong("it without systemReservedCgroup and kubeReservedCgroup")
      : undefined;
  },
  showHiddenMetricsForVersion: (value, _, minor) =>
    typeof value === "string" && value !== "" && value !== `1.${minor - 1}`
      ? wrong(`1.${minor - 1}`)
      : undefined,
  systemCgroups: (value, { cgroupRoot }) =>
    Boolean(value) && !cgroupRoot ? wrong("it beside cgroupRoot") : undefined,
  tlsCipherSuites: (value, { tlsMinVersion }) => {
    const unknown = strings(value).filter((name) => !isCipherSuite(name));
    if (unknown.length > 0) {
      return wrong("cipher suites of Go's crypto/tls", `it does not take ${unknown.join(", ")}`);
    }
    return tlsMinVersion !== "VersionTLS13" && lacksHttp2Suite(strings(value))
      ? wrong(
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 among the suites, or tlsMinVersion: VersionTLS13",
          "HTTP/2 requires a suite with AES_128_GCM_SHA256",
        )
      : undefined;
  },
  "tracing.endpoint": (value) =>
    typeof value === "string" && /^(?!dns:|unix:|unix-abstract:)[a-z][\w+.-]*:\/\//i.test(value)
      ? wrong("host:port")
      : undefined,
  "userNamespaces.idsPerPod": (value) =>
    typeof value === "number" && (value < idsUnit || value % idsUnit !== 0 || value > 2 ** 32 - 1)
      ? wrong(`a multiple of ${idsUnit}`)
      : undefined,
};

const parts = ["crashLoopBackOff", "logging", "memorySwap", "tracing", "userNamespaces"];

/** Fields with their paths, those of structures too. */
function leaves(configuration: Configuration): [path: string, value: unknown][] {
  return Object.entries(configuration).flatMap(([name, value]): [string, unknown][] =>
    parts.includes(name) && isRecord(value)
      ? Object.entries(value).map(([part, inner]) => [`${name}.${part}`, inner])
      : [[name, value]],
  );
}

/** Feature gates that a minor does not have or that it has locked. */
function gateFaults(gates: unknown, minor: number): FieldFault[] {
  return Object.entries(isRecord(gates) ? gates : {}).flatMap(([name, isOn]) => {
    const fault = gateFault(name, isOn === true, gates as Configuration, minor);
    return fault === undefined
      ? []
      : [
          {
            path: ["featureGates", name],
            problem: `${notStarting}: ${fault}`,
            allowed: `feature gates of Kubernetes 1.${minor} that are not locked`,
          },
        ];
  });
}

/** What a field needs a feature gate for that is off. Gates of all alpha features are not followed. */
function missingGate(
  path: string,
  value: unknown,
  configuration: Configuration,
  minor: number,
): Wrong | undefined {
  const [gate = "", ...defaults] = ownValue(gated, path) ?? [];
  const isEmpty =
    value === "" ||
    (isRecord(value) && Object.keys(value).length === 0) ||
    (Array.isArray(value) && value.length === 0);
  const set = at(configuration.featureGates, gate);
  const isOn =
    typeof set === "boolean"
      ? set
      : isGateOn(gate, minor) || at(configuration.featureGates, "AllAlpha") === true;
  return gate === "" || isEmpty || defaults.includes(value) || isOn
    ? undefined
    : wrong(
        `it with the feature gate ${gate}, which is off by default in Kubernetes 1.${minor}`,
        `it needs the feature gate ${gate}`,
      );
}

/** Values with which kubelet of a minor does not start. Of minors outside of the table of settings, gates are not judged. */
export function valueFaults(configuration: Configuration, minor: number): FieldFault[] {
  const isKnown = knowsSettings(minor);
  const found = leaves(configuration).flatMap(([path, value]): FieldFault[] => {
    const single = [
      valueFault(path, value),
      ownValue(forms, path)?.(value, configuration, minor),
      isKnown ? missingGate(path, value, configuration, minor) : undefined,
      ...(path === "enforceNodeAllocatable" ? enforcementFaults(configuration) : []),
    ].find((fault) => fault !== undefined);
    const check = ownValue(entries, path);
    const inner = Object.entries(check !== undefined && isRecord(value) ? value : {}).flatMap(
      ([name, text]) => {
        const fault = typeof text === "string" ? check?.(name, text) : undefined;
        return fault === undefined ? [] : [{ path: [path, name], ...fault }];
      },
    );
    return single === undefined ? inner : [{ path: path.split("."), ...single }, ...inner];
  });
  return isKnown ? [...gateFaults(configuration.featureGates, minor), ...found] : found;
}
