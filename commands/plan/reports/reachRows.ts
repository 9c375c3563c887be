import type { ReachPath } from "../../../platform/network/reach/paths";
import type { PathChange } from "../compare/reachChanges";
import type { Row } from "./layout";

/** Who reaches whom, in words. */

const words = { open: "open", shut: "shut", unknown: "up to others", none: "none" } as const;

/** "open → shut by own of rt" */
export const changeText = ({ before, after, by }: PathChange): string =>
  before === after
    ? `still ${words[after]}, now: ${by}`
    : `${words[before]} → ${words[after]}${[before, after].includes("unknown") && after !== "open" && after !== "shut" ? ":" : " by"} ${by}`;

export const pathChangeRow = (change: PathChange): Row => ({
  label: pathText(change),
  lines: [changeText(change)],
});

export const pathText = ({ from, to, port }: Pick<ReachPath, "from" | "to" | "port">): string =>
  `${from} → ${to} (${port})`;

/** What a path is: "open", "shut", "up to others", and whether that is as it must be. */
export const stateText = ({ state, wanted }: ReachPath): string =>
  state === "unknown" || state === wanted ? words[state] : `${state}, should be ${wanted}`;

export const lineText = (path: ReachPath): string => `${pathText(path)} is ${stateText(path)}: ${path.by}`;

/** Counts, and what is not as it must be or not known; a report in HTML has the whole table. */
export function reachSummary(reach: readonly ReachPath[]): Row[] {
  const as = (state: ReachPath["state"]) =>
    reach.filter((one) => one.state === state && one.wanted === state);
  const unknown = reach.filter(({ state }) => state === "unknown");
  return reach.length === 0
    ? []
    : [
        {
          label: "network paths",
          lines: [
            `${as("open").length} open and ${as("shut").length} shut as they must be${unknown.length === 0 ? "" : `, ${unknown.length} up to others`}`,
            ...reach.filter(({ state, wanted }) => state !== "unknown" && state !== wanted).map(lineText),
            ...unknown.map(lineText),
          ],
        },
      ];
}
