import { bash } from "capz-windows-kit/shell";
import { countAt, textAt, type Plain } from "capz-windows-kit/untyped";
import {
  type Clusters,
  type Cores,
  coresByQuota,
  type Machines,
  machinesOf,
  type Peak,
} from "../../../plan/model/cluster/quota";
import type { QuotaModel } from "../../../plan/model/cluster/types";
import type { Arm } from "../../azure/arm";
import type { Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";
import type { Size } from "./sizes";

/** Whether the region has enough quota of cores and public addresses. */

/** Names of the quotas of cores that are not for one VM family: all cores of the region, and spot cores. */
const allCores = "cores";
const spotCores = "lowPriorityCores";

/** Spot machines count against a separate quota instead of those of the family and the region. */
const quotasOf = (family: string, spot: boolean): string[] => (spot ? [spotCores] : [family, allCores]);

/** The cores of a machine, as Azure reports them for its size. */
const coresIn =
  (known: ReadonlyMap<string, Size>) =>
  ({ vmSize, spot = false }: Machines): Cores | undefined => {
    const size = known.get(vmSize);
    return size && { vcpus: size.cores, quotas: quotasOf(size.family, spot) };
  };

/** Cores of the stack's existing machines, by quota. Azure's usage already includes those of an earlier `up`. */
async function coresThere(
  arm: Arm,
  { subscriptionId, resourceGroup, aksNodeGroup, makesAks }: Needs,
  known: ReadonlyMap<string, Size>,
): Promise<ReadonlyMap<string, Peak>> {
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
  const there = (vmSize: string, count: number, priority: string): Machines => ({
    ...{ vmSize, count: { min: count, max: count }, surge: 0 },
    spot: /^(spot|low)$/i.test(priority),
  });
  return coresByQuota(
    [
      ...[...sets, ...aks].map((set) =>
        there(
          textAt(set, "sku", "name"),
          countAt(set, "sku", "capacity") ?? 0,
          textAt(set, "properties", "virtualMachineProfile", "priority"),
        ),
      ),
      ...machines.map((machine) =>
        there(
          textAt(machine, "properties", "hardwareProfile", "vmSize"),
          1,
          textAt(machine, "properties", "priority"),
        ),
      ),
    ],
    coresIn(known),
  );
}

const usageOf = (raw: Plain) => ({
  name: textAt(raw, "name", "value"),
  title: textAt(raw, "name", "localizedValue") || textAt(raw, "name", "value"),
  used: countAt(raw, "currentValue"),
  limit: countAt(raw, "limit"),
});

type Usage = ReturnType<typeof usageOf>;
type Counted = Usage & { readonly used: number; readonly limit: number };

const isCounted = (usage: Usage): usage is Counted => usage.used !== undefined && usage.limit !== undefined;

/** https://learn.microsoft.com/rest/api/compute/usage/list */
export async function quota(
  arm: Arm,
  needs: Needs,
  known: ReadonlyMap<string, Size>,
  clusters: Clusters,
): Promise<Row[]> {
  const { subscriptionId, location } = needs;
  const { error, ok, unknown } = rowsOf("quota");
  const usages = (
    await arm.list(
      `/subscriptions/${subscriptionId}/providers/Microsoft.Compute/locations/${location}/usages`,
      "2024-07-01",
    )
  ).map(usageOf);
  const there = await coresThere(arm, needs, known);
  const machines = machinesOf(clusters);
  const wanted = coresByQuota(machines, coresIn(known));
  const rows = [...wanted].flatMap(([family, { peak }]) => {
    const usage = usages.find(({ name }) => name.toLowerCase() === family.toLowerCase());
    if (usage === undefined) {
      return [unknown(`Azure lists no quota ${family} in ${location}`)];
    }
    if (!isCounted(usage)) {
      return [unknown(`Azure gives no numbers for the quota ${family} in ${location}`)];
    }
    const more = peak - (there.get(family)?.steady ?? 0);
    return present(
      usage.used + more > usage.limit &&
        error(
          `${usage.title} in ${location}: ${usage.limit} approved, ${usage.used} used, ${more} more needed while everything rolls`,
          bash`az quota update --resource-name ${usage.name} --scope /subscriptions/${subscriptionId}/providers/Microsoft.Compute/locations/${location} --limit-object value=${usage.used + more}`,
          "Fewer replicas, a smaller autoscale.max, or sizes of another family in the stack file.",
        ),
    );
  });
  // Sizes that are not there are another row.
  const uncounted = [...known.values()]
    .filter(({ name, cores }) => cores === 0 && machines.some(({ vmSize }) => vmSize === name))
    .map(({ name }) => unknown(`Azure does not say how many vCPUs ${name} has`));
  const total = [allCores, spotCores].reduce((sum, name) => sum + (wanted.get(name)?.peak ?? 0), 0);
  return orOk([...rows, ...uncounted], ok(`${total} cores fit, even if everything rolls at once`));
}

/** https://learn.microsoft.com/rest/api/virtualnetwork/usages/list */
export async function addresses(
  arm: Arm,
  needs: Needs,
  { publicAddresses }: Pick<QuotaModel, "publicAddresses">,
): Promise<Row[]> {
  const { subscriptionId, location, resourceGroup } = needs;
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
  const counted = usages
    .map(usageOf)
    .filter(({ name }) => /^(PublicIPAddresses|(IPv4)?StandardSkuPublicIpAddresses)$/i.test(name));
  const { error, ok, unknown } = rowsOf("public addresses");
  const full = counted.filter(isCounted).filter(({ used, limit }) => used + more > limit);
  const uncounted = counted
    .filter((usage) => !isCounted(usage))
    .map(({ title }) => unknown(`Azure gives no numbers for ${title} in ${location}`));
  if (counted.length === 0) {
    return [unknown(`Azure lists no quota of public addresses in ${location}`)];
  }
  const rows = full.map(({ title, used, limit }) =>
    error(
      `${title} in ${location}: ${limit} allowed, ${used} used, ${more} more needed`,
      bash`az network list-usages --location ${location} -o table   # more: portal, Quotas, Networking`,
    ),
  );
  return orOk([...rows, ...uncounted], ok(`${more} more fit`));
}
