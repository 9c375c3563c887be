import type { Finding } from "capz-windows-kit/finding";
import { formatRange } from "capz-windows-kit/problem";
import { present } from "capz-windows-kit/present";
import { formatList, pluralize, pluralizeRange } from "../impact/format";
import { changedSecrets, changedState } from "../compare/authored";
import type { Impact, StackComparison } from "../impact/impact";
import { findPool, poolLabel } from "../impact/machines";
import { isScheduled } from "../impact/schedule";
import type { PoolWork } from "../impact/scheduleSchema";
import type { ClusterModel } from "../model/cluster/types";
import { rangeText } from "./clusterText";
import { errorsAndRest, warningsBeside } from "./policyTexts";
import { differs, resourceCounts, whatHappens, worst, type StackReport } from "./stackReport";

/** What a person needs first, in one line: the worst of a change, what it does to machines, how long, and what it takes. */

/** Characters of a sentence that a rule says. */
const longest = 200;

/** Cut behind a whole part of the sentence, where one ends in the second half. */
function clipped(text: string, most = longest): string {
  if (text.length <= most) {
    return text;
  }
  const shown = text.slice(0, most - 1);
  const end = shown.lastIndexOf("; ");
  return `${end > most / 2 ? shown.slice(0, end) : shown}…`;
}

/** "win1", "the control plane". */
function partName({ who }: PoolWork, base: ClusterModel | undefined): string {
  if (who === "control plane") {
    return "the control plane";
  }
  return base?.pools.find((pool) => poolLabel(pool) === who)?.name ?? who;
}

/** The machines that a part has today; undefined where an autoscaler decides, or nothing is known of it. */
function machinesToday(part: string, base: ClusterModel | undefined): number | undefined {
  if (part === "the control plane") {
    return base?.controlPlane?.replicas;
  }
  const pool = findPool(base, part);
  return pool?.autoscale === undefined ? pool?.replicas : undefined;
}

/** "1 of 3 nodes of win2025", "all 3 nodes of win1", "2 to 10 nodes of win1". */
function countOf(work: PoolWork, base: ClusterModel | undefined): string {
  const part = partName(work, base);
  const { least, most } = work.machines;
  const today = machinesToday(part, base);
  const noun = part === "the control plane" ? "machine" : "node";
  const counted = pluralize(most, noun);
  if (today === 1 && least === 1 && most === 1) {
    return `the only ${noun} of ${part}`;
  }
  if (least !== most || today === undefined || today < most) {
    return `${pluralizeRange(least, most, noun)} of ${part}`;
  }
  if (today === most && most === 2) {
    return `both ${noun}s of ${part}`;
  }
  return today === most ? `all ${counted} of ${part}` : `${most} of ${pluralize(today, noun)} of ${part}`;
}

const verbs: Readonly<Record<PoolWork["work"], string>> = {
  replaced: "rolls",
  deleted: "deletes",
  created: "adds",
};

function machineParts(pools: readonly PoolWork[], base: ClusterModel | undefined): string[] {
  const kinds = ["replaced", "deleted", "created"] as const;
  return kinds.flatMap((work) => {
    const own = pools.filter((pool) => pool.work === work);
    if (own.length === 0) {
      return [];
    }
    const counts = own.map((pool) =>
      work === "created"
        ? `${pluralizeRange(pool.machines.least, pool.machines.most, "node")} to ${partName(pool, base)}`
        : countOf(pool, base),
    );
    const names = own.slice(3).map((pool) => partName(pool, base));
    const more =
      names.length > 1 ? [`${names.length} more pools (${formatList(names, 6)})`] : counts.slice(3);
    return [`${verbs[work]} ${formatList([...counts.slice(0, 3), ...more])}`];
  });
}

/** Pools may follow one another: of several, only the longest is certain, and in an ordered upgrade the control plane before it. */
function timeText(pools: readonly PoolWork[], isOrdered: boolean): string | undefined {
  const isControlPlane = ({ who }: PoolWork): boolean => who === "control plane";
  // Its machines come and go one by one.
  const first = pools.filter(isControlPlane).reduce((sum, { minutes }) => sum + minutes.least, 0);
  const then = Math.max(
    0,
    ...pools.filter((pool) => !isControlPlane(pool)).map(({ minutes }) => minutes.least),
  );
  const least = Math.ceil(isOrdered ? first + then : Math.max(first, then));
  if (least === 0) {
    return undefined;
  }
  const most = pools.length === 1 ? pools[0]?.minutes.most : undefined;
  return most === undefined ? `${least} min or more` : `${formatRange(least, Math.ceil(most))} min`;
}

