import { strings } from "../../../domain/untyped";
import { poolKinds } from "../../../domain/machines/pools";
import type { PoolModel } from "../../model/cluster/types";
import type { Difference } from "../differences";
import { formatChange, formatList, pluralize } from "../format";
import { findChange, lifecycle, touches, type ClusterPair, type ImpactRule } from "../impactRule";
import { findPool, poolLabel, poolNodes, replacedNodes, rolloutText, surgeOf } from "../machines";
import { inPool, poolRule } from "../poolRule";

/**
 * Machine pools of CAPZ. CAPZ updates the model of a scale set for a new image, identity, zone or VM size and for more
 * nodes. A running node counts as outdated only when its image is: nothing else makes a pool roll.
 */
const model =
  "CAPZ v1.26.0 azure/types.go (HasModelChanges, HasLatestModelApplied), azure/services/scalesets/spec.go";

const image = touches("AzureMachinePool", /^spec\.template\.image\b/);
const version = touches("MachinePool", /^spec\.template\.spec\.version$/);
const bootstrap = (difference: Difference): boolean =>
  inPool(difference) &&
  (touches("KubeadmConfig")(difference) ||
    touches("MachinePool", /^spec\.template\.spec\.bootstrap\b/)(difference));
const machine = touches("AzureMachinePool", /^spec\.template\.(vmSize|osDisk|sshPublicKey)\b/);
const serverAnnotation = touches("AzureMachinePool", /^metadata\.annotations\.windowsServerVersion$/);
const failureDomains = touches("MachinePool", /^spec\.failureDomains$/);

export const surgeAdvice =
  "set rollout.maxSurge to 1, so that a new node is ready before an old one is removed";

function imageText(differences: readonly Difference[]): string {
  const { before, after } =
    findChange(differences, /\.(version|sku|name|id)$/) ?? findChange(differences, /image/) ?? {};
  return `its image changes (${formatChange(before, after)})`;
}

const alongWith = (group: readonly Difference[]): string[] => [
  ...(group.some(version) ? ["Kubernetes version"] : []),
  ...(group.some(touches("AzureMachinePool", /vmSize/)) ? ["VM size"] : []),
  ...(group.some(touches("AzureMachinePool", /osDisk/)) ? ["OS disk"] : []),
  ...(group.some(failureDomains) ? ["zones"] : []),
  ...(group.some(bootstrap) ? ["bootstrap data"] : []),
];

/** The pool of a difference on both sides, as far as there is one. */
const poolsOf = (
  { part }: Difference,
  { base, head }: ClusterPair,
): Partial<Record<"base" | "head", PoolModel>> => {
  const [before, after] = [findPool(base, part.name), findPool(head, part.name)];
  return { ...(before ? { base: before } : {}), ...(after ? { head: after } : {}) };
};

