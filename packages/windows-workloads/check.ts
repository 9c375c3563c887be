import { gmsaWebhookName } from "capz-windows-platform/workloads/gmsaWebhook";
import { hostname, namesAsked } from "capz-windows-platform/workloads/nodeAffinity";
import { placeholderIn } from "capz-windows-platform/workloads/imageReferences";
import { hasHostProcess } from "capz-windows-platform/workloads/podSpec";
import { present } from "capz-windows-kit/present";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { factsFor, imageNotes, imageProblem, imagesOf, isOfOtherBuild, isUnknown } from "./imageFaults";
import { type NetworkNote, networkNotes } from "./network";
import { findingsOf, webhookKeys } from "./podFacts";
import type { Conclusion } from "./podFields";
import type { RuntimeClass } from "./read";
import { otherNodes } from "./pools";
import {
  classConflicts,
  podRequest,
  resourceProblems,
  selectionProblems,
  selectionUnknowns,
} from "./schedule";
import { storageFindings } from "./storage";
import {
  ofCluster,
  type CheckVerdict,
  type ImageFacts,
  type Manifests,
  type NodePool,
  type PoolVerdict,
  type StorageClass,
  type Workload,
  type WorkloadManifest,
  type WorkloadResult,
} from "./types";

/** On which pools a workload runs, and on which its pods are scheduled but do not start. */

export interface WorkloadFacts {
  readonly pools: readonly NodePool[];
  readonly classes: readonly RuntimeClass[];
  /** Whether the stack's admission policies deny (`workloads.policy: deny`) instead of only warning. */
  readonly denies: boolean;
  /** Namespaces in which these policies allow HostProcess pods. */
  readonly hostProcessNamespaces: readonly string[];
  readonly storageClasses: readonly StorageClass[];
  /** Whether the stack installs the gMSA webhook, which fills in credential specs; `undefined` if nobody knows. */
  readonly gmsa: boolean | undefined;
  /** Whether there are no more objects than those of the stack, of the cluster and of the manifests. */
  readonly knowsObjects: boolean;
  /** The objects in which Services, claims and webhooks are looked up. */
  readonly manifests: Manifests;
  /** What is to be said of workloads that Services and policies among them select. */
  readonly network: readonly NetworkNote[];
}

const systems = { windows: "Windows", linux: "Linux" } as const;

interface Pod {
  readonly podSpec: unknown;
  readonly runtimeClass: RuntimeClass | undefined;
  readonly images: ReadonlyMap<string, ImageFacts>;
  /** What is said of it on nodes of a system. */
  readonly said: (so: Conclusion, os: NodePool["os"]) => readonly string[];
  /** Whether all of it was looked at, but for its images and requests. */
  readonly isOpen: boolean;
}

/**
 * HostProcess containers start from images of any build; only an index without one for the node is not pulled, and a tag does not
 * say whether it names one (Kubernetes, "Create a Windows HostProcess Pod"; containerd #5853).
 */
const isOpenBuild = (pod: Pod, image: string, pool: NodePool): boolean => {
  const facts = factsFor(pod, image);
  return hasHostProcess(pod.podSpec) && facts.from === "tag" && isOfOtherBuild(facts, pool);
};

/** Why the scheduler does not place a pod on nodes of a pool: they are not for it, or too small. */
function placeFaults({ podSpec, runtimeClass, said }: Pod, pool: NodePool) {
  return {
    unplaced: [...selectionProblems(podSpec, runtimeClass, pool), ...said("unplaced", pool.os)],
    tooLarge: resourceProblems(podSpec, runtimeClass, pool),
  };
}

function isPlaced(pod: Pod, pool: NodePool): boolean {
  const { unplaced, tooLarge } = placeFaults(pod, pool);
  return unplaced.length + tooLarge.length === 0;
}

