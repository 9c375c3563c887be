import type { RollMinutes } from "capz-windows-platform/machines/rollMinutes";
import { defaultTokenMinutes, isTokenShort } from "capz-windows-platform/machines/bootstrapTokens";
import type { ClusterModel } from "../model/cluster/types";
import { formatList, pluralize } from "./format";
import type { ClusterPair } from "./impactRule";
import { poolLabel } from "./machines";
import { isOlderMinor } from "./rules/upgrades";
import type { PoolWork } from "./scheduleSchema";
import { present } from "capz-windows-kit/present";

/** What a change of machines puts at risk, in sentences for people who know no Cluster API. */

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
  const isAlone = head.controlPlane?.replicas === 1;
  const away = Math.ceil(minutes.remove + minutes.notice);
  return present(
    before !== "" &&
      after !== "" &&
      isOlderMinor(after, before) &&
      `the upgrade of Kubernetes from ${before} to ${after} cannot be undone.`,
    isAlone &&
      all.some(({ who, work }) => who === "control plane" && work === "replaced") &&
      `the control plane has one machine. The API server can be away for up to about ${pluralize(away, "minute")} while the old machine is removed; pods that run are not affected.`,
    tokenRisk(all, head, minutes),
    all.some(({ drainedAtOnce }) => drainedAtOnce !== undefined) &&
      "applications without a PodDisruptionBudget, because nodes of a scale set may be drained all at once. Give each a PodDisruptionBudget: its pods then stay until new nodes are ready.",
  );
}
