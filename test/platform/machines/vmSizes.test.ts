import { plainSize, vmCores, vmTraits } from "../../../platform/machines/vmSizes";

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
