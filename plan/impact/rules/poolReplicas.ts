import { formatRange } from "capz-windows-kit/problem";
import { poolKinds } from "capz-windows-platform/machines/pools";
import { deleteAnnotation } from "capz-windows-platform/machines/scaleDown";
import { hybridBenefitAnnotation } from "capz-windows-platform/machines/hybridBenefit";
import type { NodeRange, PoolModel } from "../../model/cluster/types";
import type { Difference } from "../differences";
import { surgeNodes, unavailableNodes } from "capz-windows-platform/machines/rollout";
import { formatChange, formatList, pluralize } from "../format";
import { touches, type ImpactRule } from "../impactRule";
import { mostNodes, poolLabel } from "../machines";
import { inPatch, poolRule, type PoolPair } from "../poolRule";

/** How many nodes a pool has, and how they are replaced next time. */

const replicas = touches(poolKinds, /^spec\.replicas$/);
const autoscaling = touches(poolKinds, /^metadata\.annotations(\[".*autoscaler.*"\])?$/);
const autoscaler =
  "CAPI v1.14.2 core/webhooks/admission/machinepool.go (calculateMachinePoolReplicas), machinedeployment.go";
const scaling =
  "CAPZ v1.27.0 azure/scope/strategies/machinepool_deployments, azure/services/scalesets/spec.go (existingParameters)";

const isAutoscaling = (difference: Difference): boolean =>
  autoscaling(difference) && JSON.stringify([difference.path, difference.property]).includes("autoscaler");

const resizes = (difference: Difference): boolean => replicas(difference) || isAutoscaling(difference);

/** Does CAPZ update the model of the scale set, and its capacity along with it? (HasModelChanges, existingParameters) */
const hasNewModel = ({ base, head }: PoolPair): boolean =>
  head.kind === "MachinePool" &&
  (base.image !== head.image || base.vmSize !== head.vmSize || base.zones.join() !== head.zones.join());

const nodesIn = ({ min, max }: NodeRange): string => `${formatRange(min, max)} node${max === 1 ? "" : "s"}`;

/** What is new about the nodes that the autoscaler would add. */
function newNodes({ base, head }: PoolPair): string {
  if (base.vmSize !== head.vmSize) {
    return `nodes of another size (${formatChange(base.vmSize, head.vmSize)})`;
  }
  return base.windowsServer === head.windowsServer
    ? "nodes with other labels, taints, zones or resources"
    : `nodes of another Windows release (${formatChange(base.windowsServer, head.windowsServer)})`;
}

/** "maxSurge 25% → 2" */
const propertyText = ({ path, property }: Difference): string =>
  `${path.replace(/^.*\./, "")} ${formatChange(property?.before, property?.after)}`;

/** Whether a rollout may take away every node of a pool before it has others. */
const lacksAll = (pool: PoolModel): boolean => {
  const { maxSurge, maxUnavailable } = pool.rollout;
  const nodes = mostNodes(pool);
  return nodes > 0 && surgeNodes(maxSurge, nodes) === 0 && unavailableNodes(maxUnavailable, nodes) >= nodes;
};

/** What happens to the nodes that go: components/scaleDown makes it so for scale sets. */
function lossText(pair: PoolPair): string {
  if (pair.head.kind === "MachineDeployment") {
    return "nodes are cordoned, drained and deleted according to the pool's deletePolicy";
  }
  const before = hasNewModel(pair)
    ? ", before the scale set gets its new model: `pulumi up` waits for that"
    : "";
  return `only these are cordoned, drained and deleted${before}: first Machines with the annotation ${deleteAnnotation}, then unready ones, then by the pool's deletePolicy`;
}

