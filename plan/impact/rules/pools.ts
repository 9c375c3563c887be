import { changedOptions, type PoolChange } from "../../../capi/poolOptions";
import { azureImageReference, imageText, type CapzImage } from "capz-windows-platform/machines/images";
import { nodeSubnetName } from "capz-windows-platform/cluster/naming";
import { taintText } from "capz-windows-platform/machines/nodeLabels";
import { present } from "capz-windows-kit/present";
import { at, list, strings, textAt } from "capz-windows-kit/untyped";
import type { PoolModel } from "../../model/cluster/types";
import type { PlanResource } from "capz-windows-contract";
import type { Difference } from "../differences";
import { formatRange } from "capz-windows-kit/problem";
import { formatChange, formatList, pluralizeRange } from "../format";
import { changeText, findChange, touches, type ImpactRule } from "../impactRule";
import {
  countedNodes,
  drainText,
  poolLabel,
  poolNodes,
  replacedNodes,
  rolloutText,
  surgeAdvice,
  surgeOf,
} from "../machines";
import { inPool, poolRule } from "../poolRule";

/**
 * Machine pools of CAPZ. CAPZ updates the model of a scale set for a new image, identity, zone or VM size and for more
 * nodes. A running node counts as outdated only when its image is: nothing else makes a pool roll.
 */
const model =
  "CAPZ v1.27.0 azure/types.go (HasModelChanges, HasLatestModelApplied), azure/services/scalesets/spec.go";

/** Fields of a scale set's pool whose option says what a change does (capi/poolOptions.ts). */
const whose =
  (change: PoolChange, ...kinds: readonly string[]) =>
  (difference: Difference): boolean =>
    touches(kinds)(difference) && changedOptions(change, difference.type, difference.path).length > 0;

const image = whose("rolls", "AzureMachinePool");
const version = whose("rolls", "MachinePool");
const bootstrap = (difference: Difference): boolean =>
  inPool(difference) &&
  (touches("KubeadmConfig")(difference) ||
    touches("MachinePool", /^spec\.template\.spec\.bootstrap\b/)(difference));
/** Fields that CAPZ sends to Azure with the next model of the scale set. */
const machine = (difference: Difference): boolean =>
  touches("AzureMachinePool", /^spec\.template\./)(difference) && !image(difference);
/** What Azure does not change in an existing scale set. */
const fixedTexts = ({ type, path }: Difference): string[] =>
  changedOptions("refused", type, path).flatMap(({ fixed = [] }) => fixed);
/** CAPZ leaves the network profile out of each update. */
const interfaces = whose("newPools", "AzureMachinePool");
/** Whether the network interfaces are the default: one in the subnet of the nodes. */
const isOnlyNodeSubnet = ([first, ...more]: readonly unknown[] = []): boolean =>
  more.length === 0 &&
  textAt(first, "subnetName") === nodeSubnetName &&
  at(first, "acceleratedNetworking") === undefined;
const interfacesPath = ["spec", "template", "networkInterfaces"] as const;
const identity = touches("AzureMachinePool", /^spec\.(identity|userAssignedIdentities)\b/);
const serverAnnotation = touches("AzureMachinePool", /^metadata\.annotations\.windowsServerVersion$/);
const failureDomains = touches("MachinePool", /^spec\.failureDomains$/);

/** What reaches the nodes together with a new image. */
const alongWith = (group: readonly Difference[]): string[] =>
  present(
    group.some(identity) && "identities",
    group.some(version) && "Kubernetes version",
    group.some(touches("AzureMachinePool", /vmSize/)) && "VM size",
    group.some(touches("AzureMachinePool", /osDisk/)) && "OS disk",
    group.some(failureDomains) && "zones",
    group.some(bootstrap) && "bootstrap data",
  );

interface Renewal {
  /** Nodes that have the new model in the end. */
  readonly renewed: number;
  /** Nodes that keep the old one. */
  readonly kept: number;
  /** Nodes that are running now and go. */
  readonly replaced: number;
}

/** CAPZ raises the capacity to the surge over the wanted number, and then deletes the surplus by the delete policy. */
function renewedByNewModel(base: PoolModel, head: PoolModel): Renewal {
  const created = Math.max(0, head.replicas + surgeOf(head) - base.replicas);
  const deleted = Math.max(0, base.replicas + created - head.replicas);
  const renewed =
    head.rollout.deletePolicy === "Newest"
      ? Math.max(0, created - deleted)
      : Math.min(created, head.replicas);
  const kept = head.replicas - renewed;
  return { renewed, kept, replaced: Math.max(0, Math.min(base.replicas, head.replicas) - kept) };
}

/** With the fewest and the most nodes that may run: what an autoscaler has chosen stays. */
function renewalRange(base: PoolModel, head: PoolModel): readonly [Renewal, Renewal] {
  const { min, max } = head.autoscale ?? { min: head.replicas, max: head.replicas };
  if (base.autoscale === undefined || head.autoscale === undefined) {
    const renewal = renewedByNewModel(base, head);
    return [renewal, renewal];
  }
  const running = (replicas: number): Renewal =>
    renewedByNewModel({ ...base, replicas }, { ...head, replicas });
  return [running(Math.min(max, Math.max(min, base.autoscale.min))), running(max)];
}

