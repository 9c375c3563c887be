import { warningsOnlyIn } from "capz-windows-kit/warningText";
import type { Finding } from "capz-windows-kit/finding";
import type { ClusterModel } from "../model/cluster/types";
import type { Plan } from "../model/plan";
import { costTable } from "./cost";
import { machineRows, reachRows, type ClusterSection } from "./clusterRows";
import { inLine, joined, type ReportRow } from "./layout";
import { managementRow } from "./managementRows";
import { networkRows } from "./networkRows";
import { othersRows } from "./others";
import { errorsAndRest, findingWord, messageText, placeText } from "./policyTexts";
import type { StackReport } from "./stackReport";

/** What a stack is, on one screen: the rest is in the files of the plan, and shown by --verbose. */

const firstLine = ({ label, lines }: ReportRow): ReportRow => ({ label, lines: lines.slice(0, 1) });

/** The rows of the network of which the first line stands in the summary. */
const shortRows =
  /^(VNET|made by others|subnets|pods|services|MTU|outbound|proxy|images|peering .*|DNS|Azure Bastion)$/;

/** Where the whole list is. */
export function othersLine(cluster: ClusterModel): string {
  const labels = othersRows(cluster).map(({ label }) => label);
  return labels.length === 0 ? "" : `${joined(...labels)}: network/others.txt of the folder below`;
}

/** Nothing where prices are unknown. */
export function costLine(cost: StackReport["cost"]): string {
  const total = costTable({ cost })?.rows.at(-1);
  return total === undefined ? "" : `${total.amount} a month`;
}

export function summarySections(cluster: ClusterModel): ClusterSection[] {
  const { management } = cluster;
  const network = management.only === true ? [] : networkRows(cluster);
  return [
    { title: "Machines", rows: [...machineRows(cluster), managementRow(management)] },
    { title: "Network", rows: network.filter(({ label }) => shortRows.test(label)) },
    { title: "Who may reach what", rows: reachRows(cluster) },
  ].map(({ title, rows }) => ({ title, rows: rows.map(firstLine) }));
}

/** The warnings of one rule that stand in one line. */
interface Warned {
  readonly place: string;
  readonly text: string;
  readonly more: number;
}

/** "The API server has no audit log", "note: Windows Server gets security updates only" */
function warnedText(finding: Finding): string {
  const word = findingWord(finding);
  return `${word === "warning" ? "" : `${word}: `}${finding.summary ?? finding.title}`;
}

function warned(findings: readonly Finding[]): Warned[] {
  const texts = [...new Set(findings.map(warnedText))];
  return texts.map((text) => {
    const same = findings.filter((finding) => warnedText(finding) === text);
    return { place: same.slice(0, 1).map(placeText).join(""), text, more: same.length - 1 };
  });
}

/** Without what stands above as an error. Settings with consequences follow the policies, then what the program says. */
export function warningLines(
  { warnings }: Pick<Plan, "warnings">,
  findings: readonly Finding[] = [],
  width: number,
): string[] {
  const settings = findings.filter(({ id, accepted }) => id === "stack-warning" && accepted === undefined);
  const others = warningsOnlyIn(warnings, findings.map(messageText));
  const given: Warned[] = [
    ...warned(errorsAndRest(findings)[1]),
    // The place says of which pool it is, and the line has room for the reason.
    ...settings.map((finding) => ({
      place: placeText(finding),
      text: messageText({ ...finding, path: finding.path.split(".").at(-1) ?? "" }),
      more: 0,
    })),
    ...others.map((text) => ({ place: "", text, more: 0 })),
  ];
  const all = given.map(({ place, text, more }) => ({ place: inLine(place), text: inLine(text), more }));
  const widest = Math.max(0, ...all.map(({ place }) => place.length));
  return all.map(({ place, text, more }) => {
    const start = widest === 0 ? "  " : `  ${place.padEnd(widest)}  `;
    const end = more === 0 ? "" : `, and ${more} more`;
    const room = Math.max(20, width - start.length - end.length);
    return `${start}${text.length > room ? `${text.slice(0, room - 1)}…` : text}${end}`;
  });
}
