import { quantity } from "capz-windows-kit/quantity";
import { at, isRecord, list, ownValue, strings, textAt } from "capz-windows-kit/untyped";
import { placeholderIn } from "./imageReferences";
import { containersOf, hasHostProcess, isHostProcess, repeated } from "./podSpec";

/** Why the API server refuses an object that makes pods, where one field does not tell. */

/** An object that makes pods. */
export interface PodMaker {
  readonly kind: string;
  readonly object: unknown;
  /** The template of its pods; a Pod itself. */
  readonly template: unknown;
  readonly podSpec: unknown;
  /** Whether it is of a kind of Kubernetes itself. */
  readonly isKnown: boolean;
  readonly podLabels: Readonly<Record<string, string>>;
  /** Whether an API server has taken it already. */
  readonly isAccepted: boolean;
  /** Whether the names of the nodes are known. */
  readonly knowsNodes: boolean;
  /** Whether a webhook puts credential specs into pods. */
  readonly hasGmsa: boolean;
  /** Whether an object that its pods may name is among the manifests. */
  readonly has: (kind: string, name: string) => boolean;
}

type Fault = string | false | undefined;

/** Restart policies that the controller of a kind does not take (pkg/apis/batch/validation, pkg/apis/apps/validation). */
function restartFault({ kind, podSpec, isKnown }: PodMaker): Fault {
  const policy = textAt(podSpec, "restartPolicy");
  const isJob = ["CronJob", "Job"].includes(kind);
  const allowed = isJob ? ["OnFailure", "Never"] : ["", "Always"];
  return (
    isKnown &&
    kind !== "Pod" &&
    !allowed.includes(policy) &&
    `the pods of a ${kind} have restartPolicy ${policy || "Always, the default"}: write ${isJob ? "OnFailure or Never" : "Always"}`
  );
}

function podFaults(podSpec: unknown): (string | false)[] {
  const containers = containersOf(podSpec);
  const isHost = hasHostProcess(podSpec);
  return [
    ...repeated(containers, "name").map((name) => `two containers are named ${name}`),
    ...repeated(at(podSpec, "volumes"), "name").map((name) => `two volumes are named ${name}`),
    isHost && at(podSpec, "hostNetwork") !== true && "a HostProcess pod needs hostNetwork: true",
    isHost &&
      !containers.every(isHostProcess(podSpec)) &&
      "either all containers of a pod are HostProcess, or none is",
  ];
}

/** Why a request is above its limit. */
export function limitFault(resources: unknown): string[] {
  return ["cpu", "memory"].flatMap((resource) => {
    const [requested, limit] = ["requests", "limits"].map((side) => at(resources, side, resource));
    const isAbove = (quantity(requested) ?? 0) > (quantity(limit) ?? Infinity);
    return isAbove
      ? [`requests more ${resource} (${String(requested)}) than its limit (${String(limit)})`]
      : [];
  });
}

type Gone = readonly [since: string, now: string];

const oneOf = (version: string, kinds: readonly string[], since: string, now: string): Record<string, Gone> =>
  Object.fromEntries(kinds.map((kind) => [`${version} ${kind}`, [since, now]]));

/** API versions, or kinds of them, that are gone: since when, and what to write (Kubernetes, Deprecated API Migration Guide). */
const gone: Readonly<Record<string, Gone>> = {
  "extensions/v1beta1": ["1.16", "apps/v1"],
  "extensions/v1beta1 Ingress": ["1.22", "networking.k8s.io/v1"],
  "extensions/v1beta1 NetworkPolicy": ["1.16", "networking.k8s.io/v1"],
  "apps/v1beta1": ["1.16", "apps/v1"],
  "apps/v1beta2": ["1.16", "apps/v1"],
  "batch/v2alpha1": ["1.21", "batch/v1"],
  "batch/v1beta1": ["1.25", "batch/v1"],
  "autoscaling/v2beta1": ["1.25", "autoscaling/v2"],
  "autoscaling/v2beta2": ["1.26", "autoscaling/v2"],
  "policy/v1beta1": ["1.25", "policy/v1"],
  "policy/v1beta1 PodSecurityPolicy": ["1.25", ""],
  "rbac.authorization.k8s.io/v1beta1": ["1.22", "rbac.authorization.k8s.io/v1"],
  "apiextensions.k8s.io/v1beta1": ["1.22", "apiextensions.k8s.io/v1"],
  "discovery.k8s.io/v1beta1": ["1.25", "discovery.k8s.io/v1"],
  "node.k8s.io/v1beta1": ["1.25", "node.k8s.io/v1"],
  ...oneOf("networking.k8s.io/v1beta1", ["Ingress", "IngressClass"], "1.22", "networking.k8s.io/v1"),
  ...oneOf("storage.k8s.io/v1beta1", ["CSIDriver", "StorageClass"], "1.22", "storage.k8s.io/v1"),
  ...oneOf("scheduling.k8s.io/v1beta1", ["PriorityClass"], "1.22", "scheduling.k8s.io/v1"),
  ...oneOf(
    "admissionregistration.k8s.io/v1beta1",
    ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
    "1.22",
    "admissionregistration.k8s.io/v1",
  ),
};

