import { networkPolicyNotes } from "./networkPolicies";
import { at, list, strings, text, textAt } from "../../tools/untyped";
import { gmsaWebhookName } from "../../addons/gmsa";
import {
  movedReference,
  placeholderIn,
  referenceFor,
  referenceProblem,
  releaseName,
} from "../../platform/workloads/imageReferences";
import {
  startableBuilds,
  startsOn,
  windowsVersion,
  type Isolation,
} from "../../platform/workloads/windowsVersions";
import { apiFaults, oldNotes } from "./apiFaults";
import { podRequest, quantity } from "./quantities";
import { textsOf, type RuntimeClass } from "./read";
import { classConflicts, schedulingProblems } from "./schedule";
import { storageErrors, storageUnknowns } from "./storage";
import type {
  CheckVerdict,
  ImageFacts,
  WorkloadManifest,
  NodePool,
  StorageClass,
  PoolVerdict,
  Workload,
  WorkloadResult,
} from "./types";
import { containersOf, hasHostProcess, windowsErrors, windowsNotes } from "./windowsPods";
import { present } from "../../tools/present";
import { unknownsOf } from "./unknowns";

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
  readonly manifests: readonly WorkloadManifest[];
}

export const imagesOf = (podSpec: unknown): string[] =>
  containersOf(podSpec)
    .map((container) => textAt(container, "image"))
    .filter((image) => image !== "");

const sourceText = ({ from }: ImageFacts): string =>
  ({ registry: "its registry says", recorded: "recorded", tag: "by its tag" })[from];

/** Why containers of an image do not start on the nodes of a pool; `undefined` if they do or if that is unknown. */
function imageProblem(
  image: string,
  facts: ImageFacts,
  pool: NodePool,
  isolation: Isolation,
): string | undefined {
  const { os, version, architecture, windowsServer = "" } = pool;
  const invalid = referenceProblem(image);
  if (invalid !== undefined) {
    return `the image ${image} ${invalid}`;
  }
  if (facts.platforms.length === 0) {
    const moved = facts.from === "tag" ? movedReference(image, windowsServer) : undefined;
    if (moved === undefined) {
      return undefined;
    }
    return os === "linux"
      ? `the image ${image} is for windows (by its name)`
      : `the image ${image} has no build for Windows Server 2019 or later, because Microsoft no longer publishes to Docker Hub: use ${moved}`;
  }
  const ofSystem = facts.platforms.filter((platform) => platform.os === os);
  const source = sourceText(facts);
  if (ofSystem.length === 0) {
    const systems = [...new Set(facts.platforms.map((platform) => platform.os))].join(" and ");
    return `the image ${image} is for ${systems} (${source})`;
  }
  const ofProcessor = ofSystem.filter(
    (platform) => platform.architecture === architecture || facts.from === "tag",
  );
  if (ofProcessor.length === 0) {
    return `the image ${image} is for ${ofSystem.map((platform) => platform.architecture).join(", ")}, and the nodes are ${architecture} (${source})`;
  }
  if (version === undefined) {
    return undefined;
  }
  const builds = ofProcessor.map(({ osVersion = "" }) => windowsVersion(osVersion));
  // A Windows image without a version is for HostProcess containers and starts on every release.
  if (builds.some((build) => build === undefined || startsOn(version, build, isolation))) {
    return undefined;
  }
  const known = builds.filter((build) => build !== undefined);
  const names = [...new Set(known.map(releaseName))].join(", ");
  const instead = facts.from === "tag" || known.length === 1 ? referenceFor(image, windowsServer) : undefined;
  return `the image ${image} is for ${names} (${source}), and Windows Server ${windowsServer} starts ${startableBuilds(version, isolation)} only${instead === undefined ? "" : `: use ${instead}`}`;
}

interface Pod {
  readonly podSpec: unknown;
  readonly runtimeClass: RuntimeClass | undefined;
  readonly images: ReadonlyMap<string, ImageFacts>;
  /** What was not looked at, by system of the nodes. */
  readonly unknowns: Readonly<Record<NodePool["os"], readonly string[]>>;
}

