import { lt, major, minor, valid } from "semver";
import type { PropertyChange } from "../../compare/stackDiff";
import { formatList, formatValue } from "../format";
import { findChange, touches, type ClusterPair, type ImpactRule } from "../impactRule";

/** An upgrade by a minor: what changes in which order. */

const versionPath = /^spec\.version$/;
const version = touches("KubeadmControlPlane", versionPath);

/** Both sides of a change, as texts. */
export const versions = (change: PropertyChange | undefined): [before: string, after: string] => [
  formatValue(change?.before),
  formatValue(change?.after),
];

/** Is the second version of an older minor than the first? A patch can go back: no API and no format changes with it. */
export const isOlderMinor = (before: string, after: string): boolean =>
  major(after) < major(before) || (major(after) === major(before) && minor(after) < minor(before));

/** Whether the stack orders upgrades, and did so before: the first `up` only makes what later ones wait by. */
const isOrdered = ({ base, head }: ClusterPair): boolean =>
  base?.controlPlane?.ordersUpgrades === true && head?.controlPlane?.ordersUpgrades === true;

/** What follows the control plane, in order. */
function upgradeSteps({ base, head }: ClusterPair): string[] {
  const current = new Map((base?.pools ?? []).map((pool) => [pool.name, pool.version]));
  const pools = (head?.pools ?? []).filter(({ name, version: wanted }) => {
    const runs = current.get(name);
    return runs !== undefined && runs !== wanted;
  });
  const ofSystem = (wanted: string) => pools.filter(({ os }) => os === wanted);
  const addons = (head?.addons ?? []).filter(
    ({ name, versions: now }) =>
      String(now) !== String(base?.addons.find((addon) => addon.name === name)?.versions),
  );
  const step = (title: string, parts: readonly { readonly name: string }[]): string[] =>
    parts.length === 0 ? [] : [`${title} ${formatList(parts.map(({ name }) => name))}`];
  return [
    ...step("add-ons", addons),
    ...step("Linux pools", ofSystem("linux")),
    ...step("Windows pools", ofSystem("windows")),
  ];
}

export const upgradeRules: readonly ImpactRule[] = [
  {
    id: "kubernetes-goes-back",
    source: "https://kubernetes.io/releases/version-skew-policy/ (a patch may go back)",
    per: "stack",
    informational: true,
    match: version,
    what: (matched) => {
      const [before, after] = versions(findChange(matched, versionPath));
      return (
        valid(before) !== null &&
        valid(after) !== null &&
        lt(after, before) &&
        !isOlderMinor(before, after) &&
        `Downgrade of Kubernetes: ${before} → ${after}`
      );
    },
    why: "what the newer patches mended comes back; new warnings name what is known of it",
  },
  {
    id: "upgrade-in-order",
    source:
      "https://kubernetes.io/releases/version-skew-policy/; project: components/workloadCluster/upgradeOrder.ts",
    per: "stack",
    informational: true,
    match: version,
    what: (matched, clusters) => {
      const [before, after] = versions(findChange(matched, versionPath));
      const steps = upgradeSteps(clusters);
      return (
        isOlderMinor(after, before) &&
        isOrdered(clusters) &&
        steps.length > 0 &&
        `\`pulumi up\` upgrades to ${after} in this order: control plane; ${steps.join("; ")}`
      );
    },
    why: "what follows waits for the control plane, so no kubelet and no kube-proxy is newer than an API server at any moment; after an interruption, `pulumi up` continues",
  },
  {
    id: "upgrade-all-at-once",
    severity: "rolls",
    source: "https://kubernetes.io/releases/version-skew-policy/ (kubelet); docs/operations.md",
    per: "stack",
    informational: true,
    match: version,
    explain: (matched, clusters) => {
      const { base, head } = clusters;
      const [before, after] = versions(findChange(matched, versionPath));
      const current = new Map((base?.pools ?? []).map((pool) => [pool.name, pool.version]));
      // MachineSets wait: their preflight checks compare versions, and ask whether the control plane is upgraded.
      const rolled = (head?.pools ?? []).filter(({ name, kind, version: wanted }) => {
        const runs = current.get(name);
        return kind === "MachinePool" && runs !== undefined && runs !== "" && lt(runs, wanted);
      });
      return isOlderMinor(after, before) && !isOrdered(clusters) && rolled.length > 0
        ? {
            what: `Control plane and ${formatList(rolled.map(({ name }) => name))} are upgraded to ${after} in one \`up\``,
            why: `scale sets do not wait for the control plane, as MachineDeployments do, and a kubelet must never be newer than an API server; ${head?.controlPlane?.ordersUpgrades ? "the order is part of the stack only after its next `up`" : "with `wait: none` there is no order"}`,
            instead: head?.controlPlane?.ordersUpgrades
              ? `run \`pulumi up\` with kubernetesVersion: ${before} first`
              : "set wait: controlPlane, run `pulumi up`, and then upgrade",
          }
        : undefined;
    },
  },
];
