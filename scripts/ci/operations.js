"use strict";

// Reads the operations of a preview, without values, from the engine's event log, and compares them with those of an
// approved preview.

const { parseJson } = require("../json");

/**
 * @typedef {object} Operation
 * @property {string} op - for instance "update"
 * @property {string} urn
 * @property {string[]} paths - the properties that differ
 */

/**
 * The fields of an event that this program reads.
 * @typedef {object} Step
 * @property {string} op
 * @property {string} urn
 * @property {Record<string, unknown> | null} [detailedDiff]
 * @property {string[] | null} [diffs]
 * @property {string[] | null} [keys]
 * @property {{inputs?: Record<string, unknown>} | null} [old]
 * @property {{inputs?: Record<string, unknown>} | null} [new]
 *
 * @typedef {object} EngineEvent
 * @property {{metadata: Step}} [resourcePreEvent]
 * @property {{metadata: Step}} [resOutputsEvent]
 * @property {unknown} [summaryEvent]
 */

/** Operations that change nothing. */
const idle = new Set(["same", "read", "read-discard", "refresh", "import-same"]);

const versionOfAks = /^(kubernetesVersion|agentPoolProfiles\[\d+\]\.orchestratorVersion)$/;

/**
 * Whether a step would only revert a patch version of AKS. The stack sets the minor version ("1.35"), AKS chooses the
 * patch, and a refresh reports it ("1.35.6"). AKS would not downgrade it anyway.
 * @param {Step} step
 */
function isPatchOfAks({ urn, detailedDiff, old, new: wanted }) {
  const paths = Object.keys(detailedDiff ?? {});
  const [before, after] = [old?.inputs?.kubernetesVersion, wanted?.inputs?.kubernetesVersion];
  return (
    urn.includes(":ManagedCluster::") &&
    paths.length > 0 &&
    paths.every((path) => versionOfAks.test(path)) &&
    typeof before === "string" &&
    typeof after === "string" &&
    (before === after || before.startsWith(`${after}.`))
  );
}

/**
 * @param {string} log - JSON lines, as `pulumi preview --event-log` writes them
 * @param {{drift?: boolean}} [options] - drift: leave out operations that are no drift
 * @returns {{finished: boolean, operations: Operation[], leftOut: number}} finished: whether the log has the engine's
 * summary; operations: sorted by URN; leftOut: number of operations that are no drift
 */
function readEvents(log, { drift = false } = {}) {
  const events = log
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => /** @type {EngineEvent} */ (parseJson(line)));
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
    paths: [...new Set([...Object.keys(detailedDiff ?? {}), ...(diffs ?? []), ...(keys ?? [])])].sort(),
  }));
  const order = (/** @type {Operation} */ { urn, op }) => `${urn} ${op}`;
  return {
    leftOut: steps.size - counted.length,
    finished: events.some(({ summaryEvent }) => summaryEvent !== undefined),
    operations: operations.sort((a, b) => (order(a) < order(b) ? -1 : 1)),
  };
}

/**
 * @param {Operation[]} approved
 * @param {Operation[]} now
 * @returns {string[]} one line for each difference; empty if both have the same operations on the same properties
 */
function compareOperations(approved, now) {
  const key = (/** @type {Operation} */ { op, urn }) => `${op} ${urn}`;
  const before = new Map(approved.map((operation) => [key(operation), operation]));
  const after = new Map(now.map((operation) => [key(operation), operation]));
  const gone = [...before.keys()].filter((name) => !after.has(name)).map((name) => `no longer: ${name}`);
  const fresh = [...after.keys()].filter((name) => !before.has(name)).map((name) => `not approved: ${name}`);
  const other = [...after]
    .map(([name, { paths }]) => {
      const known = before.get(name)?.paths ?? paths;
      const added = paths.filter((path) => !known.includes(path));
      const removed = known.filter((path) => !paths.includes(path));
      const told = [...added.map((path) => `+${path}`), ...removed.map((path) => `-${path}`)];
      return told.length === 0 ? undefined : `other properties: ${name}: ${told.join(", ")}`;
    })
    .filter((line) => line !== undefined);
  return [...fresh, ...gone, ...other];
}

module.exports = { readEvents, compareOperations };
