import { dockershim, marketplacePool } from "./flavorCases";
import type { Case } from "./ruleCases";

/** Cases of poolDefaults, also with mistakes that have an effect only in a pool. */
export const poolDefaultCases: readonly Case[] = [
  [
    "an invalid value in poolDefaults",
    { poolDefaults: { osDiskType: "Gold" }, windowsPools: { win1: {} } },
    "poolDefaults.osDiskType: not an allowed value",
    { poolDefaults: { osDiskType: "StandardSSD_LRS" }, windowsPools: { win1: {} } },
  ],
  [
    "a key of Windows pools in poolDefaults",
    { poolDefaults: { windowsServer: "2022" }, windowsPools: { win1: {} } },
    "poolDefaults.windowsServer: unknown key here; it belongs in windowsPools.<name>.windowsServer",
    { windowsPools: { win1: { windowsServer: "2022" } } },
  ],
  [
    "a key of other tools in poolDefaults",
    { poolDefaults: { nodeTaints: ["example.org/dedicated=iis:NoSchedule"] }, windowsPools: { win1: {} } },
    "poolDefaults.nodeTaints: unknown key; write the taints of nodes as taints",
    {
      poolDefaults: { taints: [{ key: "example.org/dedicated", value: "iis" }] },
      windowsPools: { win1: {} },
    },
  ],
  [
    "a default that does not fit what a pool has itself",
    {
      poolDefaults: { osDiskType: "Premium_LRS" },
      windowsPools: { win1: { ephemeralOsDisk: "CacheDisk", vmSize: "Standard_D8s_v3" } },
    },
    "poolDefaults.osDiskType: an ephemeral OS disk has no type: it is on the machine's host",
    {
      poolDefaults: { vmSize: "Standard_D8s_v3" },
      windowsPools: { win1: { ephemeralOsDisk: "CacheDisk" } },
    },
  ],
  [
    "a value of a pool that does not fit a default",
    {
      poolDefaults: { autoscale: { min: 3, max: 5 } },
      linuxPools: { linux1: {} },
      windowsPools: { win1: { autoscale: { min: 9 } } },
    },
    "windowsPools.win1.autoscale: min 9 is greater than max 5",
    {
      poolDefaults: { autoscale: { min: 3, max: 5 } },
      linuxPools: { linux1: {} },
      windowsPools: { win1: { autoscale: { max: 9 } } },
    },
  ],
  [
    "one mistake of all pools",
    {
      poolDefaults: { vmSize: "Standard_D1_v2" },
      linuxPools: { linux1: {} },
      windowsPools: { win1: { zones: ["1"] }, win2: {} },
    },
    "poolDefaults.vmSize: a size with one vCPU, and CAPZ creates no machines of such sizes",
    {
      poolDefaults: { vmSize: "Standard_D2s_v5" },
      linuxPools: { linux1: {} },
      windowsPools: { win1: { zones: ["1"] }, win2: {} },
    },
  ],
  [
    "taints in poolDefaults that are wrong",
    {
      poolDefaults: { taints: [{ key: "a b" }] },
      windowsPools: { win1: {}, win2: { taints: [] } },
    },
    "poolDefaults.taints[0]: not a valid taint key",
    { poolDefaults: { taints: [{ key: "ab" }] }, windowsPools: { win1: {}, win2: { taints: [] } } },
  ],
  [
    "labels that a pool and poolDefaults have, both wrong",
    {
      poolDefaults: { labels: { "a b": "", team: "web" } },
      windowsPools: { win1: { labels: { "c d": "" } } },
    },
    "windowsPools.win1.labels: a b: not a valid label key; c d: not a valid label key",
    { poolDefaults: { labels: { team: "web" } }, windowsPools: { win1: { labels: { cd: "" } } } },
  ],
  [
    "a configuration of kubelet in both that no node of this version can have",
    {
      ...dockershim,
      poolDefaults: { kubelet: { maxPods: 20 } },
      windowsPools: {
        win1: { ...marketplacePool, windowsServer: "2019", kubelet: { maxParallelImagePulls: 2 } },
      },
    },
    "windowsPools.win1.kubelet: the bootstrap data of Kubernetes before 1.26 has no patch for kubelet's configuration",
    { ...dockershim, windowsPools: { win1: { ...marketplacePool, windowsServer: "2019" } } },
  ],
];