/** Why a pod that is scheduled does not start. */
function startFaults(pod: Pod, pool: NodePool): string[] {
  const { podSpec, runtimeClass, said } = pod;
  const os = textAt(podSpec, "os", "name");
  const isolation = runtimeClass?.isolation;
  return present(
    os !== "" && os !== pool.os && `the kubelet refuses a pod with os.name: ${os}`,
    runtimeClass !== undefined &&
      (isolation !== undefined) !== (pool.os === "windows") &&
      `its RuntimeClass has the handler ${runtimeClass.handler}, which ${systems[pool.os]} nodes do not have`,
    pool.os === "linux" && hasHostProcess(podSpec) && "HostProcess containers are for Windows nodes only",
    ...imagesOf(podSpec)
      .filter((image) => !isOpenBuild(pod, image, pool))
      .map((image) => imageProblem(image, factsFor(pod, image), pool, isolation ?? "process")),
    ...said("fails", pool.os),
  );
}

/** What was not looked at for a pool where nothing wrong was found. */
function poolUnknowns(pod: Pod, pool: NodePool): string[] {
  const { podSpec, runtimeClass } = pod;
  const isHyperV = runtimeClass?.isolation === "hyperv";
  const system = pool.os === "linux" ? "Linux" : `Windows Server ${pool.windowsServer ?? ""}`.trim();
  const asks = (resource: "cpu" | "memory"): boolean => podRequest(podSpec, resource, 0) > 0;
  const node = pool.vmSize === "" ? "a node" : `a node (${pool.vmSize})`;
  return present(
    ...selectionUnknowns(podSpec, runtimeClass, pool),
    ...imagesOf(podSpec).map((image) => {
      const facts = factsFor(pod, image);
      if (isUnknown(facts)) {
        return placeholderIn(image) === undefined && `whether the image ${image} has a variant for ${system}`;
      }
      return (
        (isOpenBuild(pod, image, pool) || (isHyperV && isOfOtherBuild(facts, pool))) &&
        `whether the image ${image} starts on ${system}, whose build is not its own`
      );
    }),
    isHyperV &&
      hasHostProcess(podSpec) &&
      "whether a HostProcess pod starts with Hyper-V isolation, which Kubernetes does not support",
    pool.cpus === undefined && asks("cpu") && `whether ${node} has so many CPUs`,
    pool.memoryBytes === undefined && asks("memory") && `whether ${node} has so much memory`,
  );
}

/** Whether the scheduler may place a pod on Linux nodes as well, whatever these are. */
const mayGoElsewhere = ({ podSpec, runtimeClass }: Pick<Pod, "podSpec" | "runtimeClass">): boolean =>
  selectionProblems(podSpec, runtimeClass, otherNodes).length === 0;

/** Whether nobody has described the nodes. */
const isAssumed = (pools: readonly NodePool[]): boolean => pools.some((pool) => pool.isAssumed === true);

/** Under which condition a pod with a fault fails on nodes that nobody has described; "" for none. */
function conditionOf(pod: Pod, pool: NodePool): string {
  const name = textAt(pod.podSpec, "runtimeClassName");
  if (name !== "" && pod.runtimeClass === undefined) {
    return `its RuntimeClass ${name} places it there in process isolation`;
  }
  return isAssumed([pool]) && mayGoElsewhere(pod) ? "it is scheduled there" : "";
}

function verdictFor(pod: Pod, pool: NodePool): PoolVerdict {
  const { unplaced, tooLarge } = placeFaults(pod, pool);
  const reasons = unplaced.length > 0 ? [] : startFaults(pod, pool);
  if (unplaced.length + tooLarge.length > 0) {
    return { pool: pool.name, result: "notScheduled", reasons: [...unplaced, ...tooLarge, ...reasons] };
  }
  if (reasons.length > 0) {
    const onlyIf = conditionOf(pod, pool);
    return onlyIf === ""
      ? { pool: pool.name, result: "fails", reasons }
      : { pool: pool.name, result: "notChecked", reasons, onlyIf };
  }
  const notChecked = poolUnknowns(pod, pool);
  const isOpen = pod.isOpen || notChecked.length > 0 || pod.said("unknown", pool.os).length > 0;
  return { pool: pool.name, result: isOpen ? "notChecked" : "runs", reasons, notChecked };
}

