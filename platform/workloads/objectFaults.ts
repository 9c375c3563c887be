import { quantity } from "../../tools/quantity";
import { at, isRecord, ownValue, textAt } from "../../tools/untyped";
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

export function versionFault(kind: string, object: unknown): Fault {
  const version = textAt(object, "apiVersion");
  const [since, now] = ownValue(gone, `${version} ${kind}`) ?? ownValue(gone, version) ?? [];
  const instead = now === "" ? "" : `: write apiVersion: ${now ?? ""}`;
  return since !== undefined && `Kubernetes has no ${kind} of ${version} since ${since}${instead}`;
}

const dnsName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

function nameFault({ kind, object }: PodMaker): Fault {
  const name = textAt(object, "metadata", "name");
  return (
    name !== "" &&
    !(dnsName.test(name) && name.length <= 253) &&
    `${kind} ${name} is not a valid name; use lowercase letters, digits, - and . only: write ${name.toLowerCase().replace(/[^a-z0-9.-]+/g, "-")}`
  );
}

const pairs = (labels: object): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join(", ");

/** apps/v1 requires a selector; older versions derived it from the labels of the pods. */
function selectorFault({ kind, object, podLabels }: PodMaker): Fault {
  if (!["Deployment", "DaemonSet", "StatefulSet", "ReplicaSet"].includes(kind)) {
    return undefined;
  }
  const selector = at(object, "spec", "selector");
  if (!isRecord(selector) || Object.keys(selector).length === 0) {
    const labels = pairs(podLabels) || "app: NAME";
    const more = labels === "app: NAME" ? ", and the same labels in spec.template.metadata" : "";
    return `spec.selector is missing: write selector: {matchLabels: {${labels}}}${more}`;
  }
  const missed = Object.entries(at(selector, "matchLabels") ?? {}).filter(
    ([key, value]) => podLabels[key] !== value,
  );
  return (
    missed.length > 0 &&
    `spec.selector has ${pairs(Object.fromEntries(missed))}, which the labels in spec.template.metadata have not`
  );
}

/** What is wrong with an object, whatever its fields say on their own. */
export const objectFaults = (maker: PodMaker): Fault[] => [
  versionFault(maker.kind, maker.object),
  nameFault(maker),
  selectorFault(maker),
  restartFault(maker),
  ...podFaults(maker.podSpec),
];
