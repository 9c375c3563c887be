import { windowsTolerations } from "capz-windows-platform/workloads/windowsPods";
import { tolerates } from "capz-windows-platform/workloads/tolerations";
import { taintText } from "capz-windows-platform/machines/nodeLabels";
import type { ClusterModel, PoolModel } from "../../model/cluster/types";
import { present } from "capz-windows-kit/present";
import { at, list, textAt } from "capz-windows-kit/untyped";
import type { Difference } from "../differences";
import { formatList, pluralize } from "../format";
import { touches, type ImpactRule } from "../impactRule";
import { findPool, mostNodes, poolLabel, poolsLike } from "../machines";
import { inPool } from "../poolRule";

/** Where pods find a place: what a change of pools means to pods that are in no other line. */

const taintPage = "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/";

/** Whether pods of users that tolerate nothing themselves may run there; RuntimeClasses of Windows tolerate one taint. */
export const takesAll = (pool: PoolModel): boolean =>
  mostNodes(pool) > 0 &&
  (pool.taints ?? []).every(
    (taint) =>
      taint.effect === "PreferNoSchedule" ||
      (pool.os === "windows" && windowsTolerations.some((toleration) => tolerates(toleration, taint))),
  );

const isOpenSpot = (pool: PoolModel): boolean => pool.spot === true && takesAll(pool);

const openLinux = (cluster: ClusterModel | undefined): PoolModel[] =>
  (cluster?.pools ?? []).filter((pool) => pool.os === "linux" && takesAll(pool));

/** A scale set that is there on both sides refuses other zones, and does not become spot. */
const isSameScaleSet = (before: PoolModel | undefined, after: PoolModel | undefined): boolean =>
  before?.kind === "MachinePool" && after?.kind === "MachinePool";

/** "zone 2", "zones 2 and 3". */
const zonesText = (zones: readonly string[]): string =>
  zones.length === 0 ? "no zone" : `zone${zones.length === 1 ? "" : "s"} ${formatList(zones)}`;

/** Certificates of trustedCertificates: their files, which are named by their content. */
const certificatesOf = (controlPlane: Difference["base"]): string[] =>
  list(at(controlPlane?.inputs, "spec", "kubeadmConfigSpec", "files"))
    .map((file) => textAt(file, "path"))
    .filter((path) => /\/capz-windows-[0-9a-f]{8}\.crt$/.test(path));

