import { at, isRecord, strings, textAt } from "capz-windows-kit/untyped";
import type { Preview } from "../../plan/reports/markdown/preview";

/**
 * The operations of a preview, without values, from the engine's event log, and their comparison with those of an approved
 * preview.
 */

type Operation = Preview["operations"][number];

/** The fields of an event that this program reads. */
interface Step {
  readonly op: string;
  readonly urn: string;
  readonly detailedDiff?: Readonly<Record<string, unknown>> | null;
  readonly diffs?: readonly string[] | null;
  readonly keys?: readonly string[] | null;
  readonly old?: unknown;
  readonly new?: unknown;
}

interface EngineEvent {
  readonly resourcePreEvent?: { readonly metadata: Step };
  readonly resOutputsEvent?: { readonly metadata: Step };
  readonly summaryEvent?: unknown;
}

/** `undefined` for a line that is no event, as of a Pulumi that was killed. */
function eventOf(line: string): EngineEvent | undefined {
  try {
    const event: unknown = JSON.parse(line);
    const steps = [at(event, "resourcePreEvent"), at(event, "resOutputsEvent")].filter(
      (step) => step !== undefined,
    );
    const isEvent = steps.every(
      (step) => textAt(step, "metadata", "op") !== "" && textAt(step, "metadata", "urn") !== "",
    );
    return isRecord(event) && isEvent ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Operations that change nothing. */
const idle = new Set(["same", "read", "read-discard", "refresh", "import-same"]);

const versionOfAks = /^(kubernetesVersion|agentPoolProfiles\[\d+\]\.orchestratorVersion)$/;

/**
 * Whether a step would only revert a patch version of AKS. The stack sets the minor version ("1.35"), AKS chooses the
 * patch, and a refresh reports it ("1.35.6"). AKS would not downgrade it anyway.
 */
function isPatchOfAks({ urn, detailedDiff, old, new: wanted }: Step): boolean {
  const paths = Object.keys(detailedDiff ?? {});
  const [before, after] = [old, wanted].map((side) => textAt(side, "inputs", "kubernetesVersion"));
  return (
    urn.includes(":ManagedCluster::") &&
    paths.length > 0 &&
    paths.every((path) => versionOfAks.test(path)) &&
    typeof at(wanted, "inputs", "kubernetesVersion") === "string" &&
    (before === after || (before ?? "").startsWith(`${after ?? ""}.`))
  );
}

/**
 * @param log - JSON lines, as `pulumi preview --event-log` writes them
 * @param drift - leave out operations that are no drift
 */
export function readEvents(log: string, drift: boolean) {
  const lines = log.split("\n").filter((line) => line.trim() !== "");
  const events = lines.map(eventOf).filter((event) => event !== undefined);
  // A step has an event before it and one with its result, except that only the result reports what a refresh finds. The
  // event before it is kept where there are both.
  const steps = new Map(
    events
      .map(({ resourcePreEvent, resOutputsEvent }) => (resourcePreEvent ?? resOutputsEvent)?.metadata)
      .filter((step) => step !== undefined)
      .filter((step) => !idle.has(step.op))
      .reverse()
      .map((step) => [`${step.op} ${step.urn}`, step]),
  );
  const counted = [...steps.values()].filter((step) => !drift || !isPatchOfAks(step));
  const operations = counted.map(({ op, urn, detailedDiff, diffs, keys }) => ({
    op,
    urn,
    paths: [...new Set([...Object.keys(detailedDiff ?? {}), ...strings(diffs), ...strings(keys)])].sort(),
  }));
  const order = ({ urn, op }: Operation): string => `${urn} ${op}`;
  return {
    /** Number of operations that are no drift. */
    leftOut: steps.size - counted.length,
    /** Whether a line of the log is no event. */
    isBroken: events.length < lines.length,
    /** Whether the log has the engine's summary. */
    finished: events.some(({ summaryEvent }) => summaryEvent !== undefined),
    operations: operations.sort((a, b) => (order(a) < order(b) ? -1 : 1)),
  };
}

/** @returns one line for each difference; none if both have the same operations on the same properties */
export function compareOperations(approved: readonly Operation[], now: readonly Operation[]): string[] {
  const key = ({ op, urn }: Operation): string => `${op} ${urn}`;
  const before = new Map(approved.map((operation) => [key(operation), operation]));
  const after = new Map(now.map((operation) => [key(operation), operation]));
  const gone = [...before.keys()].filter((name) => !after.has(name)).map((name) => `no longer: ${name}`);
  const fresh = [...after.keys()].filter((name) => !before.has(name)).map((name) => `not approved: ${name}`);
  const other = [...after].flatMap(([name, { paths }]) => {
    const known = before.get(name)?.paths ?? paths;
    const added = paths.filter((path) => !known.includes(path));
    const removed = known.filter((path) => !paths.includes(path));
    const told = [...added.map((path) => `+${path}`), ...removed.map((path) => `-${path}`)];
    return told.length === 0 ? [] : [`other properties: ${name}: ${told.join(", ")}`];
  });
  return [...fresh, ...gone, ...other];
}
