import { formatRange } from "../../../tools/problem";
import { formatList, pluralize, pluralizeRange } from "../impact/format";
import type { Schedule, Stage } from "../impact/stages";
import { present } from "../../../tools/present";

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

/** "12 minutes", "40 minutes to 3 h 20 min". */
const durationRange = (least: number, most: number): string =>
  durationText(least) === durationText(most)
    ? durationText(most)
    : `${durationText(least)} to ${durationText(most)}`;

/** The first sentences that a reviewer reads. */
export function durationSummary({ likely, least = likely, most, stages, later }: Schedule): string {
  const works = new Set(stages.map(({ work }) => work));
  const endless = stages.filter((stage) => stage.most === undefined).map(({ who }) => who);
  const ends = present(
    (works.has("replaced") || works.has("created")) && "the last new machine is ready",
    (works.has("replaced") || works.has("deleted")) &&
      (works.has("replaced") || works.has("created")
        ? "the last old one is gone"
        : "the last old machine is gone"),
  );
  return present(
    ...(stages.length === 0
      ? ["No machine is replaced, created or deleted, so there is none to wait for."]
      : [
          ...(works.has("replaced") ? [] : ["No machine is replaced."]),
          `About ${durationRange(least, likely)} until ${formatList(ends)}${least < likely ? ", depending on how many nodes the autoscaler runs" : ""}.`,
        ]),
    later !== undefined &&
      `A node that the autoscaler adds later is ready after about ${durationText(later)}.`,
    ...(endless.length > 0
      ? [
          `There is no upper limit: drains in ${formatList(endless)} have none, and a PodDisruptionBudget can hold a node until you act.`,
        ]
      : most === undefined || most === likely
        ? []
        : [`At most ${durationText(most)}, if every boot and drain takes as long as it may.`]),
  ).join(" ");
}

/** "3 machines replaced, 1 at a time; 1 node missing at most; 4 more vCPUs" */
export function stageText(stage: Stage): string {
  const { machines, work, together, missing, drainedAtOnce, extra, least = stage } = stage;
  const moved = `the pods of ${drainedAtOnce} old nodes may have to move at once`;
  return present(
    `${pluralizeRange(least.machines, machines, "machine")} ${work}${machines > together ? `, ${together} at a time` : ""}`,
    ...(work === "created"
      ? []
      : missing > 0
        ? [
            `${pluralizeRange(least.missing, missing, "node")} ${work === "deleted" ? "fewer" : "missing at most"}`,
          ]
        : work === "replaced"
          ? ["each new node is ready before an old one goes"]
          : []),
    drainedAtOnce !== undefined && moved,
    extra !== undefined && `${extra.vcpus} more vCPUs`,
    stage.least !== undefined &&
      stage.least.lasts !== stage.ends - stage.begins &&
      `${durationRange(stage.least.lasts, stage.ends - stage.begins)} for ${pluralizeRange(stage.least.machines, machines, "machine")}`,
  ).join("; ");
}

/** "0:00–0:10" */
export const stageTime = ({ begins, ends }: Stage): string => `${clock(begins)}–${clock(ends)}`;

/** What stands below the bars. */
export const scheduleNotes = ({ peaks, source, stages, risks, fewer }: Schedule): string[] =>
  present(
    ...risks.map((risk) => `At risk: ${risk}`),
    fewer !== undefined &&
      `Nodes: at most ${formatRange(fewer.least, fewer.most)} fewer than today at a time.`,
    ...peaks.map(
      ({ quota, vcpus, at }) =>
        `Quota: at most ${vcpus} more vCPUs of ${quota} than today, from ${clock(at)} on; without them the change stops until there is quota.`,
    ),
    stages.length > 0 &&
      `Times are hours:minutes since the beginning of the update${stages.some(({ least }) => least !== undefined) ? ", for the largest number of nodes of an autoscaler" : ""}; they are ${source}.`,
  );

/** Share of the whole time: where a bar begins, and its length. */
export const shareOf = (
  { begins, ends }: Stage,
  { likely }: Schedule,
): readonly [from: number, length: number] =>
  likely === 0 ? [0, 1] : [begins / likely, (ends - begins) / likely];

const barWidth = 20;

/** One line for each stage: who, when, and a bar. */
export function barLines(schedule: Schedule): string[] {
  const widest = Math.max(0, ...schedule.stages.map(({ who }) => who.length));
  return schedule.stages.map((stage) => {
    const [from, length] = shareOf(stage, schedule);
    const start = Math.min(barWidth - 1, Math.round(from * barWidth));
    const bar = "█".repeat(Math.max(1, Math.min(barWidth - start, Math.round(length * barWidth))));
    return `${stage.who.padEnd(widest)}  ${stageTime(stage)}  ${"·".repeat(start)}${bar.padEnd(barWidth - start, "·")}`;
  });
}
