import { lineText, pathText, stateWords, type ReachPath } from "../../../platform/network/reach/paths";
import type { PathChange } from "../compare/reachChanges";
import type { Row } from "./layout";

/** Who reaches whom, in words. */

/** "open → shut by own of rt" */
export const changeText = ({ before, after, by }: PathChange): string =>
  before === after
    ? `still ${stateWords[after]}, now: ${by}`
    : `${stateWords[before]} → ${stateWords[after]}${[before, after].includes("unknown") && after !== "open" && after !== "shut" ? ":" : " by"} ${by}`;

export const pathChangeRow = (change: PathChange): Row => ({
  label: pathText(change),
  lines: [changeText(change)],
});

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
