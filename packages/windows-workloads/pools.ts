import type { PoolFacts, StackFacts } from "capz-windows-contract";
import { vmResources, vmTraits } from "capz-windows-platform/machines/vmSizes";
import { windowsBuilds } from "capz-windows-platform/machines/windowsReleases";
import { windowsVersion } from "capz-windows-platform/workloads/windowsVersions";
import type { NodePool } from "./types";

/** The nodes that a stack describes, with the properties that the scheduler uses. */

const gib = 1024 ** 3;

/**
 * Memory in GiB that is not available to pods. Linux: what its kernel does not report (16 GiB are 16403296Ki, AKS #1216), and the
 * kubelet's eviction threshold of 100Mi. Windows: what Windows, the kubelet and the add-ons need, as for the sample workload.
 */
const reserved = { linux: (memoryGiB: number) => memoryGiB * 0.025 + 0.1, windows: () => 2 } as const;

type Machines = Pick<PoolFacts, "name" | "os" | "vmSize" | "windowsBuild" | "zones" | "labels" | "taints">;

function nodesOf(
  { name, os, vmSize, windowsBuild, zones, labels, taints }: Machines,
  location: string,
): NodePool {
  const resources = vmResources(vmSize);
  const zoneLabels = zones.map((zone) => `${location}-${zone}`);
  const architecture = vmTraits(vmSize)?.arm === true ? "arm64" : "amd64";
  return {
    ...{ name, os, vmSize, architecture, taints },
    version: windowsVersion(windowsBuild ?? ""),
    cpus: resources?.cpus,
    memoryBytes: resources && (resources.memoryGiB - reserved[os](resources.memoryGiB)) * gib,
    labels: {
      ...Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, [value]])),
      "kubernetes.io/os": [os],
      "beta.kubernetes.io/os": [os],
      "kubernetes.io/arch": [architecture],
      "beta.kubernetes.io/arch": [architecture],
      "node.kubernetes.io/instance-type": [vmSize],
      "topology.kubernetes.io/region": [location],
      "topology.kubernetes.io/zone": zones.length === 0 ? ["0"] : zoneLabels,
      // azuredisk-csi-driver v1.34.5 pkg/azuredisk/nodeserver.go, NodeGetInfo.
      "topology.disk.csi.azure.com/zone": zones.length === 0 ? [""] : zoneLabels,
      ...(windowsBuild === undefined ? {} : { "node.kubernetes.io/windows-build": [windowsBuild] }),
    },
  };
}

const role = "node-role.kubernetes.io/control-plane";

/**
 * The pools and the control plane of a stack.
 * @param assumed - by pool, the release of Windows Server to assume instead of that of the pool
 */
export function poolsOf(
  { pools, controlPlane, location }: StackFacts,
  assumed: Readonly<Record<string, string>> = {},
): NodePool[] {
  const windows = pools.filter(({ os }) => os === "windows");
  const linux = pools.filter(({ os }) => os === "linux");
  return [
    ...windows.map((pool): NodePool => {
      const windowsServer = assumed[pool.name] ?? pool.windowsServer ?? "";
      const windowsBuild = windowsBuilds[windowsServer] ?? "";
      return { ...nodesOf({ ...pool, windowsBuild }, location), windowsServer };
    }),
    ...linux.map((pool) => nodesOf(pool, location)),
    nodesOf(
      {
        name: "control plane",
        os: "linux",
        vmSize: controlPlane.vmSize,
        zones: [],
        labels: { [role]: "" },
        taints: [{ key: role, value: "", effect: "NoSchedule" }],
      },
      location,
    ),
  ];
}
