import { longestBootMinutes, type RollMinutes } from "../../../platform/machines/rollMinutes";
import { surgeNodes, unavailableNodes } from "../../../platform/machines/rollout";
import { vmCores } from "../../../platform/machines/vmSizes";
import type { ControlPlaneModel, PoolModel } from "../model/cluster/types";
import type { Impact } from "./impact";
import type { ClusterPair } from "./impactRule";
import { drainsAtOnce, poolLabel } from "./machines";

import type { Schedule, Stage } from "./stages";
import { withoutUndefined } from "../../../tools/without";

/** A stage before its place in time is known. */
interface Job extends Omit<Stage, "begins" | "ends" | "most"> {
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

const createJob = (pool: PoolModel, machines: number, missing: number, minutes: RollMinutes): Job => ({
  ...{ who: poolLabel(pool), machines, work: "created", together: machines, missing, rank: undefined },
  ...{ likely: minutes.boot[pool.os], most: Math.max(longestBootMinutes, minutes.boot[pool.os]) },
  ...extraOf(pool.vmSize, machines, pool.spot),
});

const rollRules = ["pool-rolls", "deployment-rolls", "pool-partly-renewed"];
const createRules = ["pool-created", "pool-renamed", "pool-scales-up"];

/** Whether the pool follows the control plane, and Linux pools. */
function rankOf(pool: PoolModel, { base, head }: ClusterPair): number | undefined {
  const before = base?.pools.find(({ name }) => name === pool.name);
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

function poolJobs(
  pool: PoolModel,
  impacts: readonly Impact[],
  clusters: ClusterPair,
  minutes: RollMinutes,
): Job[] {
  const own = impacts.filter(
    ({ urns }) => urns.includes(pool.members.machines) || urns.includes(pool.members.infrastructure ?? ""),
  );
  const before = clusters.base?.pools.find(({ name }) => name === pool.name);
  const rolls = own.find(({ rule }) => rollRules.includes(rule));
  const creates = own.find(({ rule }) => createRules.includes(rule));
  const rolled = rolls === undefined ? 0 : Math.max(rolls.nodes, before?.autoscale?.max ?? 0);
  const created = creates === undefined ? 0 : pool.replicas - (before?.replicas ?? 0);
  return [
    ...(rolled > 0 ? [{ ...rollJob(pool, rolled, minutes), rank: rankOf(pool, clusters) }] : []),
    ...(created > 0 ? [createJob(pool, created, creates?.nodes ?? 0, minutes)] : []),
  ];
}

/** When each job begins, if each takes as long as `lasts` says. */
function beginnings(jobs: readonly Job[], lasts: (job: Job) => number): Map<Job, number> {
  const begins = new Map<Job, number>();
  for (const job of [...jobs].sort((a, b) => (a.rank ?? -1) - (b.rank ?? -1))) {
    const before = [...begins].filter(([{ rank }]) => rank !== undefined && rank < (job.rank ?? -1));
    begins.set(job, Math.max(0, ...before.map(([earlier, begin]) => begin + lasts(earlier))));
  }
  return begins;
}

/** The moment at which a quota has most vCPUs beyond those of today. */
function peaksOf(stages: readonly Stage[]): Schedule["peaks"] {
  const quotas = [...new Set(stages.flatMap(({ extra }) => extra?.quota ?? []))].sort();
  return quotas.map((quota) => {
    const all = stages.map(({ begins: at }) => ({
      ...{ quota, at },
      vcpus: stages
        .filter(({ begins, ends }) => begins <= at && at < ends)
        .reduce((cores, { extra }) => cores + (extra?.quota === quota ? extra.vcpus : 0), 0),
    }));
    return all.reduce((highest, each) => (each.vcpus > highest.vcpus ? each : highest));
  });
}

/**
 * How long a change takes, from what it does to machines.
 * @returns `undefined` if no machine is replaced or created, if a stack is new or gone, or if something stops `up`
 */
export function scheduleOf(
  impacts: readonly Impact[],
  clusters: ClusterPair,
  minutes: RollMinutes,
): Schedule | undefined {
  const { base, head } = clusters;
  if (!base || !head || impacts.some(({ severity, later }) => severity === "refused" && later !== true)) {
    return undefined;
  }
  const rolled = impacts.find(({ rule }) => rule === "control-plane-rolls")?.nodes ?? 0;
  const jobs = [
    ...(head.controlPlane && rolled > 0 ? [controlPlaneJob(head.controlPlane, rolled, minutes)] : []),
    ...head.pools.flatMap((pool) => poolJobs(pool, impacts, clusters, minutes)),
  ];
  const likely = beginnings(jobs, (job) => job.likely);
  const longest = beginnings(jobs, ({ most }) => most ?? Infinity);
  const stages = jobs
    .map((job): Stage => {
      const { who, machines, work, together, missing, drainedAtOnce, extra, most } = job;
      const begins = likely.get(job) ?? 0;
      return {
        ...{ who, machines, work, together, missing, begins, ends: begins + job.likely },
        ...withoutUndefined({ most, drainedAtOnce, extra }),
      };
    })
    .sort((a, b) => a.begins - b.begins);
  const most = Math.max(0, ...jobs.map((job) => (longest.get(job) ?? 0) + (job.most ?? Infinity)));
  return stages.length === 0
    ? undefined
    : {
        stages,
        likely: Math.max(...stages.map(({ ends }) => ends)),
        ...(most === Infinity ? {} : { most }),
        peaks: peaksOf(stages),
        source: minutes.source,
      };
}
