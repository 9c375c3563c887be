import type { Fact } from "../facts";
import { isPool, poolRow } from "../poolRow";
import type { Row } from "../row";
import { about, coming, find } from "../row";
import { textAt } from "../../model/untyped";
import type { PoolFacts } from "../scene";
import { poolKinds, poolLabel, poolNodes, poolOf, surgeOf } from "../scene";
import { arrow, counted, listed } from "../words";

/**
 * Machine pools of CAPZ. The model of a scale set is brought up to date for a new image, identity, zone or VM size and
 * for more nodes; a running node counts as outdated for its image alone, so nothing else makes a pool roll.
 */
const model =
  "CAPZ v1.26.0 azure/types.go (HasModelChanges, HasLatestModelApplied), azure/services/scalesets/spec.go";

const image = about("AzureMachinePool", /^spec\.template\.image\b/);
const version = about("MachinePool", /^spec\.template\.spec\.version$/);
const bootstrap = (fact: Fact): boolean =>
  isPool(fact) &&
  (about("KubeadmConfig")(fact) || about("MachinePool", /^spec\.template\.spec\.bootstrap\b/)(fact));
const machine = about("AzureMachinePool", /^spec\.template\.(vmSize|osDisk|sshPublicKey)\b/);
const serverAnnotation = about("AzureMachinePool", /^metadata\.annotations\.windowsServerVersion$/);
const failureDomains = about("MachinePool", /^spec\.failureDomains$/);

function imageText(facts: readonly Fact[]): string {
  const { before, after } = find(facts, /\.(version|sku|name|id)$/) ?? find(facts, /image/) ?? {};
  return `its image changes (${arrow(before, after)})`;
}

export function rollout({ maxSurge, maxUnavailable }: PoolFacts): string {
  const missing = maxUnavailable === 0 || maxUnavailable === "0%" ? "" : `, up to ${maxUnavailable} missing`;
  return `surge ${maxSurge}${missing}`;
}

const alongWith = (group: readonly Fact[]): string[] => [
  ...(group.some(version) ? ["Kubernetes version"] : []),
  ...(group.some(about("AzureMachinePool", /vmSize/)) ? ["VM size"] : []),
  ...(group.some(about("AzureMachinePool", /osDisk/)) ? ["OS disk"] : []),
  ...(group.some(failureDomains) ? ["zones"] : []),
  ...(group.some(bootstrap) ? ["bootstrap data"] : []),
];