/** " with the taint os=windows:NoSchedule" */
function taintsText(base: PoolModel, head: PoolModel): string {
  const [before = [], after = []] = [base, head].map(({ taints = [] }) => taints.map(taintText));
  const [added, gone] = [
    after.filter((taint) => !before.includes(taint)),
    before.filter((taint) => !after.includes(taint)),
  ];
  const texts = present(
    added.length > 0 && ` with the taint ${formatList(added)}`,
    gone.length > 0 && ` without the taint ${formatList(gone)}`,
  );
  return texts.join(" and");
}

const imageOf = (resource: PlanResource | undefined): CapzImage | undefined =>
  at(resource?.inputs, "spec", "template", "image") as CapzImage | undefined;

/** The image as CAPZ sends it to Azure, whichever form it has in the spec. */
const azureImageOf = (resource: PlanResource | undefined): string => {
  const image = imageOf(resource);
  return image === undefined ? "" : azureImageReference(image);
};

/** Both images, or both versions where nothing else differs. */
function imageChange({ base, head }: Difference): string {
  const [before, after] = [azureImageOf(base), azureImageOf(head)];
  const nameOf = (image: string): string => image.slice(0, image.search(/[^/:]*$/));
  if (nameOf(before) === nameOf(after)) {
    return formatChange(before.slice(nameOf(before).length), after.slice(nameOf(after).length));
  }
  const [from = before, to = after] = [base, head].map((side) => {
    const image = imageOf(side);
    return image && imageText(image);
  });
  return formatChange(from, to);
}

