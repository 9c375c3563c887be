import { longestBootMinutes, type RollMinutes } from "../../../platform/machines/rollMinutes";
import { surgeNodes, unavailableNodes } from "../../../platform/machines/rollout";
import { vmCores } from "../../../platform/machines/vmSizes";
import type { ControlPlaneModel, PoolModel } from "../model/cluster/types";
import type { Impact } from "./impact";
import type { ClusterPair } from "./impactRule";
import { drainsAtOnce, findPool, poolLabel } from "./machines";
import type { Stage } from "./stages";

/** What a change does to machines, one pool after the other. */

/** A stage before its place in time is known. */
export interface Job extends Omit<Stage, "begins" | "ends" | "most" | "least"> {
  readonly likely: number;
  readonly most: number | undefined;
  /** Jobs of a lower rank end before this one begins; `undefined` for one that waits for no other. */
  readonly rank: number | undefined;
}

/** Minutes for one machine, or for several at a time. */
interface Steps {
  readonly boot: number;
  readonly drain: number | undefined;
}

const windowsLast = { linux: 1, windows: 2 } as const;

function extraOf(vmSize: string, machines: number, spot = false): Pick<Stage, "extra"> {
  const cores = vmCores(vmSize);
  return cores === undefined || machines <= 0
    ? {}
    : {
        extra: {
          quota: spot ? "spot machines of all sizes" : cores.family,
          vcpus: machines * cores.vcpus,
        },
      };
}

/** How long likely, and how long at most. */
function both(
  minutes: RollMinutes,
  os: "linux" | "windows",
  limit: number | undefined,
): readonly [Steps, Steps] {
  const drain = Math.min(minutes.drain, limit ?? Infinity);
  const longest = Math.max(longestBootMinutes, minutes.boot[os]);
  return [
    { boot: minutes.boot[os], drain },
    { boot: longest, drain: limit },
  ];
}

const sum = (...parts: readonly (number | undefined)[]): number | undefined =>
  parts.includes(undefined) ? undefined : parts.reduce<number>((all, part) => all + (part ?? 0), 0);

const times = (count: number, minutes: number | undefined): number | undefined =>
  minutes === undefined ? undefined : count * minutes;

const limitOf = ({ drainLimitSeconds: seconds }: PoolModel | ControlPlaneModel): number | undefined =>
  seconds === undefined ? undefined : seconds / 60;

/** One machine after the other: the next one is created when the old one is gone (CAPI v1.14.2 preflight.go, HasDeletingMachine). */
function controlPlaneJob(head: ControlPlaneModel, machines: number, minutes: RollMinutes): Job {
  const [likely, most] = both(minutes, "linux", limitOf(head)).map(({ boot, drain }) =>
    times(machines, sum(boot, drain, minutes.remove, minutes.notice)),
  );
  return {
    ...{ who: "control plane", machines, work: "replaced", together: 1, rank: 0 },
    ...{ likely: likely ?? 0, most, missing: head.maxSurge === 0 ? 1 : 0 },
    ...extraOf(head.vmSize, Math.min(head.maxSurge, machines)),
  };
}

/**
 * CAPZ creates the next nodes as soon as the drained ones are being deleted, so only the last deletion counts, and the quota
 * has both for a moment (test/life/pools.test.ts). Without a surge nodes are deleted before others are created. A
 * MachineDeployment counts machines until they are gone.
 */
function rollJob(pool: PoolModel, machines: number, minutes: RollMinutes): Omit<Job, "rank"> {
  const { rollout, replicas, kind, os, vmSize, spot } = pool;
  const nodes = Math.max(machines, replicas);
  const surge = Math.min(machines, surgeNodes(rollout.maxSurge, nodes));
  const unavailable = Math.min(machines, unavailableNodes(rollout.maxUnavailable, nodes));
  const together = Math.max(1, surge + unavailable);
  const turns = Math.ceil(machines / together);
  const overlaps = kind === "MachinePool" && surge > 0;
  const [likely, most] = both(minutes, os, limitOf(pool)).map(({ boot, drain }) =>
    sum(
      times(turns, sum(boot, drain, minutes.notice, overlaps ? 0 : minutes.remove)),
      overlaps ? minutes.remove : 0,
    ),
  );
  const missing = Math.max(unavailable, surge === 0 ? 1 : 0);
  return {
    ...{ who: poolLabel(pool), machines, work: "replaced", together, likely: likely ?? 0, most, missing },
    ...(drainsAtOnce(pool) && machines > Math.max(1, missing) ? { drainedAtOnce: machines } : {}),
    ...extraOf(vmSize, surge + (overlaps ? Math.min(together, machines - together) : 0), spot),
  };
}

const createJob = (pool: PoolModel, machines: number, minutes: RollMinutes): Job => ({
  ...{ who: poolLabel(pool), machines, work: "created", together: machines, missing: 0, rank: undefined },
  ...{ likely: minutes.boot[pool.os], most: Math.max(longestBootMinutes, minutes.boot[pool.os]) },
  ...extraOf(pool.vmSize, machines, pool.spot),
});

