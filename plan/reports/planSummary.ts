import { warningsOnlyIn } from "capz-windows-kit/warningText";
import type { Finding } from "capz-windows-kit/finding";
import { wayOutText } from "../model/cluster/outbound";
import type { ClusterModel, MachinesModel } from "../model/cluster/types";
import type { Plan } from "../model/plan";
import { costTable } from "./cost";
import { countText, systemText, zonesText } from "./clusterText";
import { reachRows, type ClusterSection } from "./clusterRows";
import { inLine, joined, row, said, type ReportRow } from "./layout";
import { managementRow } from "./managementRows";
import { peeringText } from "./networkRows";
import { othersRows } from "./others";
import { errorsAndRest, findingWord, messageText, placeText } from "./policyTexts";
import type { StackReport } from "./stackReport";

/** What a stack is, on one screen: the rest is in the files of the plan, and shown by --verbose. */

const firstLine = ({ label, lines }: ReportRow): ReportRow => ({ label, lines: lines.slice(0, 1) });

function machineRows(cluster: ClusterModel): ReportRow[] {
  const { controlPlane, pools, management, kubernetesVersion } = cluster;
  const other = ({ version }: MachinesModel): string | false => version !== kubernetesVersion && version;
  const rows = pools.map((pool) =>
    row(
      pool.name,
      joined(`${countText(pool)} × ${pool.vmSize}`, systemText(pool), other(pool), zonesText(pool)),
    ),
  );
  if (controlPlane !== undefined) {
    const { replicas, vmSize } = controlPlane;
    rows.unshift(row("control plane", joined(`${replicas} × ${vmSize}`, "Linux", other(controlPlane))));
  }
  return [...rows, firstLine(managementRow(management))];
}

/** The smallest of all machines decides for a pod that may run anywhere. */
function mtuText({ network: { mtus }, pools }: ClusterModel): string {
  const kinds = pools.some(({ os }) => os === "windows") ? [mtus.linux, mtus.windows] : [mtus.linux];
  const smallest = (sizes: readonly number[]): number => Math.min(...sizes);
  return `${smallest(kinds.map(({ host }) => host.bytes))} on hosts, ${smallest(kinds.map(({ pod }) => pod.bytes))} in pods`;
}

function networkRows(cluster: ClusterModel): ReportRow[] {
  const { network, management } = cluster;
  if (management.only === true) {
    return [];
  }
  const { cidrs, podCidrs, serviceCidrs, subnets, peerings = [], dnsServers = [], bastion, egress } = network;
  return said(
    row(
      "VNET",
      joined(`${network.vnet} ${cidrs.join(", ")}`, network.byOthers !== undefined && "made by others"),
    ),
    row("subnets", joined(...subnets.map((subnet) => `${subnet.name} ${subnet.cidrs.join(", ")}`))),
    row("pods, Services", joined(podCidrs.join(", "), serviceCidrs.join(", "))),
    row("MTU", mtuText(cluster)),
    row("out", wayOutText(network)),
    row("proxy", egress?.proxy),
    row("images", egress?.registryMirror !== undefined && `from ${egress.registryMirror}`),
    row("peerings", joined(...peerings.map(peeringText))),
    row("DNS", joined(...dnsServers)),
    row("Azure Bastion", bastion?.name),
  );
}

const versionText = ({ name, versions }: ClusterModel["addons"][number]): string =>
  [name, ...versions].join(" ");

export const addonsText = ({ addons, autoscaler, sample }: ClusterModel): string =>
  joined(
    ...addons.map(versionText),
    autoscaler !== undefined && `cluster-autoscaler ${autoscaler}`,
    sample !== undefined && `sample ${sample.name}`,
  );

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

export const summarySections = (cluster: ClusterModel): ClusterSection[] => [
  { title: "Machines", rows: machineRows(cluster) },
  { title: "Network", rows: networkRows(cluster) },
  { title: "Who may reach what", rows: reachRows(cluster).map(firstLine) },
];

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
