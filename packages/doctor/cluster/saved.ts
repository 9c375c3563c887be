import { autoscalerAnnotation } from "capz-windows-platform/machines/autoscalerAnnotation";
import { pausedAnnotation, scaleDownAnnotation } from "capz-windows-platform/machines/scaleDown";
import { nameOf } from "capz-windows-kit/credentials";
import { isRecord, ownValue, text } from "capz-windows-kit/untyped";
import { withoutCredentials } from "./clean";
import { managementKinds, workloadKinds } from "./kinds";
import type { KubeObject } from "./objects";
import type { ClusterView, Side, Snapshot } from "./snapshot";

/**
 * The fields that rules read, each at its place, and no other, are read from a cluster and kept in a recording for those who help.
 * What a new version of an object adds, and what others put into one, may be a secret.
 */

/** What is kept of a text with a name. */
type KeepText = (text: string, name: string) => string;

/** What is kept of a value with a name; `undefined` for nothing. */
type Keep = (value: unknown, name: string, keepText: KeepText) => unknown;

/** The fields that are kept of a mapping, and of each mapping of a list. */
interface Fields {
  readonly [field: string]: Keep | Fields;
}

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null;

/** A text, a number, a truth, or a list of them. */
const plain: Keep = (value, name, keepText) => {
  if (Array.isArray(value)) {
    return value.filter(isPlain).map((inner) => plain(inner, name, keepText));
  }
  if (typeof value === "string") {
    return keepText(value, name);
  }
  return isPlain(value) ? value : undefined;
};

/** Of a mapping with names that users choose: their plain values. */
const named: Keep = (value, _name, keepText) =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner, name, keepText)]))
    : undefined;

/** Whether there is something. */
const presence: Keep = (value) => (text(value) === "" ? text(value) : "(not kept)");

/** Of a bootstrap token its ID, which is in the name of its Secret as well. */
const tokenId: Keep = (value) => `${text(value).split(".")[0] ?? ""}.`;

/** Of the arguments of programs, which may have passwords, those that rules read. */
const arguments_: Keep = (value) =>
  Array.isArray(value)
    ? value.filter((one) => /^--bootstrap-token-ttl=[0-9hms]{1,20}$/.test(text(one)))
    : undefined;

/** Fields with plain values. */
const fields = (names: string): Record<string, Keep> =>
  Object.fromEntries(names.split(" ").map((name) => [name, plain]));

/** Annotations of others belong to programs of which nothing is known. */
const annotations = fields(
  [
    ...[pausedAnnotation, scaleDownAnnotation, autoscalerAnnotation.min, autoscalerAnnotation.max],
    ...["machinedeployment.clusters.x-k8s.io/revision", "cluster.x-k8s.io/machine"],
  ].join(" "),
);

const metadata: Fields = {
  ...fields("name namespace uid generation creationTimestamp deletionTimestamp finalizers"),
  labels: named,
  annotations,
  ownerReferences: fields("apiVersion kind name controller"),
};

const reference = fields("apiVersion kind name namespace");

/** The last heartbeat of a node is the newest time of a recording. */
const conditions = fields(
  "type status reason message severity lastTransitionTime lastHeartbeatTime observedGeneration",
);

const taints = fields("key value effect");

const selector: Fields = { matchLabels: named, matchExpressions: fields("key operator values") };

const windows: Fields = {
  windowsOptions: fields("hostProcess gmsaCredentialSpecName gmsaCredentialSpec"),
};

/** Of a pod, or of the pods of a workload. */
const container: Fields = {
  ...fields("name image"),
  args: arguments_,
  resources: { requests: named, limits: named },
  securityContext: windows,
};

const image: Fields = {
  ...fields("id"),
  marketplace: fields("publisher offer sku version thirdPartyImage"),
  computeGallery: {
    ...fields("gallery name version subscriptionID resourceGroup"),
    plan: fields("publisher offer sku"),
  },
  sharedGallery: fields("subscriptionID resourceGroup gallery name version publisher offer sku"),
};

/** Of a machine, a scale set or a template of one. */
const machine: Fields = {
  ...fields("vmSize version providerID failureDomain clusterName"),
  osDisk: fields("osType"),
  image,
  containers: container,
  bootstrap: { configRef: reference },
  infrastructureRef: reference,
};

const endings = fields("reason message exitCode startedAt finishedAt");

const containerStatuses: Fields = {
  ...fields("name image ready restartCount"),
  state: { waiting: fields("reason message"), terminated: endings },
  lastState: { terminated: endings },
};

const programArguments = fields("name value");

const kubeletArguments: Fields = { nodeRegistration: { kubeletExtraArgs: programArguments } };

const certificates = { before: fields("certificatesExpiryDays") };

