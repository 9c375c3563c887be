import { at, list, numberAt, strings, textAt } from "../../domain/untyped";
import type { Arm } from "../arm";
import type { MachineNeed, Needs } from "../needs";
import { type Row, row } from "../row";

/** VM sizes, cores and addresses of the region. */

interface Size {
  readonly name: string;
  readonly family: string;
  readonly cores: number;
  readonly zones: readonly string[];
  readonly restricted: string | undefined;
  readonly restrictedZones: readonly string[];
  readonly capability: (name: string) => string;
}

const sizeOf = (raw: Record<string, unknown>, location: string): Size => {
  const capability = (name: string): string =>
    textAt(
      list(raw.capabilities).find((each) => textAt(each, "name") === name),
      "value",
    );
  const restrictions = list(raw.restrictions);
  const info = list(raw.locationInfo).find((each) => textAt(each, "location").toLowerCase() === location);
  return {
    name: textAt(raw, "name"),
    family: textAt(raw, "family"),
    cores: Number(capability("vCPUs")),
    zones: strings(info?.zones),
    restricted: restrictions.some((each) => textAt(each, "type") === "Location")
      ? textAt(restrictions[0], "reasonCode")
      : undefined,
    restrictedZones: restrictions
      .filter((each) => textAt(each, "type") === "Zone")
      .flatMap((each) => strings(at(each, "restrictionInfo", "zones"))),
    capability,
  };
};

/** https://learn.microsoft.com/rest/api/compute/resource-skus/list */
export async function sizesOf(
  arm: Arm,
  { subscriptionId, location }: Needs,
): Promise<ReadonlyMap<string, Size>> {
  const found = await arm.list(
    `/subscriptions/${subscriptionId}/providers/Microsoft.Compute/skus`,
    "2021-07-01",
    {
      $filter: `location eq '${location}'`,
    },
  );
  return new Map(
    found
      .filter((raw) => textAt(raw, "resourceType") === "virtualMachines")
      .map((raw) => sizeOf(raw, location))
      .map((size) => [size.name, size]),
  );
}

/** Where the stack file says it. */
export const stackLine = (path: string, setting: string): string => {
  const [kind = "", name] = path.split(".");
  return name === undefined
    ? `capz-windows:${kind}: {${kind === "management" ? setting.replace("vmSize", "nodeSize") : setting}}`
    : `capz-windows:${kind}: {${name}: {${setting}}}`;
};

function sizeRows({ path, vmSize, zones }: MachineNeed, size: Size | undefined, location: string): Row[] {
  const check = `size of ${path}`;
  const list = `az vm list-skus --location ${location} --size ${vmSize} --all -o table`;
  const other = stackLine(path, "vmSize: A-SIZE-OF-THE-REGION");
  if (size === undefined) {
    return [row("error", check, `${vmSize} does not exist in ${location}`, other, list)];
  }
  if (size.restricted !== undefined) {
    return [
      row(
        "error",
        check,
        `${vmSize} is not for this subscription in ${location}: ${size.restricted}`,
        other,
        list,
      ),
    ];
  }
  const missing = zones.filter((zone) => !size.zones.includes(zone) || size.restrictedZones.includes(zone));
  if (missing.length > 0) {
    const left = size.zones.filter((zone) => !size.restrictedZones.includes(zone));
    return [
      row(
        "error",
        check,
        `${vmSize} is not in zone ${missing.join(", ")} of ${location}`,
        stackLine(path, `zones: [${left.map((zone) => `"${zone}"`).join(", ")}]`),
      ),
    ];
  }
  return [
    ...(size.capability("HyperVGenerations") === "V2" || size.capability("DiskControllerTypes") === "NVMe"
      ? [
          row(
            "warning",
            check,
            `${vmSize} boots generation 2 with NVMe disks only, and CAPZ's reference images are of generation 1`,
            stackLine(path, "vmSize: Standard_D4s_v5"),
          ),
        ]
      : []),
    ...(size.capability("CpuArchitectureType") === "Arm64"
      ? [
          row(
            "error",
            check,
            `${vmSize} is Arm64, the images are x64`,
            stackLine(path, "vmSize: Standard_D4s_v5"),
          ),
        ]
      : []),
    ...(size.capability("AcceleratedNetworkingEnabled") === "False"
      ? [row("warning", check, `${vmSize} has no accelerated networking`, other)]
      : []),
  ];
}

export function sizes(needs: Needs, known: ReadonlyMap<string, Size>): Row[] {
  const rows = needs.machines.flatMap((machine) =>
    sizeRows(machine, known.get(machine.vmSize), needs.location),
  );
  return rows.length === 0
    ? [row("ok", "sizes", `${[...new Set(needs.machines.map(({ vmSize }) => vmSize))].join(", ")} are there`)]
    : rows;
}

/** Machines of an earlier `up` are in Azure's numbers already. */
async function coresThere(
  arm: Arm,
  { subscriptionId, resourceGroup }: Needs,
  known: ReadonlyMap<string, Size>,
) {
  const group = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.Compute`;
  const read = (kind: string): Promise<Record<string, unknown>[]> =>
    arm.list(`${group}/${kind}`, "2024-07-01").catch(() => []);
  const [sets, machines] = await Promise.all([read("virtualMachineScaleSets"), read("virtualMachines")]);
  const cores = new Map<string, number>();
  const add = (vmSize: string, count: number): void => {
    const size = known.get(vmSize);
    if (size !== undefined) {
      for (const family of [size.family, "cores"]) {
        cores.set(family, (cores.get(family) ?? 0) + size.cores * count);
      }
    }
  };
  sets.forEach((set) => {
    add(textAt(set, "sku", "name"), numberAt(set, "sku", "capacity") ?? 0);
  });
  machines.forEach((machine) => {
    add(textAt(machine, "properties", "hardwareProfile", "vmSize"), 1);
  });
  return cores;
}

function coresWanted(
  machines: readonly MachineNeed[],
  known: ReadonlyMap<string, Size>,
): Map<string, number> {
  const wanted = new Map<string, number>();
  for (const { vmSize, count, surge } of machines) {
    const size = known.get(vmSize);
    for (const family of size === undefined ? [] : [size.family, "cores"]) {
      wanted.set(family, (wanted.get(family) ?? 0) + (size?.cores ?? 0) * (count + surge));
    }
  }
  return wanted;
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
  const rows = [...coresWanted(needs.machines, known)].flatMap(([family, wanted]) => {
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
  const total = coresWanted(needs.machines, known).get("cores") ?? 0;
  return rows.length === 0 ? [row("ok", "quota", `${total} cores fit, everything rolling at once`)] : rows;
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