/** The version of kinds that make pods. */
const versions: Readonly<Record<string, string>> = {
  ...{ Pod: "v1", ReplicationController: "v1", Job: "batch/v1", CronJob: "batch/v1" },
  ...{ Deployment: "apps/v1", DaemonSet: "apps/v1", StatefulSet: "apps/v1", ReplicaSet: "apps/v1" },
};

export function versionFault(kind: string, object: unknown): Fault {
  const version = textAt(object, "apiVersion");
  const right = /^(?:v1|apps\/.*|batch\/.*)$/.test(version) ? ownValue(versions, kind) : undefined;
  const [since, now] = ownValue(gone, `${version} ${kind}`) ?? ownValue(gone, version) ?? [];
  const instead = now === "" ? "" : `: write apiVersion: ${now ?? ""}`;
  if (since !== undefined) {
    return `Kubernetes has no ${kind} of ${version} since ${since}${instead}`;
  }
  return (
    right !== undefined &&
    right !== version &&
    `Kubernetes has no ${kind} of ${version}: write apiVersion: ${right}`
  );
}

export const dnsName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** The longest name of an object: the pods of a CronJob have names with eleven characters more (pkg/apis/batch/validation). */
const longestName = (kind: string): number => (kind === "CronJob" ? 52 : 253);

function nameFault({ kind, object }: PodMaker): Fault {
  const name = textAt(object, "metadata", "name");
  if (name === "") {
    return textAt(object, "metadata", "generateName") === "" && "metadata.name is missing";
  }
  const namespace = textAt(object, "metadata", "namespace");
  if (
    namespace !== "" &&
    placeholderIn(namespace) === undefined &&
    !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)
  ) {
    return `namespace ${namespace} is not lowercase letters, digits and -, at most 63`;
  }
  if (name.length > longestName(kind)) {
    return `${kind} ${name}: its name has more than ${longestName(kind)} characters`;
  }
  return (
    !dnsName.test(name) &&
    placeholderIn(name) === undefined &&
    `${kind} ${name} is not a valid name; use lowercase letters, digits, - and . only: write ${name.toLowerCase().replace(/[^a-z0-9.-]+/g, "-")}`
  );
}

const pairs = (labels: object): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join(", ");

