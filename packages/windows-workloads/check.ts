import { gmsaWebhookName } from "capz-windows-platform/workloads/gmsaWebhook";
import { hostname, namesNode } from "capz-windows-platform/workloads/nodeAffinity";
import { versionFault } from "capz-windows-platform/workloads/objectFaults";
import { buildFault } from "capz-windows-platform/workloads/imageFit";
import {
  movedReference,
  isReference,
  placeholderIn,
  referenceFor,
  referenceProblem,
  isForWindows,
} from "capz-windows-platform/workloads/imageReferences";
import { findingsOf } from "capz-windows-platform/workloads/podFacts";
import type { Conclusion } from "capz-windows-platform/workloads/podFields";
import { containersOf, hasHostProcess } from "capz-windows-platform/workloads/podSpec";
import { windowsVersion, type Isolation } from "capz-windows-platform/workloads/windowsVersions";
import { present } from "capz-windows-kit/present";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { type NetworkNote, networkNotes } from "./network";
import type { RuntimeClass } from "./read";
import { classConflicts, podRequest, resourceProblems, selectionProblems } from "./schedule";
import { formatUnknowns, storageErrors, storageUnknowns } from "./storage";
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
  /** Whether the stack installs the gMSA webhook, which fills in credential specs. */
  readonly gmsa: boolean;
  /** The objects in which Services, claims and webhooks are looked up. */
  readonly manifests: Manifests;
  /** What is to be said of workloads that Services and policies among them select. */
  readonly network: readonly NetworkNote[];
}

/** The images of a pod, each once. */
export const imagesOf = (podSpec: unknown): string[] => [
  ...new Set(
    containersOf(podSpec)
      .map((container) => textAt(container, "image"))
      .filter((image) => image !== ""),
  ),
];

const sources: Readonly<Record<ImageFacts["from"], string>> = {
  registry: "its registry says",
  recorded: "recorded",
  tag: "by its tag",
};

/** Nothing for nodes of no known release: no tag names their build. */
const toUse = (image: string, windowsServer: string): string =>
  windowsServer === "" ? "" : `: use ${image}`;

/** Why containers of an image do not start on the nodes of a pool; `undefined` if they do or if that is unknown. */
function imageProblem(
  image: string,
  { from, platforms }: ImageFacts,
  { os, version, architecture, windowsServer = "" }: NodePool,
  isolation: Isolation,
): string | undefined {
  const named = `the image ${image}`;
  const source = ` (${sources[from]})`;
  if (referenceProblem(image) !== undefined) {
    return undefined;
  }
  if (platforms.length === 0) {
    const moved = movedReference(image, windowsServer);
    if (moved === undefined) {
      return undefined;
    }
    return os === "linux"
      ? `${named} is for windows (by its name)`
      : `${named} has no build for Windows Server 2019 or later, because Microsoft no longer publishes to Docker Hub${toUse(moved, windowsServer)}`;
  }
  const ofSystem = platforms.filter((platform) => platform.os === os);
  if (ofSystem.length === 0) {
    return `${named} is for ${[...new Set(platforms.map((platform) => platform.os))].join(" and ")}${source}`;
  }
  const ofProcessor = ofSystem.filter((platform) => platform.architecture === architecture || from === "tag");
  if (ofProcessor.length === 0) {
    return `${named} is for ${ofSystem.map((platform) => platform.architecture).join(", ")}, and the nodes are ${architecture}${source}`;
  }
  const builds = ofProcessor.flatMap(({ osVersion = "" }) => windowsVersion(osVersion) ?? []);
  // A Windows image without a version is for HostProcess containers and starts on every release.
  if (version === undefined || builds.length < ofProcessor.length) {
    return undefined;
  }
  const fault = buildFault(builds, { windowsServer, version }, isolation, source);
  const instead =
    referenceFor(image, windowsServer) ??
    `an image for Windows Server ${windowsServer}, if its publisher has one, or build it for that`;
  return (
    fault && `${named} ${fault}${from === "tag" || builds.length === 1 ? toUse(instead, windowsServer) : ""}`
  );
}

/**
 * Whether an image is for other builds of Windows than the node's, in Hyper-V isolation. containerd pulls for the build of
 * the node unless it is configured otherwise (Kubernetes, KEP-4216), and the virtual machine is made of the pause image.
 */
function isOfOtherBuild({ platforms }: ImageFacts, { os, version }: NodePool): boolean {
  const builds = platforms.flatMap(({ osVersion = "" }) => windowsVersion(osVersion) ?? []);
  return os === "windows" && builds.length > 0 && builds.every(({ build }) => build !== version?.build);
}

