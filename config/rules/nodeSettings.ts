import { present } from "capz-windows-kit/present";
import { minor } from "semver";
import {
  blindSignals,
  flagsOfWindowsImages,
  ignoredOnWindows,
  lostEvictions,
} from "../../bootstrap/kubeletPairs";
import { goSeconds } from "capz-windows-platform/cluster/goValues";
import { logQueryMinors, reservedOf } from "../../bootstrap/kubeletConfig";
import {
  isLabelKey,
  isLabelValue,
  kubeletLabels,
  mostLabelCharacters,
  reservedLabel,
  reservedTaint,
} from "capz-windows-platform/machines/nodeLabels";
import { vmResources } from "capz-windows-platform/machines/vmSizes";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { at } from "capz-windows-kit/untyped";
import { cpus, memoryBytes } from "capz-windows-kit/quantity";
import { type Pool, poolsOf, samplePool } from "../pools";
import type { Settings } from "../settings";

type Os = "linux" | "windows";

const keyText = "a name of up to 63 letters, digits, -, _ and ., after an optional DNS name and a slash";

function labelFault(key: string, value: string): string | undefined {
  if (!isLabelKey(key)) {
    return "not a valid label key";
  }
  return isLabelValue(value) ? reservedLabel(key) : `"${value}" is not a valid label value`;
}

/** Invalid labels, and labels that users may not set. */
function labelProblems(path: string, { labels }: Pool): Problem[] {
  const entries = Object.entries(labels);
  const faults = entries.flatMap(([key, value]): [key: string, fault: string][] => {
    const fault = labelFault(key, value);
    return fault === undefined ? [] : [[key, fault]];
  });
  const common = { path: `${path}.labels`, value: labels };
  if (faults.length > 0) {
    return [
      {
        ...common,
        problem: faults.map(([key, fault]) => `${key}: ${fault}`).join("; "),
        allowed: `keys: ${keyText}; values: up to 63 letters, digits, -, _ and .`,
      },
    ];
  }
  const characters = kubeletLabels(labels).length;
  return present(
    characters > mostLabelCharacters && {
      ...common,
      problem: `the labels that kubelet sets have ${characters} characters in total`,
      allowed: `at most ${mostLabelCharacters}, because they are one argument of kubelet, whose size Cluster API limits`,
    },
  );
}

type Taint = Pool["taints"][number];

function taintFault({ key, value, effect }: Taint, earlier: readonly Taint[]): string | undefined {
  if (!isLabelKey(key)) {
    return "not a valid taint key";
  }
  if (!isLabelValue(value)) {
    return "not a valid taint value";
  }
  const isRepeated = earlier.some((other) => other.key === key && other.effect === effect);
  return (
    reservedTaint(key) ??
    (isRepeated ? "the API server refuses a node with two taints of the same key and effect" : undefined)
  );
}

function taintProblems(path: string, { taints }: Pool): Problem[] {
  return taints.flatMap((taint, index): Problem[] => {
    const { key, value, effect } = taint;
    const at = `${path}.taints[${index}]`;
    const fault = taintFault(taint, taints.slice(0, index));
    return present(
      fault !== undefined && {
        path: at,
        value: { key, value, effect },
        uses: [`${path}.taints`],
        problem: fault,
        allowed: `keys: ${keyText}; each with each effect once`,
      },
    );
  });
}

function reservedProblems(path: string, { kubelet, vmSize }: Pool, os: Os): Problem[] {
  const size = vmResources(vmSize);
  const given = kubelet?.reserved;
  const reserved = reservedOf(kubelet, os);
  const common = {
    path: `${path}.kubelet.reserved`,
    value: given,
    uses: [`${path}.kubelet`, `${path}.vmSize`],
  };
  if (given?.enabled === false && (given.cpu !== undefined || given.memory !== undefined)) {
    return [
      {
        ...common,
        path: `${common.path}.enabled`,
        value: false,
        problem: "enabled: false keeps nothing from pods, and cpu and memory have no effect",
        allowed: "enabled: false alone, or cpu and memory",
      },
    ];
  }
  // Every size that vmResources knows has more than the default.
  if (given === undefined || reserved === undefined || size === undefined) {
    return [];
  }
  const { cpu, memory } = reserved;
  return present(
    cpus(cpu) >= size.cpus && {
      ...common,
      problem: `${cpu} CPUs of the ${size.cpus} of ${vmSize} are reserved: none would be left for pods`,
      allowed: `less than ${size.cpus} CPUs`,
    },
    memoryBytes(memory) >= size.memoryGiB * 1024 ** 3 && {
      ...common,
      problem: `${memory} of the ${size.memoryGiB} GiB of ${vmSize} are reserved: none would be left for pods`,
      allowed: `less than ${size.memoryGiB}Gi`,
    },
  ).slice(0, 1);
}