/** A node that a pod names is in one pool: where the pod fails, it may not be. */
const onNamedNode = (verdict: PoolVerdict, all: readonly PoolVerdict[]): PoolVerdict =>
  verdict.result === "fails" && all.some(({ result }) => result === "runs" || result === "notChecked")
    ? { ...verdict, result: "notChecked", onlyIf: "the node that it names is here" }
    : verdict;

const hasWebhook = (manifests: Manifests): boolean =>
  manifests
    .ofKind("MutatingWebhookConfiguration")
    .some(({ object }) =>
      list(at(object, "webhooks")).some((webhook) => textAt(webhook, "name") === gmsaWebhookName),
    );

const enforced = "pod-security.kubernetes.io/enforce";

/** What in its namespace may refuse a workload's pods or change them. */
const namespaceUnknowns = ({ namespace }: Workload, manifests: Manifests): string[] =>
  present(
    ...manifests.named("Namespace", namespace).map(({ object }) => {
      const level = textAt(object, "metadata", "labels", enforced);
      return (
        !["", "privileged"].includes(level) &&
        `whether its namespace, which enforces Pod Security ${level}, takes its pods`
      );
    }),
    ...manifests
      .named("Namespace", namespace)
      .flatMap(({ object }) => webhookKeys(object))
      .map((key) => `whether there is a webhook for ${key} of its namespace, and what it puts into its pods`),
    ...["LimitRange", "ResourceQuota"]
      .flatMap((kind) => manifests.ofKind(kind))
      .filter((each) => each.namespace === namespace)
      .map(({ kind, name }) => `whether the ${kind} ${name} of its namespace takes its pods`),
  );

/** What only those know who have the cluster. */
function clusterUnknowns(
  { podSpec }: Workload,
  { pools, knowsObjects }: WorkloadFacts,
  runtimeClass: RuntimeClass | undefined,
  scheduled: readonly NodePool[],
): string[] {
  if (knowsObjects) {
    return [];
  }
  const className = textAt(podSpec, "runtimeClassName");
  const names = pools.map(({ name }) => name).join(", ");
  const isOpenClass = className !== "" && runtimeClass === undefined;
  return present(
    isOpenClass && `whether there is a RuntimeClass ${className}, and which nodes it selects`,
    isAssumed(pools) && scheduled.length === 0 && `other nodes than those of ${names}`,
    isAssumed(pools) &&
      scheduled.length > 0 &&
      !isOpenClass &&
      mayGoElsewhere({ podSpec, runtimeClass }) &&
      "whether its pods go to Linux nodes instead, because they do not select kubernetes.io/os: windows",
  );
}

/** Why the API server refuses the pods of a workload in this cluster. */
function classFaults(
  { podSpec, namespace }: Workload,
  { classes, denies, hostProcessNamespaces, knowsObjects }: WorkloadFacts,
  runtimeClass: RuntimeClass | undefined,
): string[] {
  const className = textAt(podSpec, "runtimeClassName");
  return present(
    knowsObjects &&
      className !== "" &&
      runtimeClass === undefined &&
      `the API server refuses its pods: there is no RuntimeClass ${className}; the cluster has ${classes.map((known) => known.name).join(", ") || "none"}`,
    ...classConflicts(podSpec, runtimeClass),
    denies &&
      hasHostProcess(podSpec) &&
      !hostProcessNamespaces.includes(namespace) &&
      `the API server refuses it: HostProcess pods may not be in the namespace ${namespace} (workloads.hostProcessNamespaces)`,
  );
}

/** Kinds that pods name and that have no namespace. */
const ofNoNamespace: readonly string[] = ["PriorityClass", "GMSACredentialSpec"];

/** The keys of a ConfigMap or Secret; what was read from a cluster has no contents. */
const keysIn = (objects: readonly WorkloadManifest[]): readonly string[] | undefined =>
  objects.length === 0 || objects.some(({ source }) => source === ofCluster)
    ? undefined
    : objects.flatMap(({ object }) =>
        ["data", "binaryData", "stringData"].flatMap((field) => Object.keys(at(object, field) ?? {})),
      );