/** CAPZ deletes a scale set as a whole, without a drain (v1.27.0 azure/services/scalesets), unless `pulumi up` drains it before. */
function deleteJob(pool: PoolModel, machines: number, isWhole: boolean, minutes: RollMinutes): Job {
  const [likely, most] = both(minutes, pool.os, limitOf(pool)).map(({ drain }) =>
    sum(
      isWhole && pool.kind === "MachinePool" && pool.drainBeforeRemoval !== true ? 0 : drain,
      minutes.remove,
    ),
  );
  return {
    ...{ who: poolLabel(pool), machines, work: "deleted", together: machines, missing: machines },
    ...{ likely: likely ?? 0, most, rank: undefined },
  };
}

/** After the control plane has rolled (0), and before pools follow an upgrade (1 and 2). */
const scalingRank = 0.5;

/** Machines join and leave one by one, as etcd members (CAPI v1.14.2 controlplane/kubeadm, scale.go). */
function controlPlaneScaling(head: ControlPlaneModel, more: number, minutes: RollMinutes): Job {
  const machines = Math.abs(more);
  const [likely, most] = both(minutes, "linux", limitOf(head)).map(({ boot, drain }) =>
    times(machines, sum(more > 0 ? boot : sum(drain, minutes.remove), minutes.notice)),
  );
  return {
    ...{ who: "control plane", machines, work: more > 0 ? "created" : "deleted", together: 1, missing: 0 },
    ...{ likely: likely ?? 0, most, rank: scalingRank },
    ...extraOf(head.vmSize, more),
  };
}

const rollRules = ["pool-rolls", "deployment-rolls", "pool-partly-renewed"];
const newRules = ["pool-created", "pool-renamed", "pool-changes-kind"];
const growRules = [...newRules, "pool-scales-up", "pool-autoscaler-begins", "pool-autoscaler-ends"];
const goneRules = ["pool-deleted", "pool-renamed", "pool-changes-kind"];
const loseRules = [
  ...[...goneRules, "pool-emptied", "pool-scales-down"],
  ...["pool-autoscaler-begins", "pool-autoscaler-ends"],
];

/** Whether the pool follows the control plane, and Linux pools. */
function rankOf(pool: PoolModel, { base, head }: ClusterPair): number | undefined {
  const before = findPool(base, pool.name);
  const upgraded = before?.version !== pool.version && head?.kubernetesVersion !== base?.kubernetesVersion;
  const isOrdered =
    base?.controlPlane?.ordersUpgrades === true && head?.controlPlane?.ordersUpgrades === true;
  return !upgraded
    ? undefined
    : isOrdered
      ? windowsLast[pool.os]
      : pool.kind === "MachineDeployment"
        ? windowsLast.linux
        : undefined;
}

/** What an autoscaler has made of a pool: the fewest nodes, or the most. */
export type JobSize = "least" | "most";

/** Always the same jobs in the same order for both sizes, some of them without machines. */
export function jobsOf(
  impacts: readonly Impact[],
  clusters: ClusterPair,
  minutes: RollMinutes,
  size: JobSize,
): Job[] {
  const { base, head } = clusters;
  const find = ({ members }: PoolModel, rules: readonly string[]): Impact | undefined =>
    impacts.find(
      ({ urns, rule }) =>
        rules.includes(rule) &&
        (urns.includes(members.machines) || urns.includes(members.infrastructure ?? "")),
    );
  const countOf = (impact: Impact | undefined): number =>
    impact === undefined ? 0 : size === "most" ? (impact.nodesAtMost ?? impact.nodes) : impact.nodes;
  const rolled = impacts.find(({ rule }) => rule === "control-plane-rolls")?.nodes ?? 0;
  const isScaled = impacts.some(({ rule }) => rule.startsWith("control-plane-scales-"));
  const more = isScaled ? (head?.controlPlane?.replicas ?? 0) - (base?.controlPlane?.replicas ?? 0) : 0;
  const running = (pool: PoolModel): number => {
    const before = find(pool, newRules) ? undefined : findPool(base, pool.name);
    return (size === "least" ? before?.autoscale?.max : undefined) ?? before?.replicas ?? 0;
  };
  return [
    ...(head?.controlPlane && rolled > 0 ? [controlPlaneJob(head.controlPlane, rolled, minutes)] : []),
    ...(head?.controlPlane && more !== 0 ? [controlPlaneScaling(head.controlPlane, more, minutes)] : []),
    ...(base?.pools ?? []).map((pool) =>
      deleteJob(pool, countOf(find(pool, loseRules)), find(pool, goneRules) !== undefined, minutes),
    ),
    ...(head?.pools ?? []).flatMap((pool) => [
      { ...rollJob(pool, countOf(find(pool, rollRules)), minutes), rank: rankOf(pool, clusters) },
      createJob(pool, find(pool, growRules) ? Math.max(0, pool.replicas - running(pool)) : 0, minutes),
    ]),
  ].map((job) => (job.machines > 0 ? job : { ...job, likely: 0, most: 0 }));
}
