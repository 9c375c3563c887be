import { hiddenText } from "capz-windows-kit/credentials";
import { grouped } from "capz-windows-kit/grouped";
import { at, isRecord, textAt } from "capz-windows-kit/untyped";
import { mostOfMessage, withoutMiddle } from "capz-windows-kit/visible";
import { withoutCredentials } from "./clean";
import { type ClusterEvent, type KubeObject, eventOf } from "./objects";
import { normalReasons } from "./kinds";

/**
 * unreachable: no connection; timeout: no answer; certificate: TLS; unauthorized: 401; forbidden: 403; absent: the kind is not
 * served; login: the kubeconfig's login command failed; noKubeconfig: there is nothing to connect with yet;
 * notAsked: no program could say whether there is a kubeconfig; refused: the kubeconfig that the management cluster keeps
 * has more than one from a cluster may have; unread: it was not asked for, or only a part of it is there.
 */
export const readProblems = [
  ...(["unreachable", "timeout", "certificate", "unauthorized", "forbidden", "absent"] as const),
  ...(["login", "noKubeconfig", "notAsked", "refused", "unread", "other"] as const),
] as const;

/** Something that could not be read from a cluster. */
export interface ReadProblem {
  readonly what: (typeof readProblems)[number];
  /** What was read: a kind, or "cluster". */
  readonly asked: string;
  readonly message: string;
  /** Whether only few rules need what could not be read. */
  readonly optional?: true;
}

/** What was read from one of the two clusters. */
export interface ClusterView {
  readonly objects: readonly KubeObject[];
  readonly problems: readonly ReadProblem[];
}

export type Side = "management" | "workload";

/** Both clusters at one time. A diagnosis depends on nothing else. */
export interface Snapshot {
  readonly takenAt: string;
  readonly cluster: { readonly name: string; readonly namespace: string };
  /** For the commands of remedies; `undefined` if no stack was named. */
  readonly stack?: string;
  /** The file that the command line names, for the same; it is not saved. */
  readonly kubeconfig?: string | undefined;
  readonly management: ClusterView;
  readonly workload: ClusterView;
}

const isEvent = ({ kind }: KubeObject): boolean => kind === "Event";

/** Deeper than any object that is read; `reported` calls itself. */
const deepest = 40;

/** Thousands of messages of this length say less than they take. */
const shortMessage = 1_000;

/** Objects with longer messages, as of a large cluster in which everything fails. */
const mostLong = 500;

const hasLong = (value: unknown, max: number, depth = 0): boolean => {
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" && value.length > max;
  }
  return depth === deepest || Object.values(value).some((inner) => hasLong(inner, max, depth + 1));
};

/** Texts in which no form of a credential has room: names, numbers, UIDs and times. Tokens that may have hyphens begin with a word. */
const plainWord =
  /^(?!.*\b(?:gl\w{2,5}-|xox|xapp-|sk-|tskey-|pypi-|dckr_|hv[sbr]\.|ya29\.|AIza|GOCSPX-|eyJ|SG\.))(?:(?:\w{0,15}[.-]){0,40}\w{0,15}|\d{4}-\d\d-\d\dT[\d:.]{8,20}Z)$/;

/** Names of images and IDs of Azure, which many objects have, are shorter. */
const mostRepeated = 300;

/**
 * The text without credentials, and short. Of a longer text twice as much is searched as is kept, so that one that begins in what
 * is left out is found; of a private key all would have to be.
 */
function reportedText(text: string, max: number, known: Map<string, string>): string {
  if (text.length <= mostRepeated && plainWord.test(text)) {
    return text;
  }
  const before = known.get(text);
  if (before !== undefined) {
    return before;
  }
  const read = withoutMiddle(text, 2 * max);
  const isKey = read !== text && text.includes("PRIVATE KEY-----");
  const hidden = isKey ? hiddenText("a private key", text) : withoutCredentials(read);
  const reported = withoutMiddle(hidden === read ? text : hidden, max);
  if (text.length <= mostRepeated) {
    known.set(text, reported);
  }
  return reported;
}

