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

/** The labels that kubelet sets by the operating system and the processor. */
const ofSystem = (os: string, architecture: string): Record<string, string[]> => ({
  "kubernetes.io/os": [os],
  "beta.kubernetes.io/os": [os],
  "kubernetes.io/arch": [architecture],
  "beta.kubernetes.io/arch": [architecture],
});

const windowsBuild = "node.kubernetes.io/windows-build";

/** Nodes of which only the release is known. CAPZ and image-builder have Windows for amd64 alone. */
export const poolOfRelease = (windowsServer: string): NodePool => ({
  name: `Windows Server ${windowsServer}`,
  os: "windows",
  windowsServer,
  architecture: "amd64",
  vmSize: "",
  taints: [],
  isAssumed: true,
  version: windowsVersion(windowsBuilds[windowsServer] ?? ""),
  labels: { ...ofSystem("windows", "amd64"), [windowsBuild]: [windowsBuilds[windowsServer] ?? ""] },
});

/** Any Linux nodes, to which pods may go instead. */
export const otherNodes: NodePool = {
  name: "others",
  os: "linux",
  architecture: "",
  vmSize: "",
  taints: [],
  isAssumed: true,
  labels: { "kubernetes.io/os": ["linux"], "beta.kubernetes.io/os": ["linux"], [windowsBuild]: [] },
};

type Machines = Pick<PoolFacts, "name" | "os" | "vmSize" | "windowsBuild" | "zones" | "labels" | "taints">;

function nodesOf(
  { name, os, vmSize, windowsBuild: build, zones, labels, taints }: Machines,
  location: string,
): NodePool {
  const resources = vmResources(vmSize);
  const zoneLabels = zones.map((zone) => `${location}-${zone}`);
  const architecture = vmTraits(vmSize)?.arm === true ? "arm64" : "amd64";
  return {
    ...{ name, os, vmSize, architecture, taints },
    version: windowsVersion(build ?? ""),
    cpus: resources?.cpus,
    memoryBytes: resources && (resources.memoryGiB - reserved[os](resources.memoryGiB)) * gib,
    labels: {
      ...Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, [value]])),
      ...ofSystem(os, architecture),
      "node.kubernetes.io/instance-type": [vmSize],
      "topology.kubernetes.io/region": [location],
      "topology.kubernetes.io/zone": zones.length === 0 ? ["0"] : zoneLabels,
      // azuredisk-csi-driver v1.34.5 pkg/azuredisk/nodeserver.go, NodeGetInfo.
      "topology.disk.csi.azure.com/zone": zones.length === 0 ? [""] : zoneLabels,
      ...(build === undefined ? {} : { [windowsBuild]: [build] }),
    },
  };
}

const role = "node-role.kubernetes.io/control-plane";

/** The pools and the control plane of a stack. */
export function poolsOf({ pools, controlPlane, location }: StackFacts): NodePool[] {
  const windows = pools.filter(({ os }) => os === "windows");
  const linux = pools.filter(({ os }) => os === "linux");
  return [
    ...windows.map((pool): NodePool => {
      const { windowsServer = "" } = pool;
      const build = windowsBuilds[windowsServer] ?? "";
      return { ...nodesOf({ ...pool, windowsBuild: build }, location), windowsServer };
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
