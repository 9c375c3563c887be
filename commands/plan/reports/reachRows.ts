import type { ReachPath } from "../../../platform/network/reach/paths";
import type { Row } from "./layout";

/** Who reaches whom, in words. */

const counted = (count: number, noun = "path"): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const pathText = ({ from, to, port }: ReachPath): string => `${from} → ${to} (${port})`;

/** What a path is: "open", "shut", "up to others", and whether that is as it must be. */
export const stateText = ({ state, wanted }: ReachPath): string =>
  state === "unknown" ? "up to others" : state === wanted ? state : `${state}, should be ${wanted}`;

/** Counts, and what is not as it must be or not known; a report in HTML has the whole table. */
export function reachSummary(reach: readonly ReachPath[]): Row[] {
  const as = (state: ReachPath["state"]) =>
    reach.filter((one) => one.state === state && one.wanted === state);
  const unknown = reach.filter(({ state }) => state === "unknown");
  const reasons = [...new Set(unknown.map(({ by }) => by))];
  return reach.length === 0
    ? []
    : [
        {
          label: "network paths",
          lines: [
            [
              `${as("open").length} open that must be`,
              `${as("shut").length} shut that must be`,
              ...(unknown.length === 0 ? [] : [`${unknown.length} up to others`]),
            ].join(", "),
            ...reach
              .filter(({ state, wanted }) => state !== "unknown" && state !== wanted)
              .map((one) => `${pathText(one)} is ${stateText(one)}: ${one.by}`),
            ...reasons.map((by) => `${counted(unknown.filter((one) => one.by === by).length)} up to ${by}`),
          ],
        },
      ];
}
