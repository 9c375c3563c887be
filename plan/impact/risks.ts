import type { RollMinutes } from "capz-windows-platform/machines/rollMinutes";
import { defaultTokenMinutes, isTokenShort } from "capz-windows-platform/machines/bootstrapTokens";
import type { NodeOs } from "capz-windows-platform/machines/naming";
import type { ClusterModel, PoolModel } from "../model/cluster/types";
import { formatList, pluralize, pluralizeRange } from "./format";
import type { ClusterPair } from "./impactRule";
import { mostNodes, poolLabel, poolsLike } from "./machines";
import { isOlderMinor } from "./rules/upgrades";
import type { PoolWork } from "./scheduleSchema";
import { present } from "capz-windows-kit/present";

/** What a change of machines puts at risk, in sentences for people who know no Cluster API. */

const hasNodes = ({ pools }: ClusterModel, system: NodeOs): boolean =>
  pools.some((pool) => pool.os === system && mostNodes(pool) > 0);

/** Whether a pool, or another one that takes its pods, is there afterwards. */
const hasPlace = (head: ClusterModel, pool: PoolModel): boolean =>
  head.pools.some((own) => own.name === pool.name && own.os === pool.os && mostNodes(own) > 0) ||
  poolsLike(head, pool).length > 0;

function placeText(homeless: readonly PoolModel[], lost: number): string {
  if (homeless.length === 0) {
    return "Their pods stay Pending unless other nodes of that operating system, for Windows of that release, have room.";
  }
  const systems = homeless.map(({ windowsServer }) =>
    windowsServer === undefined ? "Linux" : `Windows Server ${windowsServer}`,
  );
  const which =
    homeless.length === lost ? "Their pods" : `Pods of ${formatList(homeless.map(({ name }) => name))}`;
  return `${which} stay Pending: no other pool has ${formatList([...new Set(systems)])}.`;
}

/** DaemonSets of add-ons that get another version. */
const restarting = ({ base, head }: ClusterPair): string[] =>
  (head?.addons ?? []).flatMap(({ name, applyOnce, versions, streams }) => {
    const before = base?.addons.find((addon) => addon.name === name);
    const isNew = before !== undefined && String(before.versions) !== String(versions);
    const objects = isNew && applyOnce !== true ? streams.flatMap((stream) => stream.objects) : [];
    return objects.flatMap((object) => /^DaemonSet (.*)/.exec(object)?.[1] ?? []);
  });

/** Where the first boot of a surge may take longer than its bootstrap token lives. */
function tokenRisk(all: readonly PoolWork[], { management, pools }: ClusterModel, minutes: RollMinutes) {
  const { bootstrapTtlMinutes: life = defaultTokenMinutes } = management;
  const late = pools.filter(
    (pool) =>
      pool.kind === "MachinePool" &&
      isTokenShort(life, minutes.boot[pool.os]) &&
      all.some(({ who, work }) => work === "replaced" && who === poolLabel(pool)),
  );
  return (
    late.length > 0 &&
    `new nodes of ${formatList(late.map(poolLabel))} may never join, and the rollout then waits for ever: they boot for about ${Math.max(...late.map(({ os }) => minutes.boot[os]))} minutes, and bootstrap tokens live ${life}${management.bootstrapTtlMinutes === undefined ? ", unless the management cluster is told otherwise" : ""}. Have them live longer than twice the boot first (clusterApi.bootstrapTtlMinutes).`
  );
}

export function risksOf(all: readonly PoolWork[], clusters: ClusterPair, minutes: RollMinutes): string[] {
  const { base, head } = clusters;
  if (!base || !head) {
    return [];
  }
  const [before, after] = [base.kubernetesVersion, head.kubernetesVersion];
  const lost = all.filter(({ work, missing }) => work === "deleted" && missing > 0);
  const total = (end: "least" | "most"): number => lost.reduce((sum, { machines }) => sum + machines[end], 0);
  const isAlone = head.controlPlane?.replicas === 1;
  // Cluster API gives kubeadm's kube-proxy the version of the control plane (CAPI v1.14.2 controlplane/kubeadm).
  const isUpgraded = before !== "" && after !== "" && before !== after;
  const daemonSets = [...new Set([...(isUpgraded ? ["kube-proxy"] : []), ...restarting(clusters)])];
  const isLost = (pool: PoolModel): boolean => lost.some(({ who }) => who === poolLabel(pool));
  const homeless = base.pools.filter((pool) => isLost(pool) && !hasPlace(head, pool));
  const away = Math.ceil(minutes.remove + minutes.notice);
  return present(
    lost.length > 0 &&
      `${pluralizeRange(total("least"), total("most"), "node")} ${total("most") === 1 ? "is" : "are"} deleted with all that is on local disks (${formatList(lost.map(({ who }) => who))}). ${placeText(homeless, lost.length)}`,
    hasNodes(base, "windows") &&
      !hasNodes(head, "windows") &&
      "no Windows node remains, and pods for Windows cannot run.",
    before !== "" &&
      after !== "" &&
      isOlderMinor(after, before) &&
      `the upgrade of Kubernetes from ${before} to ${after} cannot be undone.`,
    isAlone &&
      all.some(({ who, work }) => who === "control plane" && work === "replaced") &&
      `the control plane has one machine. The API server can be away for up to about ${pluralize(away, "minute")} while the old machine is removed; pods that run are not affected.`,
    daemonSets.length > 0 &&
      `the DaemonSet${daemonSets.length === 1 ? "" : "s"} ${formatList(daemonSets, 8)} get${daemonSets.length === 1 ? "s" : ""} another version and restart${daemonSets.length === 1 ? "s" : ""} on every node where ${daemonSets.length === 1 ? "it runs" : "they run"}.`,
    tokenRisk(all, head, minutes),
    all.some(({ drainedAtOnce }) => drainedAtOnce !== undefined) &&
      "applications without a PodDisruptionBudget, because nodes of a scale set may be drained all at once. Give each a PodDisruptionBudget: its pods then stay until new nodes are ready.",
  );
}