export const poolReplicasRules: readonly ImpactRule[] = [
  poolRule({
    id: "pool-licence",
    severity: "metadata",
    source:
      "CAPZ v1.27.0 azure/services/scalesets/spec.go and virtualmachines/spec.go have no LicenseType (CAPZ #3394)",
    match: (difference) =>
      touches(poolKinds)(difference) && difference.path.includes(hybridBenefitAnnotation),
    explain: ({ base, head }) => ({
      what: `${poolLabel(head)} ${head.access.hybridBenefit === undefined ? "no longer needs" : "is to use"} licences of your own: nothing changes by itself`,
      why: "Cluster API and CAPZ have no field for the Azure Hybrid Benefit",
      instead:
        head.access.hybridBenefit ?? (base.access.hybridBenefit ?? "").replaceAll("Windows_Server", "None"),
    }),
  }),
  poolRule({
    id: "pool-machine-metadata",
    source:
      "CAPI v1.14.2 core/reconcilers/machinepool (computeDesiredMachine), machinedeployment, util/labels/helpers.go (GetManagedLabels)",
    match: touches(poolKinds, /^spec\.template\.metadata\b/),
    what: ({ head }) => `${poolLabel(head)}: labels or annotations of its machines change, and nothing rolls`,
    why: "Cluster API writes them onto the machines that run, and of the labels those of node-role.kubernetes.io, node-restriction.kubernetes.io and node.cluster.x-k8s.io onto their nodes; a label that is taken away here goes from the nodes too",
  }),
  poolRule({
    id: "pool-autoscaler-ends",
    source: autoscaler,
    match: resizes,
    explain: ({ base: { autoscale }, head }) => {
      if (!autoscale || head.autoscale) {
        return undefined;
      }
      const [least = 0, most = 0] = [autoscale.min, autoscale.max].map((nodes) =>
        Math.max(0, nodes - head.replicas),
      );
      const lost = most === 0 ? "" : `, ${formatRange(least, most)} fewer`;
      return {
        what: `${poolLabel(head)} is no longer autoscaled and gets ${pluralize(head.replicas, "node")}${lost}`,
        why: "the number in the stack file replaces the one that the autoscaler chose; surplus nodes are drained and deleted, and no others",
        nodes: least,
        ...(least === most ? {} : { nodesAtMost: most }),
        ...(most === 0 ? {} : { severity: head.replicas === 0 ? "destroys" : "rolls" }),
        instead: "set replicas to the number of nodes that are running now",
      };
    },
  }),
  poolRule({
    id: "pool-autoscaler-begins",
    source: autoscaler,
    match: resizes,
    explain: ({ base, head }) => {
      if (base.autoscale || !head.autoscale) {
        return undefined;
      }
      const { min, max } = head.autoscale;
      const nodes = Math.min(Math.max(base.replicas, min), max);
      const lost = base.replicas - nodes;
      const jump =
        lost === 0 ? "" : `, and goes from ${base.replicas} to ${pluralize(nodes, "node")} at once`;
      return {
        what: `${poolLabel(head)} is autoscaled from now on, from ${min} to ${pluralize(max, "node")}${jump}`,
        why:
          lost === 0
            ? "the number of nodes stays the same until the autoscaler changes it"
            : `Cluster API's webhook brings the number into the range${lost > 0 ? "; surplus nodes are drained and deleted, and no others" : ""}`,
        nodes: Math.max(0, lost),
        ...(lost > 0 ? { severity: "rolls" } : {}),
        ...(lost === 0 ? {} : { instead: `choose a range that contains ${base.replicas}` }),
      };
    },
  }),
  poolRule({
    id: "pool-autoscaler",
    source: autoscaler,
    match: resizes,
    explain: (pair) => {
      const { base, head } = pair;
      if (!base.autoscale || !head.autoscale) {
        return undefined;
      }
      if (nodesIn(base.autoscale) === nodesIn(head.autoscale)) {
        return {
          what: `${poolLabel(head)}: the autoscaler reckons with ${newNodes(pair)}`,
          why: "by this it decides whether another node has room for a pod; nodes that are running stay",
        };
      }
      return {
        what: `${poolLabel(head)}: the autoscaler keeps ${nodesIn(head.autoscale)} from now on, until now ${nodesIn(base.autoscale)}`,
        why: "nothing happens at once: above the new maximum it adds no node, and it removes one only when its pods have room elsewhere",
      };
    },
  }),
  poolRule({
    id: "pool-emptied",
    severity: "destroys",
    source: scaling,
    match: replicas,
    what: ({ base, head }) =>
      head.replicas === 0 &&
      `${poolLabel(head)} is scaled to zero: ${pluralize(base.replicas, "node")} and their disks are lost`,
    why: "its pods cannot run anywhere, unless another pool of the same operating system has room",
    nodes: ({ base }) => base.replicas,
  }),
  poolRule({
    id: "pool-scales-down",
    severity: "rolls",
    source: scaling,
    match: replicas,
    explain: (pair) => {
      const { base, head } = pair;
      const lost = base.replicas - head.replicas;
      return lost <= 0
        ? undefined
        : {
            what: `${poolLabel(head)} loses ${lost} of ${pluralize(base.replicas, "node")}`,
            why: `${lossText(pair)}; data on their disks is lost`,
            nodes: lost,
          };
    },
  }),
  poolRule({
    id: "pool-scales-up",
    source: scaling,
    match: replicas,
    what: ({ base, head }) =>
      `${poolLabel(head)} grows by ${pluralize(head.replicas - base.replicas, "node")} to ${head.replicas}`,
    why: "new nodes get the latest image and bootstrap data",
  }),
  poolRule({
    id: "pool-rollout",
    source: "CAPZ v1.27.0 exp/api/v1beta1 AzureMachinePoolDeploymentStrategy",
    match: (difference) =>
      touches("AzureMachinePool", /^spec\.strategy\b/)(difference) ||
      touches("MachineDeployment", /^spec\.(rollout|deletion)\b/)(difference),
    what: ({ head }, matched) =>
      `${poolLabel(head)} changes how it rolls: ${formatList(matched.map(propertyText), Infinity)}${lacksAll(head) ? "; a rollout then takes all nodes away at once" : ""}`,
    why: "this applies from the next rollout on",
  }),
  {
    id: "pool-wait",
    severity: "metadata",
    source: "project: a patch that only waits",
    // The patches, and the component that groups them.
    match: (difference) => inPatch(difference) || difference.type === "RunningPools",
    per: "stack",
    what: ([{ kind }]) =>
      kind === "delete"
        ? "`pulumi up` no longer waits for the nodes of pools"
        : "`pulumi up` waits for the nodes of pools that change",
    why: "only Pulumi reads the annotation that asks for it; nodes are not affected",
  },
];
