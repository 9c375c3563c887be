import { grouped } from "capz-windows-kit/grouped";
import { longestBootMinutes, type RollMinutes } from "capz-windows-platform/machines/rollMinutes";
import { surgeNodes, unavailableNodes } from "capz-windows-platform/machines/rollout";
import { vmCores } from "capz-windows-platform/machines/vmSizes";
import { present } from "capz-windows-kit/present";
import { withoutUndefined } from "capz-windows-kit/without";
import type { ControlPlaneModel, PoolModel } from "../model/cluster/types";
import type { Impact } from "./impact";
import type { ClusterPair } from "./impactRule";
import { drainsAtOnce, findPool, poolLabel } from "./machines";
import { isOlderMinor } from "./rules/upgrades";
import type { PoolWork, Schedule } from "./scheduleSchema";

type Range = PoolWork["machines"];

/** Minutes for one machine, or for several at a time. `Infinity` where a drain has no limit. */
interface Steps {
  readonly boot: number;
  readonly drain: number;
}

function stepsOf(model: PoolModel | ControlPlaneModel, os: "linux" | "windows", minutes: RollMinutes) {
  const limit = model.drainLimitSeconds === undefined ? Infinity : model.drainLimitSeconds / 60;
  return {
    likely: { boot: minutes.boot[os], drain: Math.min(minutes.drain, limit) },
    longest: { boot: Math.max(longestBootMinutes, minutes.boot[os]), drain: limit },
  };
}

/** From the likely time of the fewest machines to the longest time of the most. */
function minutesOf(
  machines: Range,
  steps: { readonly likely: Steps; readonly longest: Steps },
  lasts: (machines: number, steps: Steps) => number,
): PoolWork["minutes"] {
  const most = lasts(machines.most, steps.longest);
  return {
    least: machines.least === 0 ? 0 : lasts(machines.least, steps.likely),
    ...(most !== Infinity && { most }),
  };
}

function extraOf(vmSize: string, machines: number, spot = false): PoolWork["extra"] {
  const cores = vmCores(vmSize);
  return cores === undefined || machines <= 0
    ? undefined
    : { quota: spot ? "spot machines of all sizes" : cores.family, vcpus: machines * cores.vcpus };
}

/** One machine after the other: the next one is created when the old one is gone (CAPI v1.14.2 preflight.go, HasDeletingMachine). */
function rolledControlPlane(
  head: ControlPlaneModel,
  count: number,
  lost: number,
  minutes: RollMinutes,
): PoolWork {
  const machines = { least: count, most: count };
  return {
    ...{ who: "control plane", work: "replaced", machines, together: 1 },
    minutes: minutesOf(
      machines,
      stepsOf(head, "linux", minutes),
      (all, { boot, drain }) => all * (boot + drain + minutes.remove + minutes.notice),
    ),
    missing: head.maxSurge === 0 ? 1 : 0,
    // Those that are lost go first, so that the surge takes their quota (CAPI v1.14.2 controlplane/kubeadm, update.go).
    ...withoutUndefined({ extra: extraOf(head.vmSize, Math.min(head.maxSurge, count) - lost) }),
  };
}

/** Machines join and leave one by one, as etcd members (CAPI v1.14.2 controlplane/kubeadm, scale.go). */
function scaledControlPlane(head: ControlPlaneModel, more: number, minutes: RollMinutes): PoolWork {
  const machines = { least: Math.abs(more), most: Math.abs(more) };
  return {
    ...{ who: "control plane", work: more > 0 ? "created" : "deleted", machines, together: 1, missing: 0 },
    minutes: minutesOf(
      machines,
      stepsOf(head, "linux", minutes),
      (all, { boot, drain }) => all * ((more > 0 ? boot : drain + minutes.remove) + minutes.notice),
    ),
    ...withoutUndefined({ extra: extraOf(head.vmSize, more) }),
  };
}

