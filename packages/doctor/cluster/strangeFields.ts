import { isRecord, ownValue, text, textAt } from "capz-windows-kit/untyped";
import { oneLine } from "capz-windows-kit/visible";
import { isTime, type KubeObject, minutesBetween, title } from "./objects";

/**
 * Fields of objects that are not as an API server writes them. Rules read such a field as none, and a rule that reads nothing finds
 * nothing: so it is said.
 */

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isTruth = (value: unknown): boolean => typeof value === "boolean";
const isListOfMappings = (value: unknown): boolean => Array.isArray(value) && value.every(isRecord);

type Check = readonly [is: (value: unknown) => boolean, what: string];

/** The same check of several fields. */
const fieldsWith = (names: string, ...check: Check): (readonly [name: string, check: Check])[] =>
  names.split(" ").map((name) => [name, check] as const);

/** By the name of a field, wherever rules read it: a name means the same in all kinds. */
const checks: Readonly<Record<string, Check>> = Object.fromEntries([
  ...fieldsWith(
    "creationTimestamp deletionTimestamp lastTransitionTime firstTimestamp lastTimestamp eventTime lastObservedTime startedAt finishedAt startTime nodeDrainStartTime certificatesExpiryDate",
    isTime,
    "no time",
  ),
  ...fieldsWith(
    "conditions containerStatuses initContainerStatuses containers initContainers taints tolerations ownerReferences nodeRefs",
    isListOfMappings,
    "no list of mappings",
  ),
  ...fieldsWith(
    "replicas readyReplicas availableReplicas upToDateReplicas restartCount exitCode nodeDrainTimeoutSeconds",
    isNumber,
    "no number",
  ),
  ...fieldsWith(
    "unschedulable controlPlaneInitialized infrastructureProvisioned",
    isTruth,
    "neither true nor false",
  ),
  ...fieldsWith("phase reason message nodeName providerID kubeletVersion", isText, "no text"),
]);

/** What has happened: an end may well be in the future. */
const past =
  /^(?:creationTimestamp|lastTransitionTime|firstTimestamp|lastTimestamp|eventTime|lastObservedTime|startedAt|finishedAt|startTime)$/;

/** Clocks of two machines may differ by so much. */
const skewMinutes = 10;

function faultOf(name: string, value: unknown, now: string): string | undefined {
  const check = ownValue(checks, name);
  if (check === undefined || value === null || value === undefined) {
    return undefined;
  }
  const [is, what] = check;
  if (!is(value)) {
    return what;
  }
  return past.test(name) && minutesBetween(now, text(value)) > skewMinutes ? "in the future" : undefined;
}

const shown = (value: unknown): string => oneLine(JSON.stringify(value), 60);

/** Deeper than any field that a rule reads. */
const deepest = 20;

function faultIn(value: unknown, path: string, now: string, depth = 0): string | undefined {
  if (typeof value !== "object" || value === null || depth > deepest) {
    return undefined;
  }
  for (const [name, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${name}]` : `${path}.${oneLine(name, 60)}`;
    const what = faultOf(name, inner, now);
    const found =
      what === undefined ? faultIn(inner, at, now, depth + 1) : `${at.slice(1)} is ${what}: ${shown(inner)}`;
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** Without these, no rule knows whether there is something to say. */
function lackOf({ kind, metadata, status }: KubeObject): string | undefined {
  if (kind === "Node") {
    const conditions = (status as { readonly conditions?: unknown } | undefined)?.conditions;
    const hasReady = Array.isArray(conditions) && conditions.some((one) => textAt(one, "type") === "Ready");
    return hasReady ? undefined : "it has no condition Ready";
  }
  const runs = /^(?:Running|Succeeded)$/.test(textAt(status, "phase"));
  return kind === "Pod" && !runs && metadata.creationTimestamp === undefined
    ? "it has no creationTimestamp"
    : undefined;
}

/** The first fault of each of these objects, as what was not read. */
export const strangeFields = (objects: readonly KubeObject[], now: string): string[] =>
  objects.flatMap((object) => {
    const { metadata, spec, status, ...others } = object;
    const fault =
      lackOf(object) ??
      faultIn({ metadata: { ...metadata, annotations: {}, labels: {} }, spec, status }, "", now) ??
      faultIn(others, "", now);
    return fault === undefined ? [] : [`${oneLine(title(object), 200)} (${fault})`];
  });
