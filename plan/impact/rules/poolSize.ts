import { poolKinds } from "../../../domain/machines/pools";
import type { Difference } from "../differences";
import { formatChange, pluralize } from "../format";
import { touches, type ImpactRule } from "../impactRule";
import { poolLabel } from "../machines";
import { inPatch, poolRule } from "../poolRule";

/** How many nodes a pool has, and how they are replaced next time. */

const replicas = touches(poolKinds, /^spec\.replicas$/);
const autoscaling = touches(poolKinds, /^metadata\.annotations(\[".*autoscaler.*"\])?$/);
const autoscaler =
  "CAPI v1.13 machinepool webhook: replicas stay as they are with the autoscaler's annotations";
const scaling = "CAPZ v1.26.0 azure/scope/strategies/machinepool_deployments";

const isAutoscaling = (difference: Difference): boolean =>
  autoscaling(difference) && JSON.stringify([difference.path, difference.property]).includes("autoscaler");

const resizes = (difference: Difference): boolean => replicas(difference) || isAutoscaling(difference);

export const poolSizeRules: readonly ImpactRule[] = [
  poolRule(
    { id: "pool-autoscaler-ends", severity: "changes", source: autoscaler, match: resizes },
    ({ base, head }) =>
      base.autoscale && !head.autoscale
        ? {
            what: `${poolLabel(head)} is no longer autoscaled and gets ${pluralize(head.replicas, "node")}`,
            why: "the number in the stack file replaces the one that the autoscaler chose; surplus nodes are drained and deleted",
            instead: "set replicas to the number of nodes that are running now",
          }
        : undefined,
  ),
  poolRule(
    { id: "pool-autoscaler", severity: "changes", source: autoscaler, match: resizes },
    ({ base, head }) =>
      head.autoscale
        ? {
            what: base.autoscale
              ? `${poolLabel(head)}: the autoscaler gets another range, from ${pluralize(head.replicas, "node")}`
              : `${poolLabel(head)} is autoscaled from now on, from ${pluralize(head.replicas, "node")}`,
            why: "the number of nodes stays the same until the autoscaler changes it",
          }
        : undefined,
  ),
  poolRule(
    { id: "pool-emptied", severity: "destroys", source: scaling, match: replicas },
    ({ base, head }) =>
      head.replicas === 0
        ? {
            what: `${poolLabel(head)} is scaled to zero: ${pluralize(base.replicas, "node")} and their disks are lost`,
            why: "its pods cannot run anywhere, unless another pool of the same operating system has room",
            nodes: base.replicas,
          }
        : undefined,
  ),
  poolRule(
    { id: "pool-scales-down", severity: "rolls", source: scaling, match: replicas },
    ({ base, head }) =>
      head.replicas < base.replicas
        ? {
            what: `${poolLabel(head)} loses ${base.replicas - head.replicas} of ${pluralize(base.replicas, "node")}`,
            why: "nodes are cordoned, drained and deleted according to the pool's deletePolicy; data on their disks is lost",
            nodes: base.replicas - head.replicas,
          }
        : undefined,
  ),
  poolRule(
    { id: "pool-scales-up", severity: "changes", source: scaling, match: replicas },
    ({ base, head }) => ({
      what: `${poolLabel(head)} grows by ${pluralize(head.replicas - base.replicas, "node")} to ${head.replicas}`,
      why: "new nodes get the latest image and bootstrap data",
    }),
  ),
  poolRule(
    {
      id: "pool-rollout",
      severity: "changes",
      source: "CAPZ v1.26.0 exp/api/v1beta1 AzureMachinePoolDeploymentStrategy",
      match: (difference) =>
        touches("AzureMachinePool", /^spec\.strategy\b/)(difference) ||
        touches("MachineDeployment", /^spec\.(rollout|deletion)\b/)(difference),
    },
    ({ head }, matched) => ({
      what: `${poolLabel(head)} changes how it rolls: ${matched
        .map(
          ({ path, property }) =>
            `${path.replace(/^.*\./, "")} ${formatChange(property?.before, property?.after)}`,
        )
        .join(", ")}`,
      why: "this applies from the next rollout on",
    }),
  ),
  {
    id: "pool-wait",
    severity: "metadata",
    source: "project: a patch that only waits",
    match: inPatch,
    per: "stack",
    explain: ([{ kind }]) => ({
      what:
        kind === "delete"
          ? "`pulumi up` no longer waits for the nodes of pools"
          : "`pulumi up` waits for the nodes of pools that change",
      why: "only Pulumi reads the annotation that asks for it; nodes are not affected",
    }),
  },
];