function verdictOf(pod: Pod, pool: NodePool): PoolVerdict {
  const { podSpec, runtimeClass, images } = pod;
  const unknowns = pod.unknowns[pool.os];
  const notScheduled = schedulingProblems(podSpec, runtimeClass, pool);
  if (notScheduled.length > 0) {
    return { pool: pool.name, result: "notScheduled", reasons: notScheduled };
  }
  const os = textAt(podSpec, "os", "name");
  const handler = runtimeClass?.handler ?? "";
  const reasons = present(
    os !== "" && os !== pool.os && `the kubelet refuses a pod with os.name: ${os}`,
    runtimeClass !== undefined &&
      (runtimeClass.isolation !== undefined) !== (pool.os === "windows") &&
      `its RuntimeClass has the handler ${handler}, which ${pool.os === "windows" ? "Windows" : "Linux"} nodes do not have`,
    pool.os === "linux" && hasHostProcess(podSpec) && "HostProcess containers are for Windows nodes only",
    ...[...new Set(imagesOf(podSpec))].flatMap(
      (image) =>
        imageProblem(
          image,
          images.get(image) ?? { from: "tag", platforms: [] },
          pool,
          runtimeClass?.isolation ?? "process",
        ) ?? [],
    ),
    ...(pool.os === "windows" ? windowsErrors(podSpec) : []),
  );
  const system = pool.os === "linux" ? "Linux" : `Windows Server ${pool.windowsServer ?? ""}`.trim();
  const notChecked = present(
    ...[...new Set(imagesOf(podSpec))]
      .filter(
        (image) => placeholderIn(image) === undefined && (images.get(image)?.platforms ?? []).length === 0,
      )
      .map((image) => `whether the image ${image} has a variant for ${system}`),
    pool.cpus === undefined &&
      podRequest(podSpec, "cpu", 0) > 0 &&
      `whether a node (${pool.vmSize}) has so many CPUs`,
    pool.memoryBytes === undefined &&
      podRequest(podSpec, "memory", 0) > 0 &&
      `whether a node (${pool.vmSize}) has so much memory`,
  );
  if (reasons.length > 0) {
    return { pool: pool.name, result: "fails", reasons };
  }
  const isChecked = notChecked.length === 0 && unknowns.length === 0;
  return { pool: pool.name, result: isChecked ? "runs" : "notChecked", reasons, notChecked };
}

/**
 * Notes about fields that Windows nodes do not support, in the Services that select a workload's pods (Kubernetes
 * documentation, "Networking on Windows").
 */
function serviceNotes(workload: Workload, manifests: readonly WorkloadManifest[]): string[] {
  return manifests
    .filter(({ kind }) => kind === "Service")
    .filter(({ namespace, object }) => {
      const selector = Object.entries(textsOf(at(object, "spec", "selector")));
      return (
        namespace === workload.namespace &&
        selector.length > 0 &&
        selector.every(([key, value]) => workload.podLabels[key] === value)
      );
    })
    .flatMap(({ name, object }) => {
      const ports = list(at(object, "spec", "ports"));
      return present(
        ports.some((port) => textAt(port, "protocol") === "SCTP") &&
          `Service ${name}: Windows nodes do not support SCTP`,
        strings(at(object, "spec", "ipFamilies")).includes("IPv6") &&
          `Service ${name}: Windows nodes do not support IPv6 in a network with VXLAN`,
        ["PreferDualStack", "RequireDualStack"].includes(textAt(object, "spec", "ipFamilyPolicy")) &&
          `Service ${name}: Windows nodes support only one address family in a network with VXLAN`,
        textAt(object, "spec", "sessionAffinity") === "ClientIP" &&
          at(object, "spec", "sessionAffinityConfig", "clientIP", "timeoutSeconds") !== undefined &&
          `Service ${name}: kube-proxy on Windows ignores sessionAffinityConfig.clientIP.timeoutSeconds`,
        textAt(object, "spec", "externalTrafficPolicy") === "Local" &&
          `Service ${name}: with externalTrafficPolicy: Local, Azure asks a port of kube-proxy that nothing opens in the firewall of Windows nodes, so they may get no traffic: write Cluster`,
      );
    });
}

function imageNotes(images: readonly string[], facts: ReadonlyMap<string, ImageFacts>): string[] {
  return images.flatMap((image) => {
    const found = facts.get(image);
    if (
      found?.from !== "tag" ||
      referenceProblem(image) !== undefined ||
      placeholderIn(image) !== undefined
    ) {
      return [];
    }
    const why = found.problem === undefined ? "" : ` (${found.problem})`;
    if (found.platforms.length > 0) {
      return found.problem === undefined ? [] : [`the image ${image} was only judged by its tag${why}`];
    }
    return movedReference(image, "2022") !== undefined
      ? []
      : [
          `the image ${image}: its tag does not say which operating system it is for${why}; run this with --record where its registry can be reached`,
        ];
  });
}

/**
 * Memory in thousandths of a byte ("800m"), which a widely copied example has. Kubernetes accepts it, but no container
 * starts with so little.
 */
const tinyMemory = (podSpec: unknown): string[] =>
  containersOf(podSpec).flatMap((container) =>
    ["requests", "limits"].flatMap((kind) => {
      const value = textAt(container, "resources", kind, "memory");
      const bytes = quantity(value);
      return present(
        value.endsWith("m") &&
          bytes !== undefined &&
          bytes < 1024 ** 2 &&
          `container ${textAt(container, "name")}: ${kind}.memory ${value} is ${bytes} bytes, because m means thousandths: write ${value.replace(/m$/, "Mi")}`,
      );
    }),
  );

