/** VM sizes of the region. https://learn.microsoft.com/rest/api/compute/resource-skus/list */

const memoryPerCpu: Readonly<Record<string, number>> = { D: 4, E: 8, F: 2, B: 4 };

/** Zones of a region. https://learn.microsoft.com/azure/reliability/regions-list */
export const zonesOf = (location: string): string[] => (location === "northcentralus" ? [] : ["1", "2", "3"]);

/** A VM size as CAPZ reads it. Its vCPUs and memory are derived from its name. */
function size(name: string, location: string): object {
  const [, family = "D", cpus = "4"] = /^Standard_([A-Z])(\d+)/.exec(name) ?? [];
  const capabilities = {
    vCPUs: cpus,
    MemoryGB: String(Number(cpus) * (memoryPerCpu[family] ?? 4)),
    PremiumIO: "True",
    AcceleratedNetworkingEnabled: "True",
    EncryptionAtHostSupported: "True",
    CpuArchitectureType: "x64",
    HyperVGenerations: "V1,V2",
    // Sizes with a local disk have a d in their name, or belong to a family that always has one.
    EphemeralOSDiskSupported: /\dd|^Standard_F/.test(name) ? "True" : "False",
  };
  return {
    resourceType: "virtualMachines",
    name,
    locations: [location],
    locationInfo: [{ location, zones: zonesOf(location) }],
    restrictions: [],
    capabilities: Object.entries(capabilities).map(([key, value]) => ({ name: key, value })),
  };
}

const families = ["D#s_v5", "D#ds_v5", "D#s_v4", "E#s_v5", "E#ds_v4", "F#s_v2"];

export const skuList = (location: string): object => ({
  value: [
    ...families.flatMap((family) =>
      [2, 4, 8, 16].map((cpus) => size(`Standard_${family.replace("#", String(cpus))}`, location)),
    ),
    {
      // CAPZ reads it always, although it creates availability sets only in regions without zones.
      resourceType: "availabilitySets",
      name: "Aligned",
      locations: [location],
      locationInfo: [{ location }],
      restrictions: [],
      capabilities: [{ name: "MaximumPlatformFaultDomainCount", value: "3" }],
    },
  ],
});
