import { at, isRecord, list, numberAt, textAt } from "capz-windows-kit/untyped";

/** An object as an API server or `kubectl get -o json` returns it; its spec and status have not been checked. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

const isText = (value: unknown): boolean => typeof value === "string";
const isOptional = (value: unknown, is: (one: unknown) => boolean): boolean =>
  value === undefined || value === null || is(value);
const isOfTexts = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isText);
const isListOf = (value: unknown, is: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(is);

/** Whether a value has the metadata of an object, as an API server writes it: rules rely on its types. */
export function hasMetadata(value: unknown): boolean {
  const metadata = at(value, "metadata");
  const texts = ["namespace", "uid", "creationTimestamp", "deletionTimestamp"];
  return (
    textAt(metadata, "name") !== "" &&
    texts.every((field) => isOptional(at(metadata, field), isText)) &&
    ["labels", "annotations"].every((field) => isOptional(at(metadata, field), isOfTexts)) &&
    isOptional(at(metadata, "finalizers"), (all) => isListOf(all, isText)) &&
    isOptional(at(metadata, "ownerReferences"), (all) =>
      isListOf(all, (owner) => isText(at(owner, "kind")) && isText(at(owner, "name"))),
    )
  );
}

/** Whether a value is a time as an API server writes it (RFC 3339). JavaScript takes "5" and "May" for times as well. */
export const isTime = (value: unknown): value is string =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value));

/** The time of a field, "" where it has another text: what others write there is nothing to compute with. */
const timeAt = (value: unknown, ...path: readonly string[]): string => {
  const found = at(value, ...path);
  return isTime(found) ? found : "";
};

/** Whether the object is not being deleted. An object that is being deleted need not work. */
export const stays = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp === undefined;

/** A condition; fields that its API version does not have are "". */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since: string;
  /** Only in conditions of CAPZ and of Cluster API's v1beta1: Error, Warning or Info. */
  readonly severity: string;
}

const conditionOf = (raw: Readonly<Record<string, unknown>>): Condition => ({
  type: textAt(raw, "type"),
  status: textAt(raw, "status"),
  reason: textAt(raw, "reason"),
  message: textAt(raw, "message"),
  since: timeAt(raw, "lastTransitionTime"),
  severity: textAt(raw, "severity"),
});

export const conditionsOf = ({ status }: KubeObject): Condition[] =>
  list(at(status, "conditions")).map(conditionOf);

/** The conditions of v1beta1, which Cluster API 1.14 keeps. For some objects, only they have the text of the error. */
export const formerConditionsOf = ({ status }: KubeObject): Condition[] =>
  list(at(status, "deprecated", "v1beta1", "conditions")).map(conditionOf);

export function conditionNamed({ status }: KubeObject, type: string): Condition | undefined {
  const found = list(at(status, "conditions")).find((raw) => textAt(raw, "type") === type);
  return found && conditionOf(found);
}

export const isTrue = (object: KubeObject, type: string): boolean =>
  conditionNamed(object, type)?.status === "True";

/** Whether the API server of a Cluster has answered once; Cluster API 1.14 sets both fields. */
export const hasAnswered = (cluster: KubeObject): boolean =>
  at(cluster.status, "initialization", "controlPlaneInitialized") === true ||
  isTrue(cluster, "ControlPlaneInitialized");

/** Whether a Cluster has machines and an API server: not while it is made or deleted. */
export const isUp = (cluster: KubeObject): boolean => hasAnswered(cluster) && stays(cluster);

/** An event, with the object that it is about. */
export interface ClusterEvent {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** The first time; "" if an event of several does not say it. */
  readonly first: string;
  readonly last: string;
  readonly count: number;
}

export function eventOf(object: KubeObject): ClusterEvent {
  const raw = object as unknown as Record<string, unknown>;
  // events.k8s.io calls the object `regarding` and the text `note`.
  const about = isRecord(raw.involvedObject) ? raw.involvedObject : raw.regarding;
  const last =
    timeAt(raw, "series", "lastObservedTime") ||
    timeAt(raw, "lastTimestamp") ||
    timeAt(raw, "eventTime") ||
    timeAt(object, "metadata", "creationTimestamp");
  const count = numberAt(raw, "count") ?? numberAt(raw, "series", "count") ?? 1;
  return {
    kind: textAt(about, "kind"),
    name: textAt(about, "name"),
    namespace: textAt(about, "namespace"),
    type: textAt(raw, "type"),
    reason: textAt(raw, "reason"),
    message: textAt(raw, "message") || textAt(raw, "note"),
    first: timeAt(raw, "firstTimestamp") || timeAt(raw, "eventTime") || (count === 1 ? last : ""),
    last,
    count,
  };
}

export const ownerOf = ({ metadata }: KubeObject, kind: string): string | undefined =>
  metadata.ownerReferences?.find((owner) => owner.kind === kind)?.name;

/** The status of a container or init container of a Pod. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly ready: boolean;
  readonly restarts: number;
  /** Reason for which it is waiting, such as ImagePullBackOff; "" if it is not. */
  readonly waiting: string;
  readonly message: string;
  /** Reason of its last end, such as OOMKilled; "" if it has not ended. */
  readonly ended: string;
  readonly endMessage: string;
  readonly exitCode: number | undefined;
  /** Time of that end; "" if it has not ended. */
  readonly endedAt: string;
  /** When it began to run before that end; "" where that is not known. */
  readonly ranFrom: string;
}

export const containersOf = ({ status }: KubeObject): Container[] =>
  [...list(at(status, "initContainerStatuses")), ...list(at(status, "containerStatuses"))].map((raw) => ({
    name: textAt(raw, "name"),
    image: textAt(raw, "image"),
    ready: at(raw, "ready") === true || textAt(raw, "state", "terminated", "reason") === "Completed",
    restarts: numberAt(raw, "restartCount") ?? 0,
    waiting: textAt(raw, "state", "waiting", "reason"),
    message: textAt(raw, "state", "waiting", "message"),
    ended: textAt(raw, "lastState", "terminated", "reason") || textAt(raw, "state", "terminated", "reason"),
    endMessage:
      textAt(raw, "lastState", "terminated", "message") || textAt(raw, "state", "terminated", "message"),
    exitCode:
      numberAt(raw, "lastState", "terminated", "exitCode") ??
      numberAt(raw, "state", "terminated", "exitCode"),
    endedAt:
      timeAt(raw, "lastState", "terminated", "finishedAt") ||
      timeAt(raw, "state", "terminated", "finishedAt"),
    ranFrom:
      timeAt(raw, "lastState", "terminated", "startedAt") || timeAt(raw, "state", "terminated", "startedAt"),
  }));

/** An object's name in messages, such as "AzureMachinePool win1"; for kinds of any namespace, with the namespace. */
export const title = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${["Pod", "Deployment", "DaemonSet", "Service"].includes(kind) ? `${metadata.namespace ?? ""}/` : ""}${metadata.name}`;

export const minutesBetween = (from: string, to: string): number => {
  const minutes = (Date.parse(to) - Date.parse(from)) / 60_000;
  return isTime(from) && isTime(to) ? minutes : 0;
};