/** A key that answers for fields of kubelet's configuration needs them as they are by default. */
function logQueryProblems(path: string, { kubelet, kubernetesVersion }: Pool, os: Os): Problem[] {
  if (kubelet?.logQuery !== true) {
    return [];
  }
  const { enableSystemLogQuery, enableSystemLogHandler, enableDebuggingHandlers, featureGates } =
    kubelet.configuration ?? {};
  const common = { path: `${path}.kubelet.logQuery`, value: true };
  const switches: readonly (readonly [name: string, value: unknown])[] = [
    ["enableSystemLogQuery", enableSystemLogQuery],
    ["enableSystemLogHandler", enableSystemLogHandler],
    ["enableDebuggingHandlers", enableDebuggingHandlers],
    ["featureGates.NodeLogQuery", at(featureGates, "NodeLogQuery")],
  ];
  const off = switches.filter(
    ([name, value]) => value === false && (os === "linux" || !flagsOfWindowsImages.includes(name)),
  );
  return present<Problem>(
    minor(kubernetesVersion) < logQueryMinors.first && {
      ...common,
      uses: [common.path, `${path}.kubernetesVersion`, "kubernetesVersion"],
      problem: `kubelet of ${kubernetesVersion} has no log queries, and does not start with their feature gate`,
      allowed: `Kubernetes 1.${logQueryMinors.first} or newer`,
    },
    ...off.map(([name]) => ({
      ...common,
      uses: [common.path, `${path}.kubelet.configuration`],
      problem: `kubelet.configuration has ${name}: false, without which kubelet answers no log queries`,
      allowed: `without ${name}: false`,
    })),
  );
}

function kubeletProblems(path: string, pool: Pool, os: Os, { platform }: Settings): Problem[] {
  const { kubelet } = pool;
  if (platform.cloudProvider !== "external") {
    return present(
      kubelet !== undefined && {
        path: `${path}.kubelet`,
        value: kubelet,
        uses: [`${path}.kubelet`, "flavor", "kubernetesVersion"],
        problem: "the bootstrap data of Kubernetes before 1.26 has no patch for kubelet's configuration",
        allowed: "no kubelet configuration before Kubernetes 1.26",
      },
    );
  }
  const { highPercent = 85, lowPercent = 80, minAgeMinutes = 2 } = kubelet?.imageGC ?? {};
  const longest = kubelet?.configuration?.imageMaximumGCAge;
  const longestSeconds = typeof longest === "string" ? (goSeconds(longest) ?? 0) : 0;
  return present(
    // kubernetes v1.36 pkg/kubelet/apis/config/validation/validation.go: greater than imageMinimumGCAge.
    longestSeconds > 0 &&
      longestSeconds <= minAgeMinutes * 60 && {
        path: `${path}.kubelet.configuration.imageMaximumGCAge`,
        value: longest,
        uses: [`${path}.kubelet.imageGC`],
        problem: `it is not longer than imageGC.minAgeMinutes, ${minAgeMinutes}, and kubelet does not start with that`,
        allowed: `0s, or longer than ${minAgeMinutes}m`,
      },
    ...reservedProblems(path, pool, os),
    ...logQueryProblems(path, pool, os),
    lowPercent >= highPercent && {
      path: `${path}.kubelet.imageGC`,
      value: kubelet?.imageGC,
      problem: `lowPercent ${lowPercent} is not less than highPercent ${highPercent}, and kubelet does not start with that`,
      allowed: "a lowPercent (default 80) less than highPercent (default 85)",
    },
  );
}

/** The sample tolerates nothing. */
function sampleProblems(settings: Settings): Problem[] {
  const found = settings.sampleWorkload === undefined ? undefined : samplePool(settings);
  const repelled = found?.pool.taints.some(({ effect }) => effect !== "PreferNoSchedule");
  return present(
    found !== undefined &&
      repelled === true && {
        path: "sampleWorkload",
        uses: ["sampleWorkload", "windowsPools"],
        problem: `the pool ${found.name} has taints, which the sample's pods do not tolerate`,
        allowed: "a Windows pool without taints",
      },
  );
}

/** Labels, taints and kubelet configurations with which nodes would not register, or could not run pods. */
export const nodeSettingRules = (settings: Settings): Problem[] => [
  ...poolsOf(settings).flatMap(({ os, path, pool }) => [
    ...labelProblems(path, pool),
    ...taintProblems(path, pool),
    ...kubeletProblems(path, pool, os, settings),
  ]),
  ...sampleProblems(settings),
];

/** Kubelet configurations that do less than they say, or of which only kubelet knows whether it starts with them. */
export const kubeletWarnings = (settings: Settings): Warning[] =>
  poolsOf(settings).flatMap(({ os, path: place, pool: { kubelet, kubernetesVersion } }) => {
    const path = `${place}.kubelet`;
    const configuration = kubelet?.configuration ?? {};
    const lost = lostEvictions(configuration, os);
    const blind = os === "windows" ? blindSignals(configuration) : [];
    // kubelet merges them from 1.33 on (k8s.io/kubelet config/v1beta1/types.go).
    const keep =
      minor(kubernetesVersion) < 33
        ? `write them too: ${lost.map(([signal, threshold]) => `${signal}: ${threshold}`).join(", ")}`
        : "write mergeDefaultEvictionSettings: true beside it";
    return present<Warning>(
      os === "windows" &&
        kubelet?.reserved?.enabled === false && {
          path: `${path}.reserved.enabled`,
          message:
            "nothing is kept from pods: Windows takes about 2 GiB itself, and where pods take the rest, kubelet and containerd stop answering and the node becomes NotReady",
        },
      lost.length > 0 && {
        path: `${path}.configuration.evictionHard`,
        message: `it replaces all defaults, and kubelet no longer looks at ${lost.map(([signal]) => signal).join(", ")}: a full disk makes the pods of the node fail; ${keep}`,
      },
      blind.length > 0 && {
        path: `${path}.configuration`,
        message: `kubelet on Windows never evicts pods by ${blind.join(", ")}: it counts no inodes and no processes there`,
      },
      ...(os === "windows" ? ignoredOnWindows(configuration, minor(kubernetesVersion)) : []).map((field) => ({
        path: `${path}.configuration.${field.name}`,
        message: `kubelet on Windows ignores it: ${field.why}`,
      })),
    );
  });
