import type { Settings } from "../../config/settings";
import { vmResources, vmTraits } from "../../platform/machines/vmSizes";
import { windowsBuilds } from "../../platform/machines/windowsReleases";
import { windowsVersion } from "../../platform/workloads/windowsVersions";
import type { NodePool } from "./types";

/** The nodes that a stack describes, with the properties that the scheduler uses. */

const gib = 1024 ** 3;

/**
 * Memory in GiB that is not available to pods. Linux: what its kernel does not report (16 GiB are 16403296Ki, AKS #1216), and the
 * kubelet's eviction threshold of 100Mi. Windows: what Windows, the kubelet and the add-ons need, as for the sample workload.
 */
const reserved = { linux: (memoryGiB: number) => memoryGiB * 0.025 + 0.1, windows: () => 2 } as const;

interface Machines {
  readonly vmSize: string;
  readonly zones?: readonly string[];
  /** Labels that the user sets. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: NodePool["taints"];
}

function poolOf(
  name: string,
  os: NodePool["os"],
  { vmSize, zones = [], labels = {}, taints = [] }: Machines,
  location: string,
): NodePool {
  const resources = vmResources(vmSize);
  const zoneLabels = zones.map((zone) => `${location}-${zone}`);
  const architecture = vmTraits(vmSize)?.arm === true ? "arm64" : "amd64";
  return {
    ...{ name, os, vmSize, architecture },
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
    },
    taints,
  };
}

/**
 * The pools and the control plane of a stack.
 * @param assumed - by pool, the release of Windows Server to assume instead of that of the pool
 */
export function poolsOf(settings: Settings, assumed: Readonly<Record<string, string>> = {}): NodePool[] {
  const { location } = settings.azure;
  const windows = Object.entries(settings.windowsPools).map(([name, pool]): NodePool => {
    const windowsServer = assumed[name] ?? pool.windowsServer;
    const build = windowsBuilds[windowsServer] ?? "";
    const nodes = poolOf(name, "windows", pool, location);
    return {
      ...nodes,
      windowsServer,
      version: windowsVersion(build),
      labels: { ...nodes.labels, "node.kubernetes.io/windows-build": [build] },
    };
  });
  const control = poolOf("control plane", "linux", settings.controlPlane, location);
  const role = "node-role.kubernetes.io/control-plane";
  return [
    ...windows,
    ...Object.entries(settings.linuxPools).map(([name, pool]) => poolOf(name, "linux", pool, location)),
    {
      ...control,
      labels: { ...control.labels, [role]: [""] },
      taints: [{ key: role, value: "", effect: "NoSchedule" }],
    },
  ];
}
