import { ownValue } from "capz-windows-kit/untyped";
import settings from "./knownSettings.json";

/**
 * Flags, feature gates, admission plug-ins and controllers of Kubernetes' programs and fields of kubelet's configuration, by
 * minor, as the programs of these minors print them themselves; scripts/programSettings.js writes the table, and
 * test/nodes/settings.test.ts holds it against a program. etcd is the release that kubeadm of a minor runs. Of 1.38 the table knows
 * only which feature gates are gone (read in the source of v1.38.0-beta.0, which has every flag that this program passes):
 * enough to judge what this program passes, and no user's settings.
 */

export type Program = keyof typeof settings.flags;

const [oldestMinor = 0, newestMinor = 0] = settings.minors;

/** First and last minor of Kubernetes of which the table knows the settings. */
export const settingsMinors = { oldest: oldestMinor, newest: newestMinor };

/**
 * Kubeadm of Kubernetes 1.33 runs etcd 3.5, whose flags the table does not have, of 1.34 to 1.36 etcd 3.6, and of 1.37 etcd 3.7.
 * Source: v1.33.13, v1.36.3 and v1.37.2 cmd/kubeadm/app/constants/constants.go, SupportedEtcdVersion.
 */
const oldestMinorOfEtcd = 34;

/** First minor of Kubernetes of which the table knows a program's settings. */
export const oldestMinorOf = (program: Program): number =>
  program === "etcd" ? oldestMinorOfEtcd : oldestMinor;

/** Whether the table knows the settings of a minor. */
export const knowsSettings = (minor: number): boolean => minor >= oldestMinor && minor <= newestMinor;

interface Known {
  readonly since: number;
  readonly until: number;
  /** Values of a feature gate from a minor on, newest first. */
  readonly states: readonly { readonly since: number; readonly isOn: boolean; readonly isLocked: boolean }[];
}

/** `33f,35t,36T`: off, on from 1.35 on, and locked from 1.36 on. */
const readStates = (text: string): Known["states"] =>
  [...text.matchAll(/(\d+)([tf])/gi)]
    .map(([, since, letter = ""]) => ({
      since: Number(since),
      isOn: letter.toLowerCase() === "t",
      isLocked: letter === letter.toUpperCase(),
    }))
    .reverse();

/** `name`, `name@35-`, `name@-36` or `name@34-36`, and `=33f,35t,36T` behind a feature gate. */
function readNames(text: string): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const entry of text.split(" ").filter(Boolean)) {
    const [, name = "", since, until, states = ""] =
      /^([^@=]+)(?:@(\d*)-(\d*))?(?:=(.*))?$/.exec(entry) ?? [];
    known.set(name, {
      since: since === undefined || since === "" ? 0 : Number(since),
      until: until === undefined || until === "" ? Infinity : Number(until),
      states: readStates(states),
    });
  }
  return known;
}

const isIn = (known: Known | undefined, minor: number): boolean =>
  known !== undefined && known.since <= minor && minor <= known.until;

const namesIn = (known: ReadonlyMap<string, Known>, minor: number): ReadonlySet<string> =>
  new Set([...known].filter(([, one]) => isIn(one, minor)).map(([name]) => name));

interface Typed extends Known {
  /** Type of the value in Go, such as `int32`. */
  readonly type: string;
}

function readTyped(types: Readonly<Record<string, string>>): Map<string, Typed> {
  return new Map(
    Object.entries(types).flatMap(([type, names]) =>
      [...readNames(names)].map(([name, known]) => [name, { ...known, type }] as const),
    ),
  );
}

const flags: ReadonlyMap<string, ReadonlyMap<string, Typed>> = new Map(
  Object.entries(settings.flags).map(([program, types]) => [program, readTyped(types)]),
);
const fields = readTyped(settings.kubeletConfiguration);
const gates = readNames(settings.featureGates);
const plugins = readNames(settings.admissionPlugins);
const controllerNames = readNames(settings.controllers);

/** Flags whose type prints the name of another one, with a name of their own. Source: k8s.io/component-base v0.36.3 cli/flag. */
const namesakes: Readonly<Record<string, string>> = {
  "cpu-manager-policy-options": "onePair",
  "eviction-hard": "langlePairs",
  "eviction-soft": "langlePairs",
  "manifest-url-header": "headers",
  "node-labels": "configurationMap",
  "runtime-config": "configurationMap",
};

/** Type of a flag's value in Go; `undefined` for a flag that a program of a minor does not have. */
export function flagType(program: Program, name: string, minor: number): string | undefined {
  const flag = flags.get(program)?.get(name);
  return isIn(flag, minor) ? (ownValue(namesakes, name) ?? flag?.type) : undefined;
}

/** Names of a program's flags in a minor. */
export const flagNames = (program: Program, minor: number): ReadonlySet<string> =>
  namesIn(flags.get(program) ?? new Map<string, Known>(), minor);

/** Fields of KubeletConfiguration with the type of their values in Go; `memorySwap.swapBehavior` for parts of a structure. */
export const kubeletFields: ReadonlyMap<string, { readonly type: string; readonly since: number }> = fields;

/** Names of the API server's admission plug-ins in a minor. */
export const admissionPlugins = (minor: number): ReadonlySet<string> => namesIn(plugins, minor);

/** Names of the controller manager's controllers in a minor. */
export const controllers = (minor: number): ReadonlySet<string> => namesIn(controllerNames, minor);

const gateState = (name: string, minor: number): Known["states"][number] | undefined => {
  const gate = gates.get(name);
  return isIn(gate, minor) ? gate?.states.find(({ since }) => since <= minor) : undefined;
};