/** "+16 vCPUs DSv5"; of several pools, which may not take them at the same time, at most. */
function quotaTexts(pools: readonly PoolWork[]): string[] {
  const sums = new Map<string, number[]>();
  for (const { extra } of pools) {
    if (extra !== undefined) {
      sums.set(extra.quota, [...(sums.get(extra.quota) ?? []), extra.vcpus]);
    }
  }
  return [...sums].map(([quota, vcpus]) => {
    const sum = vcpus.reduce((total, each) => total + each, 0);
    return `${vcpus.length > 1 ? "up to " : ""}+${sum} vCPUs ${quota}`;
  });
}

/** Of a pool that keeps old machines beside new ones, a number would say that it is being replaced. */
const isPartly = ({ rule }: Impact): boolean => rule === "pool-partly-renewed";

/** What machines do not say, and what is in the first line whatever else happens. */
const besides = [
  ...[
    "kubernetes-goes-back",
    "protect-off",
    "pod-mtu",
    "control-plane-scales-to-one",
    "kubelet-certificates",
  ],
  ...["linux-pools-closed", "mirror-alone", "pool-spot-open", "trust-removed", "pod-security-enforced"],
  ...["windows-pods-unpinned", "pool-zones", "cni-left", "default-storage-class"],
];

const isBeside = ({ rule }: Impact): boolean => besides.includes(rule);

/** Whether what happens to machines, or what is in the first line anyway, says it already. */
const isTold = (impact: Impact, pools: readonly PoolWork[]): boolean => {
  const { severity, rule, nodes, nodesAtMost = nodes } = impact;
  if (isBeside(impact)) {
    return true;
  }
  if (isPartly(impact)) {
    return false;
  }
  return (
    (severity === "rolls" || severity === "changes") &&
    isScheduled(rule) &&
    pools.some(({ work }) => (nodesAtMost > 0 ? work !== "created" : work === "created"))
  );
};

/** Rules that say how something arrives; others say what it is about. */
const isHow = ({ rule }: Impact): boolean => rule === "addon-changes";

/** The first of the worst that is not about the machines of a pool, and how many more there are; of what is refused, two. */
function worstText(impacts: readonly Impact[]): string | undefined {
  const sorted = [...impacts].sort((a, b) => Number(isHow(a)) - Number(isHow(b)));
  const [first] = sorted;
  if (first === undefined) {
    return undefined;
  }
  const { severity } = first;
  const isPlain = severity === "changes" || severity === "metadata" || severity === "rolls";
  const shown = sorted.slice(0, severity === "refused" ? 2 : 1);
  const rest = impacts.length - shown.length;
  const more = rest === 0 ? "" : `, and ${isPlain ? pluralize(rest, "more change") : `${rest} more`}`;
  const texts = shown.map(({ what }) => clipped(what, longest / shown.length));
  return `${isPlain ? "" : `${severity}: `}${texts.join("; ")}${more}`;
}

type Compared = StackReport & { readonly comparison: StackComparison };

/** Where no rule has anything to say. */
function otherChanges(comparison: StackComparison): string {
  const { authored, outputs, nodes } = comparison;
  const kinds = present(
    changedSecrets(authored).length > 0 && "secrets",
    changedState(authored).length > 0 && formatList(changedState(authored)),
    outputs.length > 0 && "outputs",
    nodes.length > 0 && "user data",
  );
  return comparison.changes.length > 0 || kinds.length === 0
    ? `resources: ${resourceCounts(comparison)}`
    : `no resource changes, only ${formatList(kinds)}`;
}

/** "could not be planned: Pulumi.prod.yaml: 1 problem". */
export function failedHeadline(failure: string): string {
  const [first] = failure.split("\n").filter((line) => line.trim() !== "");
  return ["could not be planned", ...present(first)].map((text) => clipped(text.trim())).join(": ");
}

