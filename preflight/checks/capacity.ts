import { numberAt, textAt } from "../../domain/untyped";
import type { Arm } from "../../azure/arm";
import type { Needs } from "../needs";
import { type Row, row } from "../row";
import type { Size } from "./sizes";

/** Whether the region has enough quota of cores and public addresses. */

/** Names of the quotas of cores that are not for one VM family: all cores of the region, and spot cores. */
const allCores = "cores";
const spotCores = "lowPriorityCores";

/** Spot machines count against a quota of their own instead of those of the family and the region. */
const quotasOf = (family: string, spot: boolean): string[] => (spot ? [spotCores] : [family, allCores]);

interface Counted {
  readonly vmSize: string;
  readonly count: number;
  readonly spot: boolean;
}

/** Cores by the quota that they count against. */
function coresOf(machines: readonly Counted[], known: ReadonlyMap<string, Size>): Map<string, number> {
  const cores = new Map<string, number>();
  for (const { vmSize, count, spot } of machines) {
    const size = known.get(vmSize);
    for (const quota of size === undefined ? [] : quotasOf(size.family, spot)) {
      cores.set(quota, (cores.get(quota) ?? 0) + (size?.cores ?? 0) * count);
    }
  }
  return cores;
}

/** Cores of the stack's existing machines, by quota. Azure's usage already includes those of an earlier `up`. */
async function coresThere(
  arm: Arm,
  { subscriptionId, resourceGroup, aksNodeGroup, makesAks }: Needs,
  known: ReadonlyMap<string, Size>,
): Promise<ReadonlyMap<string, number>> {
  const read = (group: string, kind: string): Promise<Record<string, unknown>[]> =>
    arm
      .list(
        `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/Microsoft.Compute/${kind}`,
        "2024-07-01",
      )
      .catch(() => []);
  const [sets, machines, aks] = await Promise.all([
    read(resourceGroup, "virtualMachineScaleSets"),
    read(resourceGroup, "virtualMachines"),
    makesAks ? read(aksNodeGroup, "virtualMachineScaleSets") : [],
  ]);
  const isSpot = (priority: string): boolean => /^(spot|low)$/i.test(priority);
  return coresOf(
    [
      ...[...sets, ...aks].map((set) => ({
        vmSize: textAt(set, "sku", "name"),
        count: numberAt(set, "sku", "capacity") ?? 0,
        spot: isSpot(textAt(set, "properties", "virtualMachineProfile", "priority")),
      })),
      ...machines.map((machine) => ({
        vmSize: textAt(machine, "properties", "hardwareProfile", "vmSize"),
        count: 1,
        spot: isSpot(textAt(machine, "properties", "priority")),
      })),
    ],
    known,
  );
}

interface Usage {
  readonly name: string;
  readonly title: string;
  readonly used: number;
  readonly limit: number;
}

const usageOf = (raw: Record<string, unknown>): Usage => ({
  name: textAt(raw, "name", "value"),
  title: textAt(raw, "name", "localizedValue") || textAt(raw, "name", "value"),
  used: numberAt(raw, "currentValue") ?? 0,
  limit: numberAt(raw, "limit") ?? 0,
});

/** https://learn.microsoft.com/rest/api/compute/usage/list */
export async function quota(arm: Arm, needs: Needs, known: ReadonlyMap<string, Size>): Promise<Row[]> {
  const { subscriptionId, location } = needs;
  const usages = (
    await arm.list(
      `/subscriptions/${subscriptionId}/providers/Microsoft.Compute/locations/${location}/usages`,
      "2024-07-01",
    )
  ).map(usageOf);
  const there = await coresThere(arm, needs, known);
  const peak = coresOf(
    needs.machines.map(({ vmSize, count, surge, spot }) => ({ vmSize, count: count + surge, spot })),
    known,
  );
  const rows = [...peak].flatMap(([family, wanted]) => {
    const usage = usages.find(({ name }) => name.toLowerCase() === family.toLowerCase());
    const more = wanted - (there.get(family) ?? 0);
    return usage === undefined || usage.used + more <= usage.limit
      ? []
      : [
          row(
            "error",
            "quota",
            `${usage.title} in ${location}: ${usage.limit} approved, ${usage.used} used, ${more} more needed while everything rolls`,
            `az quota update --resource-name ${usage.name} --scope /subscriptions/${subscriptionId}/providers/Microsoft.Compute/locations/${location} --limit-object value=${usage.used + more}`,
            "Fewer replicas, a smaller autoscale.max, or sizes of another family in the stack file.",
          ),
        ];
  });
  const total = (peak.get(allCores) ?? 0) + (peak.get(spotCores) ?? 0);
  return rows.length === 0
    ? [row("ok", "quota", `${total} cores fit, even if everything rolls at once`)]
    : rows;
}

/** https://learn.microsoft.com/rest/api/virtualnetwork/usages/list */
export async function addresses(arm: Arm, needs: Needs): Promise<Row[]> {
  const { subscriptionId, location, publicAddresses, resourceGroup } = needs;
  const base = `/subscriptions/${subscriptionId}`;
  const [usages, own] = await Promise.all([
    arm.list(`${base}/providers/Microsoft.Network/locations/${location}/usages`, "2023-05-01"),
    arm
      .list(
        `${base}/resourceGroups/${resourceGroup}/providers/Microsoft.Network/publicIPAddresses`,
        "2023-05-01",
      )
      .catch(() => []),
  ]);
  const more = Math.max(0, publicAddresses - own.length);
  const full = usages
    .map(usageOf)
    .filter(({ name }) => /^(PublicIPAddresses|(IPv4)?StandardSkuPublicIpAddresses)$/i.test(name))
    .filter(({ used, limit }) => used + more > limit);
  return full.length === 0
    ? [row("ok", "public addresses", `${more} more fit`)]
    : full.map(({ title, used, limit }) =>
        row(
          "error",
          "public addresses",
          `${title} in ${location}: ${limit} allowed, ${used} used, ${more} more needed`,
          `az network list-usages --location ${location} -o table   # more: portal, Quotas, Networking`,
        ),
      );
}