const spec: Fields = {
  ...machine,
  ...fields("replicas paused providerIDList instanceID unschedulable nodeName type loadBalancerClass"),
  ...fields("location resourceGroup subscriptionID clientID signerName username"),
  bastionSpec: { azureBastion: fields("name") },
  bindings: { ...fields("clusterResourceSetName"), resources: fields("kind name applied") },
  checks: fields("nodeStartupTimeoutSeconds"),
  clientSecret: fields("name namespace"),
  clusterSelector: selector,
  controlPlaneEndpoint: fields("host port"),
  deletion: fields("nodeDrainTimeoutSeconds nodeDeletionTimeoutSeconds"),
  identityRef: reference,
  initContainers: container,
  joinConfiguration: { discovery: { bootstrapToken: { token: tokenId } }, ...kubeletArguments },
  kubeadmConfigSpec: {
    clusterConfiguration: {
      apiServer: { extraArgs: programArguments },
      controllerManager: { extraArgs: programArguments },
      scheduler: { extraArgs: programArguments },
      etcd: { local: { extraArgs: programArguments } },
    },
    initConfiguration: kubeletArguments,
    joinConfiguration: kubeletArguments,
  },
  machineTemplate: { infrastructureRef: reference, spec: { infrastructureRef: reference } },
  networkSpec: {
    ...fields("privateDNSZoneName"),
    apiServerLB: fields("name type"),
    vnet: fields("name resourceGroup"),
  },
  nodeSelector: named,
  os: fields("name"),
  rollout: certificates,
  rolloutBefore: fields("certificatesExpiryDays"),
  securityContext: windows,
  /** Of a workload or a MachineHealthCheck; that of a Service is a mapping of labels. */
  selector: (value, name, keepText) =>
    isRecord(value) && ("matchLabels" in value || "matchExpressions" in value)
      ? kept(selector, value, keepText)
      : named(value, name, keepText),
  service: fields("name namespace"),
  taints,
  template: { ...machine, metadata: { labels: named }, spec: machine },
  volumes: { persistentVolumeClaim: fields("claimName") },
};

const status: Fields = {
  ...fields("phase reason message ready provisioningState vmState latestModelApplied version startTime"),
  ...fields(
    "replicas readyReplicas availableReplicas upToDateReplicas observedGeneration certificatesExpiryDate",
  ),
  ...fields("failureMessage failureReason"),
  addresses: fields("type address"),
  certificate: presence,
  conditions,
  containerStatuses,
  deletion: fields("nodeDrainStartTime"),
  deprecated: { v1beta1: { ...fields("failureMessage failureReason"), conditions } },
  initContainerStatuses: containerStatuses,
  infrastructureReady: plain,
  initialization: fields("controlPlaneInitialized infrastructureProvisioned"),
  loadBalancer: { ingress: fields("ip hostname") },
  nodeInfo: fields(
    "kubeletVersion operatingSystem osImage kernelVersion containerRuntimeVersion architecture",
  ),
  nodeRef: reference,
  nodeRefs: reference,
};

/** Of an object of any kind, also of an Event. */
const object: Fields = {
  ...fields("apiVersion kind type reason message note count firstTimestamp lastTimestamp eventTime"),
  metadata,
  involvedObject: reference,
  regarding: reference,
  series: fields("count lastObservedTime"),
  spec,
  status,
  webhooks: { ...fields("name"), clientConfig: { caBundle: presence, service: fields("name namespace") } },
};

const problem: Fields = fields("what asked message optional");

/** What is kept of a value where these fields are: of a list that of each of its mappings, of anything else nothing. */
function kept(wanted: Fields, value: unknown, keepText: KeepText): unknown {
  if (Array.isArray(value)) {
    return value.filter(isRecord).map((inner) => kept(wanted, inner, keepText));
  }
  if (!isRecord(value)) {
    return undefined;
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const keep = ownValue(wanted, key);
      if (keep === undefined) {
        return [];
      }
      const saved =
        typeof keep === "function"
          ? keep(inner, nameOf(value, key) ?? key, keepText)
          : kept(keep, inner, keepText);
      return saved === undefined ? [] : [[key, saved]];
    }),
  );
}

const readKinds: Readonly<Record<Side, ReadonlySet<string>>> = {
  management: new Set(managementKinds.map(({ kind }) => kind)),
  workload: new Set(workloadKinds.map(({ kind }) => kind)),
};

/** An object as rules read it: credentials in its texts are hidden where a report is made. */
export const withoutSecrets = (one: KubeObject): KubeObject =>
  kept(object, one, (text) => text) as KubeObject;

const savedSide = (side: Side, { objects, problems }: ClusterView): ClusterView => ({
  objects: objects
    .filter(({ kind }) => readKinds[side].has(kind))
    .map((one) => kept(object, one, withoutCredentials) as KubeObject),
  problems: kept(problem, problems, withoutCredentials) as ClusterView["problems"],
});

export const savedSnapshot = ({ takenAt, cluster, stack, management, workload }: Snapshot): Snapshot => ({
  takenAt,
  cluster: { name: cluster.name, namespace: cluster.namespace },
  ...(stack === undefined ? {} : { stack }),
  management: savedSide("management", management),
  workload: savedSide("workload", workload),
});