/** Whether a feature gate is on by default in a minor; off for one that it does not have. */
export const isGateOn = (name: string, minor: number): boolean => gateState(name, minor)?.isOn === true;

/**
 * Feature gates that need others on, from Kubernetes 1.35 on. Source: v1.35.4 and v1.36.3 pkg/features/kube_features.go,
 * defaultKubernetesFeatureGateDependencies.
 */
const gateNeeds: ReadonlyMap<string, readonly string[]> = new Map(
  [
    "AuthorizeNodeWithSelectors:AuthorizeWithSelectors ClusterTrustBundleProjection:ClusterTrustBundle",
    "DRAAdminAccess:DynamicResourceAllocation DRAConsumableCapacity:DynamicResourceAllocation",
    "DRADeviceBindingConditions:DRAResourceClaimDeviceStatus,DynamicResourceAllocation",
    "DRADeviceTaintRules:DRADeviceTaints DRADeviceTaints:DynamicResourceAllocation",
    "DRAExtendedResource:DynamicResourceAllocation DRAListTypeAttributes:DynamicResourceAllocation",
    "DRANodeAllocatableResources:DynamicResourceAllocation DRAPartitionableDevices:DynamicResourceAllocation",
    "DRAPrioritizedList:DynamicResourceAllocation",
    "DRAResourceClaimGranularStatusAuthorization:DRAResourceClaimDeviceStatus,DynamicResourceAllocation",
    "DRAResourcePoolStatus:DynamicResourceAllocation DRASchedulerFilterTimeout:DynamicResourceAllocation",
    "DRAWorkloadResourceClaims:DynamicResourceAllocation,GenericWorkload",
    "DeclarativeValidationBeta:DeclarativeValidation DeclarativeValidationTakeover:DeclarativeValidation",
    "DisableAllocatorDualWrite:MultiCIDRServiceAllocator ExtendWebSocketsToKubelet:NodeDeclaredFeatures",
    "GangScheduling:GenericWorkload GracefulNodeShutdownBasedOnPodPriority:GracefulNodeShutdown",
    "ImageVolumeWithDigest:ImageVolume",
    "InPlacePodLevelResourcesVerticalScaling:InPlacePodVerticalScaling,NodeDeclaredFeatures,PodLevelResources",
    "InPlacePodVerticalScalingAllocatedStatus:InPlacePodVerticalScaling",
    "InPlacePodVerticalScalingExclusiveCPUs:InPlacePodVerticalScaling",
    "InPlacePodVerticalScalingExclusiveMemory:InPlacePodVerticalScaling,MemoryManager",
    "InPlacePodVerticalScalingInitContainers:InPlacePodVerticalScaling,NodeDeclaredFeatures",
    "MatchLabelKeysInPodTopologySpreadSelectorMerge:MatchLabelKeysInPodTopologySpread",
    "PodCertificateRequest:AuthorizeNodeWithSelectors PodLevelResourceManagers:PodLevelResources",
    "PodLifecycleSleepActionAllowZero:PodLifecycleSleepAction ProcMountType:UserNamespacesSupport",
    "ResourceHealthStatus:DynamicResourceAllocation ResourceHealthStatusMessage:ResourceHealthStatus",
    "RestartAllContainersOnContainerExits:ContainerRestartRules,NodeDeclaredFeatures",
    "ServiceAccountTokenNodeBinding:ServiceAccountTokenNodeBindingValidation StorageVersionAPI:APIServerIdentity",
    "StructuredAuthenticationConfigurationEgressSelector:StructuredAuthenticationConfiguration",
    "StructuredAuthenticationConfigurationJWKSMetrics:StructuredAuthenticationConfiguration",
    "TopologyAwareWorkloadScheduling:GenericWorkload UnknownVersionInteroperabilityProxy:APIServerIdentity",
    "UserNamespacesHostNetworkSupport:UserNamespacesSupport WindowsCPUAndMemoryAffinity:MemoryManager",
    "WindowsGracefulNodeShutdown:GracefulNodeShutdown WorkloadAwarePreemption:GangScheduling",
    "WorkloadWithJob:GenericWorkload",
  ]
    .flatMap((line) => line.split(" "))
    .map((row) => {
      const [name = "", needed = ""] = row.split(":");
      return [name, needed.split(",")] as const;
    }),
);

const firstMinorWithNeeds = 35;

/** Why the programs of a minor do not start with a feature gate on or off, beside others; `undefined` if they do. */
export function gateFault(
  name: string,
  isOn: boolean,
  others: Readonly<Record<string, unknown>>,
  minor: number,
): string | undefined {
  const state = gateState(name, minor);
  if (state === undefined) {
    return `Kubernetes 1.${minor} has no feature gate ${name}`;
  }
  if (state.isLocked && state.isOn !== isOn) {
    return `the feature gate ${name} is always ${state.isOn ? "on" : "off"} in Kubernetes 1.${minor}`;
  }
  if (minor < firstMinorWithNeeds) {
    return undefined;
  }
  const isEnabled = (gate: string): boolean => {
    const set = ownValue(others, gate);
    return typeof set === "boolean" ? set : isGateOn(gate, minor);
  };
  const missing = isOn
    ? gateNeeds.get(name)?.find((needed) => gateState(needed, minor) !== undefined && !isEnabled(needed))
    : undefined;
  if (missing !== undefined) {
    return `the feature gate ${name} needs ${missing}`;
  }
  const dependent = isOn
    ? undefined
    : [...gateNeeds].find(([gate, needed]) => needed.includes(name) && isEnabled(gate))?.[0];
  return dependent === undefined ? undefined : `the feature gate ${dependent}, which is on, needs ${name}`;
}