/** gMSA credential specs that no webhook fills in: the pods start, but without their accounts. */
function accountErrors(podSpec: unknown, { gmsa, manifests }: WorkloadFacts): string[] {
  const wanted = [podSpec, ...containersOf(podSpec)]
    .map((holder) => at(holder, "securityContext", "windowsOptions"))
    .filter((options) => at(options, "gmsaCredentialSpec") === undefined)
    .map((options) => textAt(options, "gmsaCredentialSpecName"))
    .filter((name) => name !== "");
  const installed =
    gmsa ||
    manifests.some(
      ({ kind, object }) =>
        kind === "MutatingWebhookConfiguration" &&
        list(at(object, "webhooks")).some((webhook) => textAt(webhook, "name") === gmsaWebhookName),
    );
  return installed
    ? []
    : [...new Set(wanted)].map(
        (name) =>
          `its pods run without the account, because no gMSA webhook puts the credential spec ${name} into them (addons.gmsa.enabled: true)`,
      );
}

/** Checks one workload against all pools. */
export function checkWorkload(
  workload: Workload,
  cluster: WorkloadFacts,
  images: ReadonlyMap<string, ImageFacts>,
): WorkloadResult {
  const { pools, classes, denies, hostProcessNamespaces, manifests } = cluster;
  const { podSpec, kind, namespace, name, source } = workload;
  const className = textAt(podSpec, "runtimeClassName");
  const runtimeClass = classes.find((known) => known.name === className);
  const errors = present(
    className !== "" &&
      runtimeClass === undefined &&
      `the API server refuses its pods: there is no RuntimeClass ${className}; the cluster has ${classes.map((known) => known.name).join(", ") || "none"}`,
    ...classConflicts(podSpec, runtimeClass),
    denies &&
      hasHostProcess(podSpec) &&
      !hostProcessNamespaces.includes(namespace) &&
      `the API server refuses it: HostProcess pods may not be in the namespace ${namespace} (workloads.hostProcessNamespaces)`,
  );
  const known = unknownsOf(workload, manifests, false);
  const claims = storageUnknowns(workload, cluster);
  const unknowns = {
    linux: [...known, ...claims],
    windows: [...unknownsOf(workload, manifests, true), ...claims],
  };
  const verdicts =
    errors.length > 0
      ? []
      : pools.map((pool) => verdictOf({ podSpec, runtimeClass, images, unknowns }, pool));
  const systems = new Set(
    verdicts.flatMap(({ pool, result }) =>
      result === "notScheduled" ? [] : (pools.find(({ name: other }) => other === pool)?.os ?? []),
    ),
  );
  const unclear = imagesOf(podSpec).filter((image) => images.get(image)?.platforms.length === 0);
  const onWindows = verdicts.some(
    ({ pool, result }) =>
      result !== "notScheduled" && pools.some((each) => each.name === pool && each.os === "windows"),
  );
  const scheduled = pools.filter((pool) =>
    verdicts.some((verdict) => verdict.pool === pool.name && verdict.result !== "notScheduled"),
  );
  return {
    workload: `${kind} ${namespace}/${name}`,
    source,
    verdicts,
    notChecked: onWindows ? unknowns.windows : unknowns.linux,
    errors: present(
      ...errors,
      ...apiFaults(workload),
      systems.size > 1 &&
        unclear.length > 0 &&
        "its pods may be scheduled to Linux and to Windows nodes, and hardly any image starts on both: select kubernetes.io/os: windows, or linux",
      ...tinyMemory(podSpec),
      ...(onWindows ? accountErrors(podSpec, cluster) : []),
      ...storageErrors(workload, cluster, scheduled),
    ),
    notes: present(
      ...(onWindows
        ? [
            ...windowsNotes(podSpec),
            ...serviceNotes(workload, manifests),
            ...networkPolicyNotes(workload, manifests),
          ]
        : []),
      ...oldNotes(workload),
      ...imageNotes([...new Set(imagesOf(podSpec))], images),
      text(at(podSpec, "nodeName")) !== "" &&
        `nodeName ${text(at(podSpec, "nodeName"))} is ignored here: all pools were checked`,
    ),
  };
}

/** Whether a workload runs on at least one pool, and on every pool to which its pods may be scheduled. */
export function answerOf({ errors, verdicts, notChecked }: WorkloadResult): CheckVerdict {
  const placed = verdicts.filter(({ result }) => result !== "notScheduled");
  if (errors.length > 0 || placed.length === 0 || placed.some(({ result }) => result === "fails")) {
    return "no";
  }
  const isOpen = notChecked.length > 0 || placed.some(({ result }) => result === "notChecked");
  return isOpen ? "notChecked" : "yes";
}