const systems = { windows: "Windows", linux: "Linux" } as const;

const factsOf = (images: Pod["images"], image: string): ImageFacts =>
  images.get(image) ?? { from: "tag", platforms: [] };

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
const isOpenBuild = ({ podSpec, images }: Pod, image: string, pool: NodePool): boolean => {
  const facts = factsOf(images, image);
  return hasHostProcess(podSpec) && facts.from === "tag" && isOfOtherBuild(facts, pool);
};

/** Why a pod that is scheduled does not start. */
function startFaults(pod: Pod, pool: NodePool): string[] {
  const { podSpec, runtimeClass, images, said } = pod;
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
      .map((image) => imageProblem(image, factsOf(images, image), pool, isolation ?? "process")),
    ...said("fails", pool.os),
  );
}

function verdictOf(pod: Pod, pool: NodePool): PoolVerdict {
  const { podSpec, runtimeClass, images, said, isOpen } = pod;
  const unplaced = [...selectionProblems(podSpec, runtimeClass, pool), ...said("unplaced", pool.os)];
  const tooLarge = resourceProblems(podSpec, runtimeClass, pool);
  const reasons = unplaced.length > 0 ? [] : startFaults(pod, pool);
  if (unplaced.length + tooLarge.length > 0) {
    return { pool: pool.name, result: "notScheduled", reasons: [...unplaced, ...tooLarge, ...reasons] };
  }
  if (reasons.length > 0) {
    return { pool: pool.name, result: "fails", reasons };
  }
  const system = pool.os === "linux" ? "Linux" : `Windows Server ${pool.windowsServer ?? ""}`.trim();
  const asks = (resource: "cpu" | "memory"): boolean => podRequest(podSpec, resource, 0) > 0;
  const notChecked = present(
    ...imagesOf(podSpec)
      .filter((image) => placeholderIn(image) === undefined && isUnknown(images.get(image)))
      .map((image) => `whether the image ${image} has a variant for ${system}`),
    ...imagesOf(podSpec)
      .filter(
        (image) =>
          isOpenBuild(pod, image, pool) ||
          (runtimeClass?.isolation === "hyperv" && isOfOtherBuild(factsOf(images, image), pool)),
      )
      .map((image) => `whether the image ${image} starts on ${system}, whose build is not its own`),
    runtimeClass?.isolation === "hyperv" &&
      hasHostProcess(podSpec) &&
      "whether a HostProcess pod starts with Hyper-V isolation, which Kubernetes does not support",
    pool.cpus === undefined && asks("cpu") && `whether a node (${pool.vmSize}) has so many CPUs`,
    pool.memoryBytes === undefined && asks("memory") && `whether a node (${pool.vmSize}) has so much memory`,
  );
  const result =
    isOpen || notChecked.length > 0 || said("unknown", pool.os).length > 0 ? "notChecked" : "runs";
  return { pool: pool.name, result, reasons, notChecked };
}

/** A node that a pod names is in one pool: where the pod fails, it may not be. */
const onNamedNode = (verdict: PoolVerdict, all: readonly PoolVerdict[]): PoolVerdict =>
  verdict.result === "fails" && all.some(({ result }) => result === "runs" || result === "notChecked")
    ? { ...verdict, result: "notChecked", reasons: [], notChecked: verdict.reasons }
    : verdict;

const isUnknown = (facts: ImageFacts | undefined): boolean => (facts?.platforms ?? []).length === 0;

function imageNotes(podSpec: unknown, images: ReadonlyMap<string, ImageFacts>): string[] {
  return imagesOf(podSpec).flatMap((image) => {
    const found = images.get(image);
    if (found?.from !== "tag" || !isReference(image)) {
      return [];
    }
    const why = found.problem === undefined ? "" : ` (${found.problem})`;
    const what = isForWindows(image)
      ? "which release of Windows it is for, in a word such as ltsc2022"
      : "which operating system it is for";
    return present(
      !isUnknown(found) && why !== "" && `the image ${image} was only judged by its tag${why}`,
      isUnknown(found) &&
        movedReference(image, "2022") === undefined &&
        `the image ${image}: its tag does not say ${what}${why}; run this with --record where its registry can be reached`,
    );
  });
}

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
    ...["LimitRange", "ResourceQuota"]
      .flatMap((kind) => manifests.ofKind(kind))
      .filter((each) => each.namespace === namespace)
      .map(({ kind, name }) => `whether the ${kind} ${name} of its namespace takes its pods`),
  );

