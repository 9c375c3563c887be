import { serviceReach } from "./serviceReach";
import { surgeNodes } from "../../../domain/machines/rollout";
import { vmCores } from "../../../domain/machines/vmSizes";
import { ofType, type PlanResources } from "./resources";
import type { ControlPlaneModel, ManagementModel, NodeRange, PoolModel, QuotaModel } from "./types";

/** What a stack takes of the quota of its subscription and region. */

/** Machines of one size. `surge` are those beyond the number wanted while they are replaced: "25%", "1", 1. */
interface Machines {
  readonly vmSize: string;
  readonly count: NodeRange;
  readonly surge: number | string;
  /** Spot machines of all sizes have one quota of the region. */
  readonly spot?: boolean;
}

/** AKS rounds a share up as Cluster API and CAPZ do. */
const surgeOf = ({ surge, count: { max } }: Machines): number => (max === 0 ? 0 : surgeNodes(surge, max));

const fixed = (count: number): NodeRange => ({ min: count, max: count });

interface Clusters {
  readonly management: ManagementModel;
  readonly controlPlane?: ControlPlaneModel | undefined;
  readonly pools: readonly PoolModel[];
}

const machinesOf = ({ management: { aks }, controlPlane, pools }: Clusters): Machines[] => [
  ...(aks === undefined ? [] : [{ vmSize: aks.vmSize, count: aks.nodes, surge: aks.maxSurge }]),
  ...(controlPlane === undefined
    ? []
    : [{ vmSize: controlPlane.vmSize, count: fixed(controlPlane.replicas), surge: controlPlane.maxSurge }]),
  ...pools.map(({ vmSize, replicas, autoscale, rollout, spot = false }) => ({
    vmSize,
    spot,
    count: autoscale ?? fixed(replicas),
    surge: rollout.maxSurge,
  })),
];

function vcpusByFamily(machines: readonly Machines[]): QuotaModel["vcpus"] {
  const families = new Map<string, NodeRange>();
  for (const each of machines) {
    const own = vmCores(each.vmSize);
    const cores = own && each.spot === true ? { ...own, family: "spot machines of all sizes" } : own;
    if (cores !== undefined) {
      const { min, max } = families.get(cores.family) ?? fixed(0);
      families.set(cores.family, {
        min: min + cores.vcpus * each.count.min,
        max: max + cores.vcpus * (each.count.max + surgeOf(each)),
      });
    }
  }
  return [...families]
    .map(([family, { min, max }]) => ({ family, steady: min, peak: max }))
    .sort((a, b) => (a.family < b.family ? -1 : 1));
}

/** Those of the stack itself, of the API server's load balancer, which CAPZ makes, and of the sample's. */
const publicAddresses = (resources: PlanResources): number =>
  ofType(resources, "PublicIPAddress", "AzureCluster").length +
  ofType(resources, "Service").filter(({ inputs }) => serviceReach(inputs) === "internet").length;

export function readQuota(resources: PlanResources, clusters: Clusters): QuotaModel {
  const machines = machinesOf(clusters);
  return {
    vcpus: vcpusByFamily(machines),
    unknownSizes: [
      ...new Set(machines.map(({ vmSize }) => vmSize).filter((vmSize) => vmCores(vmSize) === undefined)),
    ].sort(),
    publicAddresses: publicAddresses(resources),
  };
}