export const poolRows: readonly Row[] = [
  {
    rule: "pool-changes-system",
    severity: "refused",
    source: "@pulumi/kubernetes 4: a create is a plain POST; a scale set keeps its osType",
    match: coming("create", ...poolKinds),
    claims: isPool,
    tell: ([fresh], { before, after }) => {
      const name = textAt(fresh.after?.inputs, "metadata", "name");
      const [old, made] = [poolOf(before, name), poolOf(after, name)];
      return old && made && old.os !== made.os
        ? {
            what: `Pool ${name} cannot become one of the other system under its name`,
            why: "Pulumi makes the new objects before it deletes the old ones, and the API server answers that they exist; a scale set does not change its system either",
            instead: "give the new pool another name, or take the old one out in an `up` of its own before",
          }
        : undefined;
    },
  },
  {
    rule: "pool-changes-kind",
    severity: "destroys",
    source: "project: kind of a Windows pool; a MachinePool and a MachineDeployment share nothing",
    match: coming("create", ...poolKinds),
    claims: isPool,
    tell: ([fresh], { before, after }, group) => {
      const name = textAt(fresh.after?.inputs, "metadata", "name");
      const [old, made] = [poolOf(before, name), poolOf(after, name)];
      const gone = group.find(coming("delete", ...poolKinds));
      return old && made && gone
        ? {
            what: `${poolLabel(made)} becomes another kind (${arrow(gone.type, fresh.type)}): ${poolNodes(old)} deleted`,
            why: "the new objects are made first, but nobody waits for their nodes before the old ones go",
            nodes: old.nodes,
            instead:
              "add a pool of the other kind under another name, move the workload, and remove this one",
          }
        : undefined;
    },
  },
  {
    rule: "pool-deleted",
    severity: "destroys",
    source: "CAPI v1.13 MachinePool finalizer; CAPZ deletes the scale set with its disks",
    match: coming("delete", ...poolKinds),
    claims: isPool,
    tell: ([fact], { before }) => {
      const pool = poolOf(before, textAt(fact.before?.inputs, "metadata", "name"));
      return (
        pool && {
          what: `${poolLabel(pool)} is deleted: ${poolNodes(pool)} and the disks in them go`,
          why: "the pool is no longer in the stack file; pods move only where another pool of this system has room",
          nodes: pool.nodes,
          instead: "add the new pool first, drain this one (kubectl drain), and remove it in a later `up`",
        }
      );
    },
  },
  {
    rule: "pool-created",
    severity: "changes",
    source: "project",
    match: coming("create", ...poolKinds),
    claims: isPool,
    tell: ([fact], { after }) => {
      const pool = poolOf(after, textAt(fact.after?.inputs, "metadata", "name"));
      return (
        pool && {
          what: `${poolLabel(pool)} is new: ${poolNodes(pool)}, ${pool.vmSize}`,
          why: "nothing that runs is touched",
        }
      );
    },
  },
  poolRow(
    {
      rule: "pool-rolls",
      severity: "rolls",
      source: model,
      match: image,
      claims: (fact) =>
        [version, bootstrap, machine, serverAnnotation, failureDomains].some((matches) => matches(fact)),
    },
    ({ old, fresh }, facts, group) => {
      const more = alongWith(group);
      const along = more.length > 0 ? `; ${listed(more, 5)} come${more.length === 1 ? "s" : ""} with it` : "";
      const nodes = Math.min(old.nodes, fresh.autoscaled ? old.nodes : fresh.nodes);
      return {
        what: `${poolLabel(fresh)} rolls: ${poolNodes({ ...fresh, nodes })} replaced, ${rollout(fresh)}`,
        why: `${imageText(facts)}, and a node is replaced by a new one for each image${along}`,
        nodes,
        ...(surgeOf(fresh) === 0
          ? { instead: "set rollout.maxSurge to 1, so that a new node is there before an old one goes" }
          : {}),
      };
    },
  ),
  poolRow(
    {
      rule: "pool-zones-removed",
      severity: "refused",
      source:
        "https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-zone-expansion",
      match: failureDomains,
    },
    ({ fresh }, facts) => {
      const [{ property } = { property: undefined }] = facts;
      const [before, after] = [property?.before, property?.after].map((list) => (list ?? []) as string[]);
      const gone = (before ?? []).filter((zone) => !(after ?? []).includes(zone));
      return gone.length === 0
        ? undefined
        : {
            what: `${poolLabel(fresh)} cannot leave zone ${listed(gone)}`,
            why: "Azure adds zones to a scale set, and takes none away",
            instead: "add a pool with the zones that you want, move the workload, and remove this one",
          };
    },
  ),
  poolRow(
    {
      rule: "pool-partly-renewed",
      severity: "rolls",
      source: `${model}; CAPZ #2972`,
      match: (fact) => about("AzureMachinePool", /^spec\.template\.vmSize$/)(fact) || failureDomains(fact),
      claims: (fact) => bootstrap(fact) || machine(fact),
    },
    ({ old, fresh }, facts, group) => {
      const size = find(facts, /vmSize$/);
      const some = Math.min(surgeOf(fresh), old.nodes);
      const stay = old.nodes - some;
      const what = size ? `VM size ${arrow(size.before, size.after)}` : "zones change";
      const along = group.some(bootstrap) ? "; new bootstrap data reaches them too" : "";
      return {
        what: `${poolLabel(fresh)} is renewed in part: ${what} for ${counted(some, "node")}, ${stay} stay${stay === 1 ? "s" : ""} as ${stay === 1 ? "it is" : "they are"}`,
        why: `the scale set gets the new model and its surge of nodes from it, but only another image makes a node outdated${along}`,
        nodes: some,
        ...(some === 0 ? { severity: "changes" } : {}),
        instead: size
          ? "add a pool of the new size, move the workload and remove this one; or change the image in the same `up`"
          : "change the image in the same `up`, or delete the old nodes one by one (kubectl delete machine)",
      };
    },
  ),
  poolRow(
    {
      rule: "pool-version-without-image",
      severity: "changes",
      source: "project: an image of one's own does not follow the version; CAPZ as for pool-rolls",
      match: version,
      claims: bootstrap,
    },
    ({ fresh }, facts) => {
      const change = find(facts, /version$/);
      return {
        what: `${poolLabel(fresh)} says ${arrow(change?.before, change?.after)} and does not roll`,
        why: "the version is that of its image, and the image stays: running nodes and new ones keep its kubelet",
        instead: "name an image of the new version in the pool's image",
      };
    },
  ),
  poolRow(
    {
      rule: "pool-bootstrap-new-nodes-only",
      severity: "changes",
      source: "CAPZ PR #6048, CAPI #8858: bootstrap data alone does not update a scale set's model",
      match: bootstrap,
    },
    ({ old, fresh }) => ({
      what: `${poolLabel(fresh)} gets new bootstrap data for new nodes; ${poolNodes(old)} that run keep theirs`,
      why: "bootstrap data alone does not roll a scale set: files, commands and kubelet arguments reach nodes that are made later",
      instead:
        "change the image in the same `up`, or delete the nodes one by one afterwards (kubectl delete machine)",
    }),
  ),
  poolRow(
    {
      rule: "pool-machine-new-nodes-only",
      severity: "changes",
      source: model,
      match: (fact) => machine(fact) || serverAnnotation(fact),
    },
    ({ old, fresh }, facts) => ({
      what: `${poolLabel(fresh)}: ${listed(facts.map(({ path }) => path.replace(/^.*\.(osDisk\.|annotations\.)?/, "")))} for new nodes; ${poolNodes(old)} that run keep theirs`,
      why: "this is no reason for CAPZ to bring the scale set up to date: it comes with the next image or VM size",
      instead: "change the image in the same `up`",
    }),
  ),
];
