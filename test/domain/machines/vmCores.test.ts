import { vmCores } from "../../../domain/machines/vmCores";

it.each([
  ["Standard_D4s_v5", 4, "DSv5"],
  ["Standard_D4ads_v6", 4, "DADSv6"],
  ["Standard_E96_v5", 96, "Ev5"],
  ["Standard_F4s_v2", 4, "FSv2"],
  // Two vCPUs have the ordinal 2 and 11.
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
