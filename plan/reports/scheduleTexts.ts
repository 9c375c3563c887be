import { formatRange } from "capz-windows-kit/problem";
import { pluralizeRange } from "../impact/format";
import type { PoolWork, Schedule } from "../impact/scheduleSchema";

/** What a change does to machines, one line for each pool. */

function durationText({ least, most }: PoolWork["minutes"]): string {
  const from = Math.ceil(least);
  if (most === undefined) {
    return `${from} minutes or more`;
  }
  return `${formatRange(from, Math.ceil(most))} minutes`;
}

/** "Windows pool win1: 4 machines replaced, 2 at a time, 31 to 102 minutes, +16 vCPUs DSv5". */
function workLine({ who, work, machines, together, minutes, missing, extra }: PoolWork): string {
  const parts = [`${pluralizeRange(machines.least, machines.most, "machine")} ${work}`];
  if (machines.most > together) {
    parts.push(`${together} at a time`);
  }
  parts.push(durationText(minutes));
  if (work === "replaced" && missing > 0) {
    parts.push(`${pluralizeRange(missing, missing, "node")} missing at most`);
  }
  if (extra !== undefined) {
    parts.push(`+${extra.vcpus} vCPUs ${extra.quota}`);
  }
  return `${who}: ${parts.join(", ")}`;
}

export function workTexts({ pools, source }: Schedule): string[] {
  if (pools.length === 0) {
    return ["No machine is replaced, created or deleted."];
  }
  const isEndless = pools.some(({ minutes }) => minutes.most === undefined);
  return [...pools.map(workLine), `Minutes are ${source}${isEndless ? "; drains have no limit" : ""}.`];
}

export const scheduleTexts = (schedule: Schedule): string[] => [
  ...workTexts(schedule),
  ...schedule.risks.map((risk) => `At risk: ${risk}`),
];