/**
 * A value as rules read it and a report shows it: anybody may write a message of a megabyte, and every rule looks at every message;
 * and messages quote addresses and headers with credentials.
 * @param known - texts that were met before
 * @returns the same value where nothing changes
 */
function reported(value: unknown, max: number, known: Map<string, string>, depth = 0): unknown {
  if (typeof value === "string") {
    return reportedText(value, max, known);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (depth === deepest) {
    return undefined;
  }
  const inner = Object.entries(value).map(([key, one]): [string, unknown] => [
    key,
    reported(one, max, known, depth + 1),
  ]);
  if (inner.every(([key, one]) => one === (value as Record<string, unknown>)[key])) {
    return value;
  }
  return Array.isArray(value) ? inner.map(([, one]) => one) : Object.fromEntries(inner);
}

function reportedView({ objects, problems }: ClusterView): ClusterView {
  const long = objects.filter((object) => hasLong(object, shortMessage)).length;
  const max = long > mostLong ? shortMessage : mostOfMessage;
  const known = new Map<string, string>();
  return {
    objects: objects.map((object) => reported(object, max, known) as KubeObject),
    problems: problems.map((problem) => reported(problem, max, known) as ReadProblem),
  };
}

/** A snapshot with the queries that rules share. */
export class World {
  readonly snapshot: Snapshot;
  readonly cluster: KubeObject | undefined;
  private readonly events: Readonly<Record<Side, readonly ClusterEvent[]>>;
  private readonly ofKind = new Map<string, readonly KubeObject[]>();
  private readonly byName = new Map<string, ReadonlyMap<string, readonly KubeObject[]>>();
  private readonly eventsByObject = new Map<Side, ReadonlyMap<string, readonly ClusterEvent[]>>();
  private podsByNode: ReadonlyMap<string, readonly KubeObject[]> | undefined;
  private readonly known = new WeakMap<KubeObject, Map<string, unknown>>();
  private readonly indexes = new Map<string, unknown>();

  constructor(read: Snapshot) {
    const snapshot: Snapshot = {
      ...read,
      ...{ management: reportedView(read.management), workload: reportedView(read.workload) },
    };
    this.snapshot = snapshot;
    this.events = {
      management: snapshot.management.objects.filter(isEvent).map(eventOf),
      // Recorded events as `readCluster` asks for them: most Normal ones only say what goes on.
      workload: snapshot.workload.objects
        .filter(isEvent)
        .map(eventOf)
        .filter(({ type, reason }) => type !== "Normal" || normalReasons.includes(reason)),
    };
    this.cluster = this.all("Cluster").find(({ metadata }) => metadata.name === snapshot.cluster.name);
  }

  get now(): string {
    return this.snapshot.takenAt;
  }

  /**
   * Objects of a kind. On the management cluster, those in the cluster's namespace that do not belong to another
   * cluster, or in any namespace for the kinds of providers.
   * @param side - default: the cluster in which objects of this kind usually are
   */
  all(kind: string, side: Side = sideOf(kind)): readonly KubeObject[] {
    const key = `${side} ${kind}`;
    const { namespace } = this.snapshot.cluster;
    const found =
      this.ofKind.get(key) ??
      this.snapshot[side].objects.filter(
        (object) =>
          object.kind === kind &&
          (side === "workload" ||
            anyNamespace.has(kind) ||
            object.metadata.namespace === undefined ||
            object.metadata.namespace === namespace) &&
          this.isOurs(object, side),
      );
    this.ofKind.set(key, found);
    return found;
  }

  /** What follows from an object alone, or from it and this world, computed once: hundreds of rules ask for the same. */
  once<T>(object: KubeObject, what: string, compute: (object: KubeObject) => T): T {
    const known = this.known.get(object) ?? new Map<string, unknown>();
    this.known.set(object, known);
    if (!known.has(what)) {
      known.set(what, compute(object));
    }
    return known.get(what) as T;
  }

  /** What follows from this world alone, computed once: a search through all objects for each of them takes the square of the time. */
  index<T>(what: string, compute: () => T): T {
    if (!this.indexes.has(what)) {
      this.indexes.set(what, compute());
    }
    return this.indexes.get(what) as T;
  }

  find(kind: string, name: string, side: Side = sideOf(kind)): KubeObject | undefined {
    const key = `${side} ${kind}`;
    const named = this.byName.get(key) ?? grouped(this.all(kind, side), ({ metadata }) => metadata.name);
    this.byName.set(key, named);
    return named.get(name)?.[0];
  }

  /** Pods of the workload cluster on a node. */
  podsOn(node: string): readonly KubeObject[] {
    this.podsByNode ??= grouped(this.all("Pod", "workload"), ({ spec }) => textAt(spec, "nodeName"));
    return this.podsByNode.get(node) ?? [];
  }

  eventsOf({ kind, metadata }: KubeObject, side: Side = sideOf(kind)): ClusterEvent[] {
    const about =
      this.eventsByObject.get(side) ?? grouped(this.events[side], (event) => `${event.kind}/${event.name}`);
    this.eventsByObject.set(side, about);
    // Nodes have no namespace; that of their events has no meaning.
    return (about.get(`${kind}/${metadata.name}`) ?? []).filter(
      ({ namespace }) => metadata.namespace === undefined || namespace === metadata.namespace,
    );
  }

  /** All events of one of the clusters. */
  eventsOn(side: Side): readonly ClusterEvent[] {
    return this.events[side];
  }

  /** Events about objects of these kinds, even if the objects themselves were not read. */
  eventsAbout(kinds: readonly string[], side: Side): ClusterEvent[] {
    return this.events[side].filter(({ kind }) => kinds.includes(kind));
  }

  /** Whether an object does not name another cluster: a namespace may have several. */
  private isOurs(object: KubeObject, side: Side): boolean {
    const { kind, metadata, spec } = object;
    if (kind === "ClusterResourceSet") {
      return this.cluster === undefined || !this.selectsOther(object);
    }
    const label = metadata.labels?.["cluster.x-k8s.io/cluster-name"];
    const named = (spec as { clusterName?: unknown } | undefined)?.clusterName;
    const other = label ?? (typeof named === "string" ? named : undefined);
    return side === "workload" || other === undefined || other === this.snapshot.cluster.name;
  }

  /** Whether a ClusterResourceSet is for another cluster, and not for this one. */
  private selectsOther(set: KubeObject): boolean {
    const clusters = this.all("Cluster").filter((cluster) => selects(set, cluster));
    return (
      clusters.length > 0 && clusters.every(({ metadata }) => metadata.name !== this.snapshot.cluster.name)
    );
  }
}

const selects = (set: KubeObject, cluster: KubeObject): boolean => {
  const labels = at(set.spec, "clusterSelector", "matchLabels");
  return (
    isRecord(labels) &&
    set.metadata.namespace === cluster.metadata.namespace &&
    Object.entries(labels).every(([key, value]) => cluster.metadata.labels?.[key] === value)
  );
};

/** Kinds that are read in all namespaces of the management cluster. */
const anyNamespace = new Set([
  ...["Pod", "Deployment", "Certificate"],
  ...["CoreProvider", "BootstrapProvider", "ControlPlaneProvider", "InfrastructureProvider"],
]);

const workloadKinds = new Set([
  ...["Node", "TigeraStatus", "PersistentVolumeClaim"],
  ...["Service", "APIService", "CertificateSigningRequest"],
]);

const sideOf = (kind: string): Side => (workloadKinds.has(kind) ? "workload" : "management");