/** Why the API server refuses the pods of a workload in this cluster. */
function classFaults(
  { podSpec, namespace }: Workload,
  { classes, denies, hostProcessNamespaces }: WorkloadFacts,
  runtimeClass: RuntimeClass | undefined,
): string[] {
  const className = textAt(podSpec, "runtimeClassName");
  return present(
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

/** Checks one workload against all pools. */
export function checkWorkload(
  workload: Workload,
  cluster: WorkloadFacts,
  images: ReadonlyMap<string, ImageFacts>,
): WorkloadResult {
  const { pools, classes, manifests } = cluster;
  const { podSpec, kind, namespace, name, source } = workload;
  const runtimeClass = classes.find((known) => known.name === textAt(podSpec, "runtimeClassName"));
  const knowsNodes = pools.some(({ labels }) => labels[hostname] !== undefined);
  const findings = findingsOf({
    ...workload,
    isAccepted: source === ofCluster,
    knowsNodes,
    hasGmsa: cluster.gmsa || hasWebhook(manifests),
    has: (wanted, named) =>
      manifests
        .named(wanted, named)
        .some((each) => wanted === "PriorityClass" || each.namespace === namespace),
  });
  const formats = formatUnknowns(workload, cluster).map((text) => ({
    so: "unknown",
    onWindows: true,
    text,
  }));
  const said = (so: Conclusion, os: NodePool["os"]): string[] =>
    [...findings, ...formats]
      .filter((each) => each.so === so && (!each.onWindows || os === "windows"))
      .map(({ text }) => text);
  const others = [...storageUnknowns(workload, cluster), ...namespaceUnknowns(workload, manifests)];
  const refused = classFaults(workload, cluster, runtimeClass);
  const pod: Pod = { podSpec, runtimeClass, images, said, isOpen: others.length > 0 };
  const all = refused.length > 0 ? [] : pools.map((pool) => verdictOf(pod, pool));
  const verdicts = namesNode(podSpec) && !knowsNodes ? all.map((verdict) => onNamedNode(verdict, all)) : all;
  const scheduled = pools.filter((pool) =>
    verdicts.some((verdict) => verdict.pool === pool.name && verdict.result !== "notScheduled"),
  );
  const onWindows = scheduled.some(({ os }) => os === "windows");
  const isMixed = onWindows && scheduled.some(({ os }) => os === "linux") && !namesNode(podSpec);
  const os = onWindows ? "windows" : "linux";
  const errors = present(
    ...refused,
    ...said("refused", os).map((why) => `the API server refuses it: ${why}`),
    ...said("podRefused", os).map(
      (why) => `the API server refuses ${kind === "Pod" ? "it" : "its pods"}: ${why}`,
    ),
    isMixed &&
      imagesOf(podSpec).some((image) => isUnknown(images.get(image))) &&
      "its pods may be scheduled to Linux and to Windows nodes, and hardly any image starts on both: select kubernetes.io/os: windows, or linux",
    ...said("error", os),
    ...storageErrors(workload, cluster, scheduled),
  );
  const isIdle = errors.length === 0 && scheduled.length === 0;
  return {
    workload: `${kind} ${namespace}/${name}`,
    source,
    verdicts,
    notChecked: [...said("unknown", os), ...others],
    errors:
      isIdle && kind !== "DaemonSet" ? ["its pods stay pending: they can be scheduled to no pool"] : errors,
    notes: [
      ...(isIdle && kind === "DaemonSet" ? ["it makes no pods: no pool fits them"] : []),
      ...(onWindows ? networkNotes(workload, cluster.network) : []),
      ...said("note", os),
      ...imageNotes(podSpec, images),
    ],
  };
}

/** Other objects that the API server refuses. */
export const refusedObjects = (objects: readonly WorkloadManifest[]): WorkloadResult[] =>
  objects.flatMap(({ kind, namespace, name, object, source }) => {
    const fault = source !== ofCluster && versionFault(kind, object);
    return fault
      ? [
          {
            ...{ workload: `${kind} ${namespace}/${name}`, source, verdicts: [], notChecked: [], notes: [] },
            errors: [`the API server refuses it: ${fault}`],
          },
        ]
      : [];
  });

/** Whether a workload runs on every pool to which its pods may be scheduled. */
export function answerOf({ errors, verdicts, notChecked }: WorkloadResult): CheckVerdict {
  if (errors.length > 0 || verdicts.some(({ result }) => result === "fails")) {
    return "no";
  }
  const isOpen = notChecked.length > 0 || verdicts.some(({ result }) => result === "notChecked");
  return isOpen ? "notChecked" : "yes";
}
