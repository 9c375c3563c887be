import { formatList, pluralize } from "../impact/format";
import type { Schedule, Stage } from "../impact/stages";

/** How long a change takes, in words, and as bars. */

/** "12 minutes", "1 h 05 min". */
export function durationText(minutes: number): string {
  const whole = Math.ceil(minutes);
  return whole < 90
    ? pluralize(whole, "minute")
    : `${Math.floor(whole / 60)} h ${String(whole % 60).padStart(2, "0")} min`;
}

/** "0:05" */
const clock = (minutes: number): string =>
  `${Math.floor(Math.round(minutes) / 60)}:${String(Math.round(minutes) % 60).padStart(2, "0")}`;

/** The first sentence that a reviewer reads. */
export function durationSummary({ likely, most, stages }: Schedule): string {
  const endless = stages.filter((stage) => stage.most === undefined).map(({ who }) => who);
  const limit =
    most === undefined
      ? `There is no upper limit: drains in ${formatList(endless)} have none, and a PodDisruptionBudget can hold a node until you act.`
      : `At most ${durationText(most)}, if every boot and drain takes as long as it may.`;
  return `About ${durationText(likely)} until the last new machine is ready and the last old one is gone. ${limit}`;
}

/** "3 machines replaced, 1 at a time; no node is missing; all 3 may be drained at once; 4 more vCPUs" */
export function stageText({ machines, work, together, missing, drainedAtOnce, extra }: Stage): string {
  return [
    `${pluralize(machines, "machine")} ${work}${machines > together ? `, ${together} at a time` : ""}`,
    missing === 0 ? "no node is missing" : `${pluralize(missing, "node")} missing at most`,
    ...(drainedAtOnce === undefined ? [] : [`all ${drainedAtOnce} may be drained at once`]),
    ...(extra === undefined ? [] : [`${extra.vcpus} more vCPUs`]),
  ].join("; ");
}

/** "0:00–0:10" */
export const stageTime = ({ begins, ends }: Stage): string => `${clock(begins)}–${clock(ends)}`;

/** What stands below the bars. */
export const scheduleNotes = ({ peaks, source, stages }: Schedule): string[] => [
  ...(stages.some(({ drainedAtOnce }) => drainedAtOnce !== undefined)
    ? [
        "At risk: applications without a PodDisruptionBudget, because nodes of a scale set may be drained all at once. Give each a PodDisruptionBudget: its pods then stay until new nodes are ready.",
      ]
    : []),
  ...peaks.map(
    ({ quota, vcpus, at }) =>
      `Quota: at most ${vcpus} more vCPUs of ${quota} than today, from ${clock(at)} on; without them the change stops until there is quota.`,
  ),
  `The minutes are ${source}.`,
];

/** Share of the whole time: where a bar begins, and its length. */
export const shareOf = (
  { begins, ends }: Stage,
  { likely }: Schedule,
): readonly [from: number, length: number] =>
  likely === 0 ? [0, 1] : [begins / likely, (ends - begins) / likely];

const barWidth = 20;

/** One line for each stage: who, when, and a bar. */
export function barLines(schedule: Schedule): string[] {
  const widest = Math.max(...schedule.stages.map(({ who }) => who.length));
  return schedule.stages.map((stage) => {
    const [from, length] = shareOf(stage, schedule);
    const start = Math.min(barWidth - 1, Math.round(from * barWidth));
    const bar = "█".repeat(Math.max(1, Math.min(barWidth - start, Math.round(length * barWidth))));
    return `${stage.who.padEnd(widest)}  ${stageTime(stage)}  ${"·".repeat(start)}${bar.padEnd(barWidth - start, "·")}`;
  });
}
