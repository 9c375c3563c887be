import type { ClusterModel } from "../../model/cluster/types";
import { clusterSections } from "../clusterRows";
import { block, details, section } from "./blocks";
import type { Section } from "./budget";
import { fenced, prose } from "capz-windows-kit/markdown";
import { marked } from "./escape";

/** What a stack becomes, for those who read no other report: a folded table for each subject, commands below it. */
export const clusterDetails = (cluster: ClusterModel): Section[] =>
  clusterSections(cluster).map(({ title, rows }) =>
    details(prose(title), [
      section(
        "| | |\n| --- | --- |\n",
        rows.flatMap(({ label, lines }) =>
          lines
            .filter((line) => typeof line === "string")
            .map((line, index) =>
              block(
                "plan",
                2,
                "line",
                () => `| ${index === 0 ? prose(label) : ""} | ${marked(line, 4_000)} |\n`,
              ),
            ),
        ),
      ),
      ...rows.flatMap(({ label, lines }) => {
        const commands = lines.flatMap((line) => (typeof line === "string" ? [] : [line.command]));
        return commands.length === 0
          ? []
          : [block("plan", 3, "command block", () => `${prose(label)}\n\n${fenced(commands, "sh")}\n`)];
      }),
    ]),
  );