/**
 * CAPZ creates the next nodes as soon as the drained ones are being deleted, so only the last deletion counts, and the quota
 * has both for a moment (test/life/pools.test.ts). Without a surge nodes are deleted before others are created. A
 * MachineDeployment counts machines until they are gone.
 */
function rolledPool(pool: PoolModel, machines: Range, minutes: RollMinutes): PoolWork {
  const { rollout, replicas, kind, os, vmSize, spot } = pool;
  const nodes = Math.max(machines.most, replicas);
  const surge = Math.min(machines.most, surgeNodes(rollout.maxSurge, nodes));
  const unavailable = Math.min(machines.most, unavailableNodes(rollout.maxUnavailable, nodes));
  const together = Math.max(1, Math.min(machines.most, surge + unavailable));
  const overlaps = kind === "MachinePool" && surge > 0;
  const missing = Math.max(unavailable, surge === 0 ? 1 : 0);
  const drainedAtOnce =
    drainsAtOnce(pool) && machines.most > Math.max(1, missing) ? machines.most : undefined;
  const added = surge + (overlaps ? Math.min(together, machines.most - together) : 0);
  const lasts = (all: number, { boot, drain }: Steps): number => {
    const turns = Math.ceil(all / together);
    const removals = overlaps ? 1 : turns;
    return turns * (boot + drain + minutes.notice) + removals * minutes.remove;
  };
  return {
    ...{ who: poolLabel(pool), work: "replaced", machines, together, missing },
    minutes: minutesOf(machines, stepsOf(pool, os, minutes), lasts),
    ...withoutUndefined({ drainedAtOnce, extra: extraOf(vmSize, added, spot) }),
  };
}

function createdMachines(pool: PoolModel, machines: Range, minutes: RollMinutes): PoolWork {
  return {
    ...{ who: poolLabel(pool), work: "created", machines, together: machines.most, missing: 0 },
    minutes: minutesOf(machines, stepsOf(pool, pool.os, minutes), (_, { boot }) => boot),
    ...withoutUndefined({ extra: extraOf(pool.vmSize, machines.most, pool.spot) }),
  };
}

/** After which `pulumi up` fails where nodes of a removed scale set are still drained (components/timeouts.ts). */
const longestDrainMinutes = 60;

/** CAPZ deletes a scale set as a whole, without a drain (v1.27.0 azure/services/scalesets), unless `pulumi up` drains it before. */
function deletedMachines(pool: PoolModel, machines: Range, isWhole: boolean, minutes: RollMinutes): PoolWork {
  const isScaleSet = isWhole && pool.kind === "MachinePool";
  const isDrained = !isScaleSet || pool.drainBeforeRemoval === true;
  const { likely, longest } = stepsOf(pool, pool.os, minutes);
  const drain = isScaleSet ? Math.min(longest.drain, longestDrainMinutes) : longest.drain;
  return {
    ...{ who: poolLabel(pool), work: "deleted", machines, together: machines.most, missing: machines.most },
    minutes: minutesOf(
      machines,
      { likely, longest: { ...longest, drain } },
      (_, { drain }) => (isDrained ? drain : 0) + minutes.remove,
    ),
  };
}

const rollRules = ["pool-rolls", "deployment-rolls", "pool-partly-renewed"];
const newRules = ["pool-created", "pool-changes-kind"];
const growRules = [...newRules, "pool-scales-up", "pool-autoscaler-begins", "pool-autoscaler-ends"];
const goneRules = ["pool-deleted", "pool-changes-kind"];
const loseRules = [
  ...[...goneRules, "pool-emptied", "pool-scales-down"],
  ...["pool-autoscaler-begins", "pool-autoscaler-ends"],
];

/** Whether the schedule says what a rule says of machines. */
export const isScheduled = (rule: string): boolean =>
  [...rollRules, ...growRules, ...loseRules].includes(rule) ||
  rule === "control-plane-rolls" ||
  rule.startsWith("control-plane-scales");