export const placementRules: readonly ImpactRule[] = [
  {
    id: "pool-spot-open",
    source: `${taintPage}; https://learn.microsoft.com/azure/virtual-machines/spot-vms`,
    informational: true,
    match: inPool,
    explain: ([{ part }], { base, head }) => {
      const [before, pool] = [findPool(base, part.name), findPool(head, part.name)];
      if (!head || !pool || !isOpenSpot(pool) || (before && isOpenSpot(before))) {
        return undefined;
      }
      if (isSameScaleSet(before, pool) && before?.spot !== true) {
        return undefined;
      }
      const others = poolsLike(head, pool).filter(({ spot }) => spot !== true);
      const names = formatList(others.map(({ name }) => name));
      const also = names === "" ? "" : `, also those of ${names},`;
      return {
        what: `Ordinary pods${also} may run on spot machines of ${poolLabel(pool)}: no taint keeps them away`,
        why: "Azure takes spot machines back with 30 seconds' notice; a pod without a toleration goes to any node of its operating system that has room, and an autoscaler adds such machines for pods that wait",
        instead:
          "give the pool a taint (taints: [{key: kubernetes.azure.com/scalesetpriority, value: spot}]), and a toleration to pods that may lose their node",
      };
    },
  },
  {
    id: "linux-pools-closed",
    source: taintPage,
    informational: true,
    per: "stack",
    match: inPool,
    explain: (_, { base, head }) => {
      if (!head || openLinux(base).length === 0 || openLinux(head).length > 0) {
        return undefined;
      }
      const tainted = head.pools.filter(({ os, taints = [] }) => os === "linux" && taints.length > 0);
      const how = tainted.map(
        ({ name, taints = [] }) => `${name} gets ${formatList(taints.map(taintText), 2)}`,
      );
      return {
        what: `No Linux pool is left for pods without a toleration${how.length === 0 ? "" : `: ${formatList(how)}`}`,
        why: "Linux pods that tolerate neither this nor the control plane's taint stay Pending; nodes that run keep their pods until they are replaced. Add-ons of the stack then run on the control plane",
        instead: "keep a Linux pool without a taint, or give every Linux workload the toleration first",
      };
    },
  },
  {
    id: "pool-zones",
    source:
      "https://learn.microsoft.com/azure/virtual-machines/disks-redundancy (a disk of one zone, or of none, is attached to machines there only)",
    informational: true,
    match: inPool,
    what: ([{ part }], { base, head }) => {
      const [before, after] = [findPool(base, part.name), findPool(head, part.name)];
      if (before === undefined || after === undefined || after.zones.length === 0) {
        return undefined;
      }
      const isKept = before.zones.length > 0 && before.zones.every((zone) => after.zones.includes(zone));
      // A scale set refuses to leave a zone, which has a rule of its own.
      const isRefused = before.zones.length > 0 && isSameScaleSet(before, after);
      return (
        !isKept &&
        !isRefused &&
        `${poolLabel(after)} has nodes in ${zonesText(after.zones)} from now on, until now in ${zonesText(before.zones)}: pods whose disks are elsewhere stay Pending`
      );
    },
    why: "Azure attaches a disk of one zone, or of none (LRS), only to machines there; disks of class ZRS go anywhere in the region",
    instead:
      "keep a pool where pods have disks, or move such volumes first: snapshot each disk, and make a claim of the snapshot in a zone",
  },
  {
    id: "trust-removed",
    source: "bootstrap/egress.ts; containerd 2.1 docs/hosts.md (it trusts what the operating system trusts)",
    informational: true,
    per: "stack",
    match: touches("KubeadmControlPlane"),
    what: (matched, { head }) => {
      const [{ base: before, head: after }] = matched;
      const kept = certificatesOf(after);
      const removed = certificatesOf(before).filter((path) => !kept.includes(path));
      const { egress, outbound } = head?.network ?? {};
      const users = present(
        egress?.registryMirror,
        egress?.proxy,
        outbound?.what === "firewall" && `the firewall ${outbound.name}`,
      );
      return (
        after !== undefined &&
        removed.length > 0 &&
        users.length > 0 &&
        `New machines no longer trust ${pluralize(removed.length, "certificate")} of trustedCertificates: if ${formatList(users)} ${users.length === 1 ? "needs" : "need"} ${removed.length === 1 ? "it" : "them"}, they pull no image`
      );
    },
    why: "a machine that pulls nothing does not become a node, so the control plane stops rolling at its first new one; machines that run keep what they trust",
    instead: "keep each certificate until nothing has one that it signed",
  },
  {
    id: "mirror-alone",
    source: "containerd 2.1 docs/hosts.md (server); bootstrap/registryMirror.ts",
    informational: true,
    per: "stack",
    match: touches("KubeadmControlPlane"),
    explain: (_, { base, head }) => {
      const [before, after] = [base?.network.egress, head?.network.egress];
      const mirror = after?.registryMirror;
      const was = before?.fallback === true ? undefined : before?.registryMirror;
      if (!base || mirror === undefined || after?.fallback === true || mirror === was) {
        return undefined;
      }
      return {
        what: `New machines pull images from ${mirror} alone: while it is down, or lacks an image, they pull nothing`,
        why: "registryMirror has no fallback, so containerd asks no registry itself; a machine that cannot pull does not become a node, not even one of the control plane while it rolls. Machines that run ask the registries until they are replaced",
        instead: "have every image in the mirror first, or add fallback: true until it has been tried",
        commands: ["npm run plan -- STACK --format images"],
      };
    },
  },
];