/** The part before a slash in the key of a label is the name of a domain (apimachinery v0.36.3 pkg/util/validation, IsQualifiedName). */
const labelKey = /^(?:[a-z0-9][-a-z0-9.]*\/)?[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?$/;

const keyFault = ({ object, template, podSpec }: PodMaker): Fault => {
  const places = [at(object, "metadata"), at(template, "metadata")];
  const labels = [...places.map((place) => at(place, "labels")), at(podSpec, "nodeSelector")];
  const key = labels
    .flatMap((each) => (isRecord(each) ? Object.keys(each) : []))
    .find((each) => !labelKey.test(each) && placeholderIn(each) === undefined);
  return key !== undefined && `${JSON.stringify(key)} is no key of a label`;
};

/** Whether an amount of pods is nought; `undefined` where something must replace a part of it first. */
const isNought = (amount: unknown): boolean => /^0+%?$/.test(String(amount));

/** pkg/apis/apps/validation: ValidateDeploymentSpec, ValidateRollingUpdateDaemonSet; defaults of pkg/apis/apps/v1. */
function rolloutFaults({ kind, object }: PodMaker): Fault[] {
  const spec = at(object, "spec");
  const { maxSurge, maxUnavailable } = (at(spec, "strategy", "rollingUpdate") ??
    at(spec, "updateStrategy", "rollingUpdate") ??
    {}) as Record<string, unknown>;
  const isNoAmount = [maxSurge, maxUnavailable].find(
    (each) => typeof each === "string" && placeholderIn(each) === undefined && !/^\d+%$/.test(each),
  );
  const deadline = Number(at(spec, "progressDeadlineSeconds") ?? 600);
  const isSurging = !isNought(maxSurge ?? 0);
  return [
    isNoAmount !== undefined && `${JSON.stringify(isNoAmount)} is no number of pods: write it like 1 or 25%`,
    kind === "Deployment" &&
      textAt(spec, "strategy", "type") === "Recreate" &&
      isRecord(at(spec, "strategy", "rollingUpdate")) &&
      "strategy.rollingUpdate is not for the type Recreate",
    kind === "Deployment" &&
      isNought(maxSurge) &&
      isNought(maxUnavailable) &&
      "maxSurge and maxUnavailable are both 0, so no pod can be replaced",
    kind === "Deployment" &&
      Number(at(spec, "minReadySeconds") ?? 0) >= deadline &&
      `minReadySeconds must be less than progressDeadlineSeconds (${deadline})`,
    kind === "DaemonSet" &&
      isSurging === !isNought(maxUnavailable ?? 1) &&
      "one of maxSurge and maxUnavailable (1 by default) must be 0, and the other not",
  ];
}

/** pkg/apis/batch/validation: validateJobSpec, ValidateCronJobSpec. */
function jobFaults({ kind, object }: PodMaker): Fault[] {
  const spec = at(object, "spec", ...(kind === "CronJob" ? ["jobTemplate", "spec"] : []));
  const isIndexed = at(spec, "completionMode") === "Indexed";
  return [
    isIndexed &&
      typeof at(spec, "completions") !== "number" &&
      typeof at(spec, "parallelism") === "number" &&
      "completionMode: Indexed needs completions",
    !isIndexed &&
      typeof at(spec, "backoffLimitPerIndex") === "number" &&
      "backoffLimitPerIndex needs completionMode: Indexed",
    kind === "Job" &&
      isRecord(at(spec, "selector")) &&
      at(spec, "manualSelector") !== true &&
      "a Job has no selector of its own: leave it out",
    Number(at(spec, "ttlSecondsAfterFinished") ?? 0) < 0 && "ttlSecondsAfterFinished is less than 0",
  ];
}

/** Whether labels meet an expression of a selector; one with another operator is refused by itself. */
function isMet(expression: unknown, labels: Readonly<Record<string, string>>): boolean {
  const value = ownValue(labels, textAt(expression, "key"));
  const isListed = value !== undefined && strings(at(expression, "values")).includes(value);
  const met: Readonly<Record<string, boolean>> = {
    ...{ In: isListed, NotIn: !isListed, Exists: value !== undefined, DoesNotExist: value === undefined },
  };
  return ownValue(met, textAt(expression, "operator")) ?? true;
}

/** apps/v1 requires a selector; older versions derived it from the labels of the pods. */
function selectorFault({ kind, object, podLabels }: PodMaker): Fault {
  if (!["Deployment", "DaemonSet", "StatefulSet", "ReplicaSet"].includes(kind)) {
    return undefined;
  }
  const selector = at(object, "spec", "selector");
  const isEmpty = [at(selector, "matchLabels") ?? {}, at(selector, "matchExpressions") ?? {}].every(
    (part) => Object.keys(Object(part) as object).length === 0,
  );
  if (isEmpty) {
    const labels = pairs(podLabels) || "app: NAME";
    const more = labels === "app: NAME" ? ", and the same labels in spec.template.metadata" : "";
    return `spec.selector is missing: write selector: {matchLabels: {${labels}}}${more}`;
  }
  const missed = Object.entries(at(selector, "matchLabels") ?? {}).filter(
    ([key, value]) => podLabels[key] !== value,
  );
  const unmet = list(at(selector, "matchExpressions")).find((each) => !isMet(each, podLabels));
  if (unmet !== undefined) {
    return `spec.selector: the labels in spec.template.metadata do not meet ${textAt(unmet, "key")} ${textAt(unmet, "operator")} ${strings(at(unmet, "values")).join(", ")}`.trim();
  }
  return (
    missed.length > 0 &&
    `spec.selector has ${pairs(Object.fromEntries(missed))}, which the labels in spec.template.metadata have not`
  );
}

/** What is wrong with an object, whatever its fields say on their own. */
export const objectFaults = (maker: PodMaker): Fault[] => [
  versionFault(maker.kind, maker.object),
  nameFault(maker),
  keyFault(maker),
  selectorFault(maker),
  ...(maker.isKnown ? [...rolloutFaults(maker), ...jobFaults(maker)] : []),
  restartFault(maker),
  ...podFaults(maker.podSpec),
];