function changeText({ comparison, base, plan, newFindings }: Compared): string {
  const head = plan?.cluster;
  if (comparison.status === "failed") {
    return failedHeadline(comparison.failure ?? "");
  }
  if (!differs(comparison)) {
    return "no change";
  }
  const { impacts, schedule } = whatHappens(comparison);
  const severity = worst(comparison);
  const pools = schedule?.pools ?? [];
  const text = worstText(impacts.filter((impact) => impact.severity === severity && !isTold(impact, pools)));
  // What a worse sentence says of machines that are lost, and of those in their place, is not said twice.
  const replacing = impacts.filter(({ rule }) => rule === "pool-changes-kind").flatMap(({ urns }) => urns);
  const isReplacing = ({ who, work }: PoolWork): boolean =>
    work === "created" &&
    replacing.includes(head?.pools.find((pool) => poolLabel(pool) === who)?.members.machines ?? "");
  const told =
    severity === "destroys" ? pools.filter((pool) => pool.work !== "deleted" && !isReplacing(pool)) : pools;
  const partly = impacts.filter(isPartly).flatMap(({ urns }) => urns);
  const isNamed = ({ who }: PoolWork): boolean =>
    !partly.includes(base?.pools.find((pool) => poolLabel(pool) === who)?.members.infrastructure ?? "");
  const machines = machineParts(told.filter(isNamed), base);
  const isQuiet =
    schedule !== undefined && pools.length === 0 && severity !== "refused" && severity !== "destroys";
  const isOrdered = impacts.some(({ rule }) => rule === "upgrade-in-order");
  const isFirst = severity === "rolls" || severity === "changes" || severity === "metadata";
  const parts = [
    ...(isFirst ? [...machines, ...present(text)] : [...present(text), ...machines]),
    ...(told.length === 0 ? [] : [...present(timeText(told, isOrdered)), ...quotaTexts(told)]),
    ...(isQuiet ? ["no machine is replaced"] : []),
  ];
  const beside = severity === "refused" ? [] : impacts.filter(isBeside).map(({ what }) => clipped(what));
  const main = parts.length === 0 ? [] : [parts.join(", ")];
  const all = isFirst ? [...beside, ...main] : [...main, ...beside];
  return all.length === 0
    ? otherChanges(comparison)
    : [...all, ...newWarnings(comparison, newFindings)].join("; ");
}

/** "2 new warnings", with those of policies. */
function newWarnings({ warnings }: StackComparison, newFindings: StackReport["newFindings"]): string[] {
  const [, policies] = errorsAndRest(newFindings);
  const count = warningsBeside(warnings, newFindings).length + policies.length;
  return count === 0 ? [] : [pluralize(count, "new warning")];
}

const machineCount = ({ controlPlane, pools }: ClusterModel) => {
  const ranges = pools.map(({ replicas, autoscale }) => autoscale ?? { min: replicas, max: replicas });
  const own = controlPlane?.replicas ?? 0;
  return {
    min: ranges.reduce((sum, { min }) => sum + min, own),
    max: ranges.reduce((sum, { max }) => sum + max, own),
  };
};

/** What a stack is: "Kubernetes v1.35.6 in westeurope, 5 machines, AKS with 3–5, 32–60 vCPUs DSv5, 4 public IPs". */
export function clusterText(cluster: ClusterModel): string {
  const { management, kubernetesVersion, location, quota } = cluster;
  const { aks } = management;
  const machines = machineCount(cluster);
  const isCluster = management.only !== true;
  return present(
    isCluster && `Kubernetes ${kubernetesVersion} in ${location}`,
    isCluster && `${rangeText(machines)} machine${machines.max === 1 ? "" : "s"}`,
    aks !== undefined &&
      `${isCluster ? "" : "management cluster: "}AKS ${aks.kubernetesVersion} with ${rangeText(aks.nodes)} nodes`,
    ...quota.vcpus.map(
      ({ family, steady, peak }) => `${rangeText({ min: steady, max: peak })} vCPUs ${family}`,
    ),
    quota.unknownSizes.length > 0 && `vCPUs of ${formatList(quota.unknownSizes)} unknown`,
    quota.publicAddresses > 0 && pluralize(quota.publicAddresses, "public IP"),
  ).join(", ");
}

/** The only error by its title. */
const errorText = ([first, ...more]: readonly Finding[]): string[] =>
  present(
    first !== undefined &&
      (more.length === 0 ? `policy error: ${first.title}` : pluralize(more.length + 1, "policy error")),
  );

/** What the change itself lets pass: its author accepts it, and no one else has to. */
function acceptedText({ comparison, findings = [] }: StackReport): string[] {
  const changed = comparison?.authored?.config.some(({ path }) => /^policyExceptions\b/.test(path)) ?? false;
  const errors = findings.filter(({ level, accepted }) => level === "error" && accepted !== undefined);
  return (changed || comparison?.status === "new") && errors.length > 0
    ? [`accepts ${pluralize(errors.length, "policy error")} itself`]
    : [];
}

/** Without the name of the stack. */
export function headline(report: StackReport): string {
  if (report.headline !== undefined) {
    return report.headline;
  }
  const { comparison, plan, findings } = report;
  const [errors] = errorsAndRest(findings);
  const isNew = comparison === undefined || (comparison.status === "new" && plan !== undefined);
  const planned =
    plan === undefined ? "planned" : `${comparison === undefined ? "" : "new, "}${clusterText(plan.cluster)}`;
  return [
    ...errorText(errors),
    ...acceptedText(report),
    isNew ? planned : changeText({ ...report, comparison }),
  ].join(" – ");
}