export const poolRules: readonly ImpactRule[] = [
  {
    id: "pool-changes-system",
    severity: "refused",
    source: "@pulumi/kubernetes 4: a create is a plain POST; a scale set keeps its osType",
    match: lifecycle("create", ...poolKinds),
    claims: inPool,
    explain: ([created], clusters) => {
      const { base, head } = poolsOf(created, clusters);
      return base && head && base.os !== head.os
        ? {
            what: `Pool ${head.name} cannot change its operating system`,
            why: "Pulumi creates the new objects before it deletes the old ones, and the API server refuses them because objects of that name exist; a scale set cannot change its operating system either",
            instead: "give the new pool another name, or remove the old one in a separate `up` first",
          }
        : undefined;
    },
  },
  {
    id: "pool-changes-kind",
    severity: "destroys",
    source: "project: kind of a Windows pool; a MachinePool and a MachineDeployment share nothing",
    match: lifecycle("create", ...poolKinds),
    claims: inPool,
    explain: ([created], clusters, group) => {
      const { base, head } = poolsOf(created, clusters);
      const deleted = group.find(lifecycle("delete", ...poolKinds));
      return base && head && deleted
        ? {
            what: `${poolLabel(head)} becomes another kind (${formatChange(deleted.type, created.type)}): ${poolNodes(base, base.replicas)} deleted`,
            why: "the new objects are created first, but nothing waits for their nodes before the old ones are deleted",
            nodes: base.replicas,
            instead:
              "add a pool of the other kind under another name, move the workload, and remove this one",
          }
        : undefined;
    },
  },
  {
    id: "pool-deleted",
    severity: "destroys",
    source: "CAPI v1.13 MachinePool finalizer; CAPZ deletes the scale set with its disks",
    match: lifecycle("delete", ...poolKinds),
    claims: inPool,
    explain: ([deleted], clusters) => {
      const { base } = poolsOf(deleted, clusters);
      return (
        base && {
          what: `${poolLabel(base)} is deleted: ${poolNodes(base, base.replicas)} and their disks are lost`,
          why: "the pool is no longer in the stack file; its pods move only if another pool of the same operating system has room",
          nodes: base.replicas,
          instead: "add the new pool first, drain this one (kubectl drain), and remove it in a later `up`",
        }
      );
    },
  },
  {
    id: "pool-created",
    severity: "changes",
    source: "project",
    match: lifecycle("create", ...poolKinds),
    claims: inPool,
    explain: ([created], clusters) => {
      const { head } = poolsOf(created, clusters);
      return (
        head && {
          what: `${poolLabel(head)} is new: ${poolNodes(head, head.replicas)}, ${head.vmSize}`,
          why: "nothing that is running is affected",
        }
      );
    },
  },
  poolRule(
    {
      id: "pool-rolls",
      severity: "rolls",
      source: model,
      match: image,
      claims: (difference) =>
        [version, bootstrap, machine, serverAnnotation, failureDomains].some((matches) =>
          matches(difference),
        ),
    },
    ({ base, head }, matched, group) => {
      const more = alongWith(group);
      const along =
        more.length > 0 ? `; ${formatList(more, 5)} come${more.length === 1 ? "s" : ""} with it` : "";
      const nodes = replacedNodes(base, head);
      return {
        what: `${poolLabel(head)} rolls: ${poolNodes(head, nodes)} replaced, ${rolloutText(head)}`,
        why: `${imageText(matched)}, and CAPZ replaces every node that runs another image${along}`,
        nodes,
        ...(surgeOf(head) === 0 ? { instead: surgeAdvice } : {}),
      };
    },
  ),
  poolRule(
    {
      id: "pool-zones-removed",
      severity: "refused",
      source:
        "https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-zone-expansion",
      match: failureDomains,
    },
    ({ head }, [zones]) => {
      const [before, after] = [strings(zones?.property?.before), strings(zones?.property?.after)];
      const removed = before.filter((zone) => !after.includes(zone));
      return removed.length === 0
        ? undefined
        : {
            what: `${poolLabel(head)} cannot leave zone ${formatList(removed)}`,
            why: "Azure can add zones to a scale set, but not remove them",
            instead: "add a pool with the zones that you want, move the workload, and remove this one",
          };
    },
  ),
  poolRule(
    {
      id: "pool-partly-renewed",
      severity: "rolls",
      source: `${model}; CAPZ #2972`,
      match: (difference) =>
        touches("AzureMachinePool", /^spec\.template\.vmSize$/)(difference) || failureDomains(difference),
      claims: (difference) => bootstrap(difference) || machine(difference),
    },
    ({ base, head }, matched, group) => {
      const size = findChange(matched, /vmSize$/);
      const nodes = Math.min(surgeOf(head), base.replicas);
      const rest = base.replicas - nodes;
      const what = size ? `VM size ${formatChange(size.before, size.after)}` : "zones change";
      const along = group.some(bootstrap) ? "; they get the new bootstrap data too" : "";
      return {
        what: `${poolLabel(head)} is only partly replaced: ${what} for ${pluralize(nodes, "node")}, ${rest} stay${rest === 1 ? "s as it is" : " as they are"}`,
        why: `the scale set gets the new model and creates its surge of nodes from it, but only another image makes a node outdated${along}`,
        nodes,
        ...(nodes === 0 ? { severity: "changes" } : {}),
        instead: size
          ? "add a pool of the new size, move the workload and remove this one; or change the image in the same `up`"
          : "change the image in the same `up`, or delete the old nodes one by one (kubectl delete machine)",
      };
    },
  ),
  poolRule(
    {
      id: "pool-version-without-image",
      severity: "changes",
      source: "project: a custom image does not follow the version; CAPZ as for pool-rolls",
      match: version,
      claims: bootstrap,
    },
    ({ head }, matched) => {
      const change = findChange(matched, /version$/);
      return {
        what: `${poolLabel(head)} declares ${formatChange(change?.before, change?.after)} and does not roll`,
        why: "the image decides which version runs, and it stays the same: running and new nodes keep its kubelet",
        instead: "set the pool's image to one of the new version",
      };
    },
  ),
  poolRule(
    {
      id: "pool-bootstrap-new-nodes-only",
      severity: "changes",
      source: "CAPZ PR #6048, CAPI #8858: bootstrap data alone does not update a scale set's model",
      match: bootstrap,
    },
    ({ base, head }) => ({
      what: `${poolLabel(head)} gets new bootstrap data for new nodes; ${poolNodes(base, base.replicas)} already running keep theirs`,
      why: "bootstrap data alone does not roll a scale set: files, commands and kubelet arguments only reach nodes that are created later",
      instead:
        "change the image in the same `up`, or delete the nodes one by one afterwards (kubectl delete machine)",
    }),
  ),
  poolRule(
    {
      id: "pool-machine-new-nodes-only",
      severity: "changes",
      source: model,
      match: (difference) => machine(difference) || serverAnnotation(difference),
    },
    ({ base, head }, matched) => ({
      what: `${poolLabel(head)}: ${formatList(matched.map(({ path }) => path.replace(/^.*\.(osDisk\.|annotations\.)?/, "")))} for new nodes; ${poolNodes(base, base.replicas)} already running keep theirs`,
      why: "CAPZ does not update the scale set for this alone: it takes effect with the next image or VM size",
      instead: "change the image in the same `up`",
    }),
  ),
];