function workOf(
  impacts: readonly Impact[],
  { base, head }: ClusterPair,
  minutes: RollMinutes,
): readonly PoolWork[] {
  const places = new Map(impacts.map((impact, index) => [impact, index]));
  const byUrn = grouped(
    impacts.flatMap((impact) => impact.urns.map((urn) => ({ urn, impact }))),
    ({ urn }) => urn,
  );
  const find = ({ members }: PoolModel, rules: readonly string[]): Impact | undefined =>
    [members.machines, members.infrastructure ?? ""]
      .flatMap((urn) => byUrn.get(urn) ?? [])
      .map(({ impact }) => impact)
      .filter(({ rule }) => rules.includes(rule))
      .sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))[0];
  const rangeOf = ({ nodes = 0, nodesAtMost = nodes }: Partial<Impact> = {}): Range => ({
    least: nodes,
    most: nodesAtMost,
  });
  const work: PoolWork[] = [];
  if (head?.controlPlane !== undefined) {
    const rolled = impacts.find(({ rule }) => rule === "control-plane-rolls")?.nodes ?? 0;
    const isScaled = impacts.some(({ rule }) => rule.startsWith("control-plane-scales"));
    const more = isScaled ? head.controlPlane.replicas - (base?.controlPlane?.replicas ?? 0) : 0;
    const scaled = scaledControlPlane(head.controlPlane, more, minutes);
    const roll = rolledControlPlane(head.controlPlane, rolled, Math.max(0, -more), minutes);
    work.push(...(more < 0 ? [scaled, roll] : [roll, scaled]));
  }
  for (const pool of base?.pools ?? []) {
    const isWhole = find(pool, goneRules) !== undefined;
    work.push(deletedMachines(pool, rangeOf(find(pool, loseRules)), isWhole, minutes));
  }
  for (const pool of head?.pools ?? []) {
    work.push(rolledPool(pool, rangeOf(find(pool, rollRules)), minutes));
    const before = find(pool, newRules) ? undefined : findPool(base, pool.name);
    if (find(pool, growRules) !== undefined) {
      const most = Math.max(0, pool.replicas - (before?.replicas ?? 0));
      const least = Math.max(0, pool.replicas - (before?.autoscale?.max ?? before?.replicas ?? 0));
      work.push(createdMachines(pool, { least, most }, minutes));
    }
  }
  return work.filter(({ machines }) => machines.most > 0);
}

/** What a change of machines puts at risk, in sentences for people who know no Cluster API. */
function risksOf(all: readonly PoolWork[], { base, head }: ClusterPair): string[] {
  const [before = "", after = ""] = [base?.kubernetesVersion, head?.kubernetesVersion];
  return present(
    before !== "" &&
      after !== "" &&
      isOlderMinor(after, before) &&
      `the upgrade of Kubernetes from ${before} to ${after} cannot be undone.`,
    all.some(({ drainedAtOnce }) => drainedAtOnce !== undefined) &&
      "applications without a PodDisruptionBudget, because nodes of a scale set may be drained all at once. Give each a PodDisruptionBudget: its pods then stay until new nodes are ready.",
  );
}

/** Machines of which the schedule knows nothing: those of the management cluster, or of another cluster. */
const isRolling = ({ severity, nodes }: Impact): boolean => nodes > 0 || severity === "rolls";

/**
 * How long a change takes, from what it does to machines.
 * @returns `undefined` if nothing changes, if a stack is new or gone, if something stops `up`, or where only machines change
 * of which nothing is known
 */
export function scheduleOf(
  impacts: readonly Impact[],
  clusters: ClusterPair,
  minutes: RollMinutes,
): Schedule | undefined {
  const isRefused = impacts.some(({ severity, later }) => severity === "refused" && later !== true);
  if (!clusters.base || !clusters.head || isRefused) {
    return undefined;
  }
  const pools = workOf(impacts, clusters, minutes);
  if (pools.length === 0 && (impacts.length === 0 || impacts.some(isRolling))) {
    return undefined;
  }
  return { pools, risks: risksOf(pools, clusters), source: minutes.source };
}