/** Checks one workload against all pools. */
export function checkWorkload(
  workload: Workload,
  cluster: WorkloadFacts,
  images: ReadonlyMap<string, ImageFacts>,
): WorkloadResult {
  const { classes, manifests } = cluster;
  const { podSpec, kind, namespace, name, source } = workload;
  const runtimeClass = classes.find((known) => known.name === textAt(podSpec, "runtimeClassName"));
  const named = (wanted: string, of: string): readonly WorkloadManifest[] =>
    manifests
      .named(wanted, of)
      .filter((each) => ofNoNamespace.includes(wanted) || each.namespace === namespace);
  const knowsNodes = cluster.pools.some(({ labels }) => labels[hostname] !== undefined);
  const findings = findingsOf({
    ...workload,
    isAccepted: source === ofCluster,
    knowsNodes,
    hasGmsa: hasWebhook(manifests) || cluster.gmsa,
    has: (wanted, of) => named(wanted, of).length > 0,
    keysOf: (wanted, of) => keysIn(named(wanted, of)),
  });
  const said = (so: Conclusion, ...on: readonly NodePool["os"][]): string[] =>
    findings
      .filter((each) => each.so === so && (each.on === undefined || on.includes(each.on)))
      .map(({ text }) => text);
  const refused = [
    ...classFaults(workload, cluster, runtimeClass),
    ...said("refused", "linux").map((why) => `the API server refuses it: ${why}`),
  ];
  const pools = refused.length > 0 ? [] : cluster.pools;
  const scheduled = pools.filter((pool) =>
    isPlaced({ podSpec, runtimeClass, images, said, isOpen: true }, pool),
  );
  // Where only Windows nodes are assumed, a pod that may go to others is not judged as one for Windows.
  const isForAny =
    isAssumed(pools) &&
    textAt(podSpec, "os", "name") !== "windows" &&
    mayGoElsewhere({ podSpec, runtimeClass });
  const os = !isForAny && scheduled.some((pool) => pool.os === "windows") ? "windows" : "linux";
  const storage = storageFindings(workload, cluster, os === "windows");
  const others = [
    ...storage.unknowns,
    ...namespaceUnknowns(workload, manifests),
    ...(refused.length > 0 ? [] : clusterUnknowns(workload, cluster, runtimeClass, scheduled)),
  ];
  const pod: Pod = { podSpec, runtimeClass, images, said, isOpen: others.length > 0 };
  const all = pools.map((pool) => verdictFor(pod, pool));
  const namesNode = namesAsked(podSpec).length > 0;
  const isMixed = new Set(scheduled.map((pool) => pool.os)).size > 1 && !namesNode;
  const errors = present(
    ...refused,
    isMixed &&
      imagesOf(podSpec).some((image) => isUnknown(factsFor(pod, image))) &&
      "its pods may be scheduled to Linux and to Windows nodes, and hardly any image starts on both: select kubernetes.io/os: windows, or linux",
    ...said("error", os),
    ...storage.errors,
  );
  const isIdle = !isAssumed(pools) && errors.length === 0 && scheduled.length === 0;
  return {
    workload: `${kind} ${namespace}/${name}`,
    source,
    verdicts: namesNode && !knowsNodes ? all.map((verdict) => onNamedNode(verdict, all)) : all,
    notChecked: [...said("unknown", os, ...scheduled.map((pool) => pool.os)), ...others],
    errors:
      isIdle && kind !== "DaemonSet" ? ["its pods stay pending: they can be scheduled to no pool"] : errors,
    notes: [
      ...(isIdle && kind === "DaemonSet" ? ["it makes no pods: no pool fits them"] : []),
      ...(os === "windows" ? networkNotes(workload, cluster.network) : []),
      ...said("note", os),
      ...imageNotes(podSpec, images),
    ],
  };
}

/** Whether a workload runs on every pool to which its pods may be scheduled. */
export function answerOf({ errors, verdicts, notChecked }: WorkloadResult): CheckVerdict {
  if (errors.length > 0 || verdicts.some(({ result }) => result === "fails")) {
    return "no";
  }
  const isOpen = notChecked.length > 0 || verdicts.some(({ result }) => result === "notChecked");
  return isOpen ? "notChecked" : "yes";
}