export const poolRules: readonly ImpactRule[] = [
  poolRule({
    id: "pool-fixed-machine",
    severity: "refused",
    source:
      "https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-use-low-priority; CAPZ v1.27.0 azure/services/scalesets/spec.go (existingParameters)",
    match: whose("refused", "AzureMachinePool"),
    what: ({ head }, matched) =>
      `${poolLabel(head)} cannot change ${formatList([...new Set(matched.flatMap(fixedTexts))])}`,
    why: "Azure takes this for a scale set when it is created. CAPZ sends nothing now and all of it with the next image, VM size or zone, and Azure then refuses that too",
    instead: "add a pool with it under another name, move the workload, and remove this one",
  }),
  poolRule({
    id: "pool-same-subnet",
    severity: "metadata",
    source: "CAPZ v1.27.0 azure/scope/machinepool.go (SetSubnetName)",
    match: interfaces,
    what: ({ head }, [difference]) => {
      const sides = [difference.base, difference.head].map((side) =>
        list(at(side?.inputs, ...interfacesPath)),
      );
      const isNamed = sides.some(({ length }) => length === 0) && sides.some(isOnlyNodeSubnet);
      return isNamed && `${poolLabel(head)} names the subnet that it is in`;
    },
    why: "CAPZ finds a subnet itself only while there is one for nodes; it wrote the same name into the object",
  }),
  poolRule({
    id: "pool-network-conflict",
    severity: "refused",
    source:
      "CAPZ v1.27.0 azure/scope/machinepool.go (SetSubnetName) writes the list itself; https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts",
    match: interfaces,
    what: ({ head }, [difference]) =>
      list(at(difference.base?.inputs, ...interfacesPath)).length === 0 &&
      `${poolLabel(head)} cannot get other network interfaces, or another subnet`,
    why: "CAPZ has written the list into the object that exists, so the API server answers with a conflict; and CAPZ leaves it out of every update of a scale set",
    instead: "add a pool with them under another name, move the workload, and remove this one",
  }),
  poolRule({
    id: "pool-network-new-pools-only",
    source: "CAPZ v1.27.0 azure/services/scalesets/spec.go (existingParameters): NetworkProfile = nil",
    match: interfaces,
    what: ({ head }) =>
      `${poolLabel(head)} keeps its network interfaces: other ones reach no node of this scale set`,
    why: "CAPZ leaves them out of every update of a scale set that exists",
    instead: "add a pool with them under another name, move the workload, and remove this one",
  }),
  poolRule({
    id: "pool-same-image",
    severity: "metadata",
    source: "CAPZ v1.27.0 azure/converters/vmss.go (SDKImageToImage): it compares what Azure has",
    match: image,
    what: ({ head }, [difference]) =>
      azureImageOf(difference.base) === azureImageOf(difference.head) &&
      `${poolLabel(head)} names the same image in another form`,
    why: "CAPZ compares the image that Azure has, and sends no request",
  }),
  poolRule({
    id: "pool-rolls",
    severity: "rolls",
    source: model,
    match: image,
    claims: (difference) =>
      [version, bootstrap, machine, serverAnnotation, failureDomains, identity].some((matches) =>
        matches(difference),
      ),
    explain: ({ base, head }, matched, group) => {
      const more = alongWith(group);
      const along =
        more.length > 0 ? `; ${formatList(more, 5)} come${more.length === 1 ? "s" : ""} with it` : "";
      const nodes = replacedNodes(base, head);
      return {
        what: `${poolLabel(head)} rolls: ${poolNodes(base, nodes)} replaced, ${rolloutText(head)}`,
        why: `its image changes (${imageChange(matched[0])}), and CAPZ replaces every node that runs another image${along}${drainText(base)}`,
        ...countedNodes(base, nodes),
        ...(surgeOf(head) === 0 ? { instead: surgeAdvice } : {}),
      };
    },
  }),
  poolRule({
    id: "pool-zones-removed",
    severity: "refused",
    source:
      "https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-zone-expansion",
    match: failureDomains,
    what: ({ head }, [zones]) => {
      const [before, after] = [strings(zones.property?.before), strings(zones.property?.after)];
      const removed = before.filter((zone) => !after.includes(zone));
      return removed.length > 0 && `${poolLabel(head)} cannot leave zone ${formatList(removed)}`;
    },
    why: "Azure can add zones to a scale set, but not remove them",
    instead: "add a pool with the zones that you want, move the workload, and remove this one",
  }),
  poolRule({
    id: "pool-partly-renewed",
    severity: "rolls",
    source: `${model}; CAPZ #2972`,
    match: whose("renews", "AzureMachinePool", "MachinePool"),
    claims: (difference) => bootstrap(difference) || machine(difference),
    explain: ({ base, head }, matched, group) => {
      const size = findChange(matched, /vmSize$/);
      const others = matched.some(identity) ? "identities change" : "zones change";
      const disk = group.some(touches("AzureMachinePool", /osDisk/)) ? " and another OS disk" : "";
      const what = `${size ? `VM size ${formatChange(size.before, size.after)}` : others}${disk}`;
      const [least, most] = renewalRange(base, head);
      const kept = formatRange(least.kept, most.kept);
      const rest = `${kept} stay${kept === "1" ? "s as it is" : " as they are"}${least === most ? "" : " (autoscaled)"}`;
      const newest =
        head.rollout.deletePolicy === "Newest" && surgeOf(head) > 0
          ? ", which deletePolicy Newest deletes again"
          : "";
      const along = most.renewed > 0 && group.some(bootstrap) ? "; they get the new bootstrap data too" : "";
      return {
        what:
          most.renewed === 0
            ? `${poolLabel(head)} is not renewed: ${what} for nodes that come later, ${rest}`
            : `${poolLabel(head)} is only partly replaced: ${what} for ${pluralizeRange(least.renewed, most.renewed, "node")}, ${rest}`,
        why: `CAPZ replaces nodes only for another image, so only new nodes get this: the rollout adds those of the surge and removes as many old ones${newest}${along}`,
        nodes: least.replaced,
        ...(most.replaced > least.replaced ? { nodesAtMost: most.replaced } : {}),
        ...(most.replaced === 0 ? { severity: "changes" } : {}),
        instead: size
          ? "add a pool of the new size, move the workload and remove this one; or change the image in the same `up`"
          : "change the image in the same `up`, or delete the old nodes one by one (kubectl delete machine)",
      };
    },
  }),
  poolRule({
    id: "pool-version-without-image",
    source: "project: a custom image does not follow the version; CAPZ as for pool-rolls",
    match: version,
    claims: bootstrap,
    what: ({ head }, matched) =>
      `${poolLabel(head)} declares ${changeText(matched, /version$/)} and does not roll`,
    why: "the image decides which version runs, and it stays the same: running and new nodes keep its kubelet",
    instead: "set the pool's image to one of the new version",
  }),
  poolRule({
    id: "pool-bootstrap-new-nodes-only",
    source: "CAPZ PR #6048, CAPI #8858: bootstrap data alone does not update a scale set's model",
    match: bootstrap,
    what: ({ base, head }) =>
      `${poolLabel(head)} gets new bootstrap data${taintsText(base, head)} for new nodes; ${poolNodes(base, base.replicas)} already running keep theirs`,
    why: "bootstrap data alone does not roll a scale set: files, commands and kubelet arguments only reach nodes that are created later",
    instead:
      "change the image in the same `up`, or delete the nodes one by one afterwards (kubectl delete machine)",
  }),
  poolRule({
    id: "pool-machine-new-nodes-only",
    source: model,
    match: (difference) => machine(difference) || serverAnnotation(difference),
    what: ({ base, head }, matched) =>
      `${poolLabel(head)}: ${formatList(matched.map(({ path }) => path.replace(/^.*\.(osDisk\.|annotations\.)?/, "")))} for new nodes; ${poolNodes(base, base.replicas)} already running keep theirs`,
    why: "CAPZ does not update the scale set for this alone: it sends this with another image, VM size, zone or identity, or with more nodes once their bootstrap data are new, as after each new bootstrap token",
    instead: "change the image in the same `up`",
  }),
];
