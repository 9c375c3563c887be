import type { RollMinutes } from "../../../platform/machines/rollMinutes";
import type { Impact } from "./impact";
import type { ClusterPair } from "./impactRule";
import { type Job, jobsOf } from "./jobs";
import { risksOf } from "./risks";
import type { Schedule, Stage } from "./stages";
import { withoutUndefined } from "../../../tools/without";

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

/** How many nodes are missing at most at a time; those of deleted machines do not come back. */
const fewerNodes = (stages: readonly Stage[], count: (stage: Stage) => number): number =>
  Math.max(
    0,
    ...stages.map(({ begins: at }) =>
      stages
        .filter(({ begins, ends, work }) => begins <= at && (at < ends || work === "deleted"))
        .reduce((all, stage) => all + count(stage), 0),
    ),
  );

/** Minutes until a node is ready that an autoscaler adds later. */
const laterNodes = (impacts: readonly Impact[], { head }: ClusterPair, minutes: RollMinutes): number[] =>
  (head?.pools ?? [])
    .filter(({ autoscale, members: { machines } }) =>
      impacts.some(
        ({ rule, urns }) =>
          autoscale !== undefined && rule.startsWith("pool-autoscaler") && urns.includes(machines),
      ),
    )
    .map(({ os }) => minutes.boot[os]);

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
  const { base, head } = clusters;
  if (!base || !head || impacts.some(({ severity, later }) => severity === "refused" && later !== true)) {
    return undefined;
  }
  const [all, fewest] = [
    jobsOf(impacts, clusters, minutes, "most"),
    jobsOf(impacts, clusters, minutes, "least"),
  ] as const;
  const begin = beginnings(all, ({ likely }) => likely);
  const longest = beginnings(all, ({ most }) => most ?? Infinity);
  const shortest = beginnings(fewest, ({ likely }) => likely);
  const pairs = all
    .map((job, index) => ({ job, least: fewest[index] ?? job }))
    .filter(({ job, least }) => job.machines > 0 || least.machines > 0);
  const stages = pairs
    .map(({ job, least }): Stage => {
      const { who, machines, work, together, missing, drainedAtOnce, extra, likely, most } = job;
      const begins = begin.get(job) ?? 0;
      return {
        ...{ who, machines, work, together, missing, begins, ends: begins + likely },
        ...withoutUndefined({ most, drainedAtOnce, extra }),
        ...(least.machines !== machines && {
          least: { machines: least.machines, missing: least.missing, lasts: least.likely },
        }),
      };
    })
    .sort((a, b) => a.begins - b.begins);
  if (stages.length === 0 && (impacts.length === 0 || impacts.some(isRolling))) {
    return undefined;
  }
  const most = Math.max(0, ...pairs.map(({ job }) => (longest.get(job) ?? 0) + (job.most ?? Infinity)));
  const likely = Math.max(0, ...stages.map(({ ends }) => ends));
  const least = Math.max(0, ...pairs.map((pair) => (shortest.get(pair.least) ?? 0) + pair.least.likely));
  const later = laterNodes(impacts, clusters, minutes);
  const missing = fewerNodes(stages, (stage) => stage.missing);
  return {
    ...{ stages, likely },
    ...(least < likely ? { least } : {}),
    ...(most === Infinity ? {} : { most }),
    ...(missing !== 0 && {
      fewer: {
        least: fewerNodes(stages, (stage) => (stage.least ?? stage).missing),
        most: missing,
      },
    }),
    ...(later.length === 0 ? {} : { later: Math.max(...later) }),
    peaks: peaksOf(stages),
    risks: risksOf(stages, clusters, minutes),
    source: minutes.source,
  };
}

/** Machines of which the schedule knows nothing: those of the management cluster, or of another cluster. */
const isRolling = ({ severity, nodes }: Impact): boolean => nodes > 0 || severity === "rolls";
