import type { Fact } from "../facts";
import { isPatch, isPool, poolRow } from "../poolRow";
import type { Row } from "../row";
import { about } from "../row";
import { poolKinds, poolLabel } from "../scene";
import { arrow, counted } from "../words";

/** How many nodes a pool has, and how it is replaced next time. */

const replicas = about(poolKinds, /^spec\.replicas$/);
const autoscaling = about(poolKinds, /^metadata\.annotations(\[".*autoscaler.*"\])?$/);
const autoscaler =
  "CAPI v1.13 machinepool webhook: replicas stay as they are with the autoscaler's annotations";
const scaling = "CAPZ v1.26.0 azure/scope/strategies/machinepool_deployments";

const isAutoscaling = (fact: Fact): boolean =>
  autoscaling(fact) && JSON.stringify([fact.path, fact.property]).includes("autoscaler");

export const poolSizeRows: readonly Row[] = [
  poolRow(
    {
      rule: "pool-autoscaler-ends",
      severity: "changes",
      source: autoscaler,
      match: (fact) => replicas(fact) || isAutoscaling(fact),
    },
    ({ old, fresh }) =>
      old.autoscaled && !fresh.autoscaled
        ? {
            what: `${poolLabel(fresh)} leaves the autoscaler and gets ${counted(fresh.nodes, "node")}`,
            why: "the number in the stack file takes the place of the one that the autoscaler found; nodes above it are drained and deleted",
            instead: "write the number of nodes that run now",
          }
        : undefined,
  ),
  poolRow(
    {
      rule: "pool-autoscaler",
      severity: "changes",
      source: autoscaler,
      match: (fact) => replicas(fact) || isAutoscaling(fact),
    },
    ({ old, fresh }) =>
      fresh.autoscaled
        ? {
            what: old.autoscaled
              ? `${poolLabel(fresh)}: another range for the autoscaler, from ${counted(fresh.nodes, "node")}`
              : `${poolLabel(fresh)} is left to the autoscaler, from ${counted(fresh.nodes, "node")}`,
            why: "the number of nodes stays as it is until the autoscaler changes it",
          }
        : undefined,
  ),
  poolRow(
    { rule: "pool-emptied", severity: "destroys", source: scaling, match: replicas },
    ({ old, fresh }) =>
      fresh.nodes === 0
        ? {
            what: `${poolLabel(fresh)} is emptied: ${counted(old.nodes, "node")} and the disks in them go`,
            why: "its pods have nowhere to run, unless another pool of this system has room",
            nodes: old.nodes,
          }
        : undefined,
  ),
  poolRow(
    { rule: "pool-scales-down", severity: "rolls", source: scaling, match: replicas },
    ({ old, fresh }) =>
      fresh.nodes < old.nodes
        ? {
            what: `${poolLabel(fresh)} loses ${old.nodes - fresh.nodes} of ${counted(old.nodes, "node")}`,
            why: "nodes are cordoned, drained and deleted by the pool's deletePolicy; what stands on their disks is lost",
            nodes: old.nodes - fresh.nodes,
          }
        : undefined,
  ),
  poolRow(
    { rule: "pool-scales-up", severity: "changes", source: scaling, match: replicas },
    ({ old, fresh }) => ({
      what: `${poolLabel(fresh)} grows by ${counted(fresh.nodes - old.nodes, "node")} to ${fresh.nodes}`,
      why: "new nodes get the newest image and bootstrap data",
    }),
  ),
  poolRow(
    {
      rule: "pool-rollout",
      severity: "changes",
      source: "CAPZ v1.26.0 exp/api/v1beta1 AzureMachinePoolDeploymentStrategy",
      match: (fact) =>
        about("AzureMachinePool", /^spec\.strategy\b/)(fact) ||
        about("MachineDeployment", /^spec\.(rollout|deletion)\b/)(fact),
    },
    ({ fresh }, facts) => ({
      what: `${poolLabel(fresh)} will roll in another way: ${facts
        .map(
          ({ path, property }) => `${path.replace(/^.*\./, "")} ${arrow(property?.before, property?.after)}`,
        )
        .join(", ")}`,
      why: "it counts from the next rollout on",
    }),
  ),
  {
    rule: "pool-wait",
    severity: "metadata",
    source: "project: a patch that only waits",
    match: (fact) => isPool(fact) && isPatch(fact),
    per: "stack",
    tell: ([{ kind }]) => ({
      what:
        kind === "delete"
          ? "`pulumi up` waits no longer for the nodes of pools"
          : "`pulumi up` waits for the nodes of pools that change",
      why: "the annotation that it waits by says so; no node sees it",
    }),
  },
];
