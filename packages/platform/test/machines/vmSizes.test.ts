import {
  carriesPackets,
  hasAcceleratedNetworking,
  plainSize,
  vmCores,
  vmTraits,
} from "capz-windows-platform/machines/vmSizes";

it.each([
  ["Standard_D4s_v5", 4, "DSv5"],
  ["Standard_D4ads_v6", 4, "DADSv6"],
  ["Standard_E96_v5", 96, "Ev5"],
  ["Standard_F4s_v2", 4, "FSv2"],
  // In old names, 2 and 11 are ordinals of sizes with two vCPUs.
  ["Standard_DS2_v2", 2, "DSv2"],
  ["Standard_DS3_v2", 4, "DSv2"],
  ["Standard_D11_v2", 2, "Dv2"],
  ["Standard_D15_v2", 20, "Dv2"],
])("%s has %d vCPUs of the family %s", (vmSize, vcpus, family) => {
  expect(vmCores(vmSize)).toEqual({ vcpus, family });
});

it.each([
  "Standard_D4",
  "Standard_A8",
  "Standard_D9_v2",
  "Standard_D3_v2_Promo",
  "Standard_E8-4s_v5",
  "Standard_NC24ads_A100_v4",
  "Basic_A1",
  "",
])("%s says neither", (vmSize) => {
  expect(vmCores(vmSize)).toBeUndefined();
});

describe("what a size can do", () => {
  const all = { firstGeneration: true, scsi: true, arm: false, premium: true };

  it.each([
    ["Standard_D4s_v5", all],
    ["Standard_DS2_v2", all],
    ["Standard_B4ms", all],
    ["Standard_E8-4s_v5", all],
    ["Standard_NV36ads_A10_v5", all],
    ["Standard_D2_v3", { ...all, premium: false }],
    ["Standard_D3_v2_Promo", { ...all, premium: false }],
    ["Standard_A2_v2", { ...all, premium: false }],
    ["Standard_D4s_v6", { ...all, firstGeneration: false, scsi: false }],
    ["Standard_E4ads_v7", { ...all, firstGeneration: false, scsi: false }],
    ["Standard_D4pds_v5", { ...all, firstGeneration: false, arm: true }],
    ["Standard_DC2s_v3", { ...all, firstGeneration: false }],
    ["Standard_M64ms", all],
    ["Standard_M208s_v2", { ...all, firstGeneration: false }],
    ["Standard_NC24ads_A100_v4", { ...all, firstGeneration: false }],
    ["Standard_ND96isr_MI300X_v5", { ...all, firstGeneration: false }],
  ])("%s", (vmSize, traits) => {
    expect(vmTraits(vmSize)).toEqual(traits);
  });

  it("is unknown of unknown names", () => {
    expect(vmTraits("Standard_Quantum_v9")).toBeUndefined();
    expect(vmTraits("")).toBeUndefined();
  });

  it.each([
    ["Standard_D4s_v6", "Standard_D4s_v5"],
    ["Standard_D8ads_v6", "Standard_D8ads_v5"],
    ["Standard_D4ps_v5", "Standard_D4s_v5"],
    ["Standard_E16alds_v6", "Standard_E16ads_v5"],
    ["Standard_D2_v3", "Standard_D2s_v5"],
    ["Standard_D3_v2", "Standard_D4s_v5"],
    ["Standard_F4", "Standard_F4s_v2"],
    ["Standard_F8as_v6", "Standard_F8s_v2"],
    ["Standard_D192s_v6", undefined],
    ["Standard_A2_v2", undefined],
    ["Standard_DC4as_v5", undefined],
  ])("%s has %s beside it, which boots everywhere", (vmSize, beside) => {
    expect(plainSize(vmSize)).toBe(beside);
    expect(vmTraits(beside ?? "Standard_D4s_v5")).toEqual(all);
  });
});

describe("the packets of a size", () => {
  it.each<[string, boolean | undefined]>([
    ["Standard_D2s_v5", true],
    ["Standard_D4s_v3", true],
    ["Standard_F2s", true],
    ["Standard_DS2_v2", true],
    ["Standard_D4s_v6", true],
    ["Standard_B12ms", true],
    ["Standard_B2s", false],
    ["Standard_A4_v2", false],
    ["Basic_A2", false],
    ["Standard_DS1_v2", false],
    // Two threads are one core here, and the pages of some of these series say otherwise.
    ["Standard_D2s_v3", undefined],
    ["Standard_F2s_v2", undefined],
    ["Standard_B4s_v2", undefined],
    ["Standard_D4", undefined],
    ["Standard_NC24ads_A100_v4", undefined],
    ["own", undefined],
  ])("%s has accelerated networking: %s", (vmSize, has) => {
    expect(hasAcceleratedNetworking(vmSize)).toBe(has);
    expect(carriesPackets(vmSize, 3900)).toBe(has);
  });

  it("are up to 3900 bytes on each host of the older versions, and more on hosts that Azure may not choose", () => {
    const sizes = ["Standard_D4s_v5", "Standard_D4s_v6", "Standard_B2s", "own"];
    expect(sizes.map((vmSize) => carriesPackets(vmSize, 3901))).toEqual([false, undefined, false, undefined]);
  });
});
