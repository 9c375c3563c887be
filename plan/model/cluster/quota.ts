import { numberAt, textAt } from "capz-windows-kit/untyped";
import { serviceReach } from "./serviceReach";
import { surgeNodes } from "capz-windows-platform/machines/rollout";
import { prefixAddresses } from "capz-windows-platform/company-network/outbound";
import { vmCores } from "capz-windows-platform/machines/vmSizes";
import { ofType, type PlanResources } from "./resources";
import type { readManagement } from "./azure";
import type { readControlPlane, readPools } from "./machines";
import type { NodeRange } from "./plainTypes";

/** What a stack takes of the quota of its subscription and region. */

/** Machines of one size. `surge` are those beyond the number wanted while they are replaced: "25%", "1", 1. */
export interface Machines {
  readonly vmSize: string;
  readonly count: NodeRange;
  readonly surge: number | string;
  /** Spot machines of all sizes have one quota of the region. */
  readonly spot?: boolean | undefined;
}

/** The vCPUs of a machine, and the names of the quotas that they count against. */
export interface Cores {
  readonly vcpus: number;
  readonly quotas: readonly string[];
}

/** vCPUs at first, and with autoscalers at their limits while everything is replaced at once. */
export interface Peak {
  readonly steady: number;
  readonly peak: number;
}

/** AKS rounds a share up as Cluster API and CAPZ do. */
const surgeOf = ({ surge, count: { max } }: Machines): number => (max === 0 ? 0 : surgeNodes(surge, max));

export const fixed = (count: number): NodeRange => ({ min: count, max: count });

/** What has machines. */
export interface Clusters {
  readonly management: ReturnType<typeof readManagement>;
  readonly controlPlane?: ReturnType<typeof readControlPlane>;
  readonly pools: readonly ReturnType<typeof readPools>[number][];
}

export const machinesOf = ({ management: { aks }, controlPlane, pools }: Clusters): Machines[] => [
  ...(aks === undefined ? [] : [{ vmSize: aks.vmSize, count: aks.nodes, surge: aks.maxSurge }]),
  ...(controlPlane === undefined
    ? []
    : [{ vmSize: controlPlane.vmSize, count: fixed(controlPlane.replicas), surge: controlPlane.maxSurge }]),
  ...pools.map(({ vmSize, replicas, autoscale, rollout, spot }) => ({
    ...{ vmSize, spot },
    count: autoscale ?? fixed(replicas),
    surge: rollout.maxSurge,
  })),
];

/**
 * vCPUs by quota.
 * @param coresOf - `undefined` for sizes that nothing is known about, which do not count
 */
export function coresByQuota(
  machines: readonly Machines[],
  coresOf: (each: Machines) => Cores | undefined,
): ReadonlyMap<string, Peak> {
  const found = new Map<string, Peak>();
  for (const each of machines) {
    const { vcpus, quotas } = coresOf(each) ?? { vcpus: 0, quotas: [] };
    for (const quota of quotas) {
      const { steady, peak } = found.get(quota) ?? { steady: 0, peak: 0 };
      found.set(quota, {
        steady: steady + vcpus * each.count.min,
        peak: peak + vcpus * (each.count.max + surgeOf(each)),
      });
    }
  }
  return found;
}

function nameCores({ vmSize, spot }: Machines): Cores | undefined {
  const own = vmCores(vmSize);
  return own && { vcpus: own.vcpus, quotas: [spot === true ? "spot machines of all sizes" : own.family] };
}

/** Those of the stack itself, of the API server's load balancer, which CAPZ makes, and of the sample's. */
const publicAddresses = (resources: PlanResources): number =>
  ofType(resources, "PublicIPAddress").length +
  ofType(resources, "PublicIPPrefix").reduce(
    (sum, { inputs }) => sum + prefixAddresses(numberAt(inputs, "prefixLength") ?? 32),
    0,
  ) +
  ofType(resources, "AzureCluster").filter(
    ({ inputs }) => textAt(inputs, "spec", "networkSpec", "apiServerLB", "type") !== "Internal",
  ).length +
  ofType(resources, "Service").filter(({ inputs }) => serviceReach(inputs) === "internet").length;

export function readQuota(resources: PlanResources, clusters: Clusters) {
  const machines = machinesOf(clusters);
  return {
    /** By family: "DSv5". */
    vcpus: [...coresByQuota(machines, nameCores)]
      .map(([family, cores]) => ({ family, ...cores }))
      .sort((a, b) => (a.family < b.family ? -1 : 1)),
    /** VM sizes whose names do not say how many vCPUs they have. */
    unknownSizes: [
      ...new Set(machines.map(({ vmSize }) => vmSize).filter((vmSize) => vmCores(vmSize) === undefined)),
    ].sort(),
    /** Public IPv4 addresses of the Standard SKU. */
    publicAddresses: publicAddresses(resources),
  };
}
