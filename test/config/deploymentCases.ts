import type { Case } from "./ruleCases";

/** Pools of single machines: names and zones. */
export const deploymentCases: readonly Case[] = [
  [
    "a pool with the name of the control plane's health check",
    { windowsPools: { "test-control-plane": {} } },
    "windowsPools.test-control-plane",
    "this name is reserved for the control plane",
    { windowsPools: { "text-control-plane": {} } },
  ],
  [
    "single machines in two zones",
    { windowsPools: { win1: { kind: "MachineDeployment", zones: ["1", "2"] } } },
    "windowsPools.win1.zones",
    "a MachineDeployment creates all its machines in one zone; only a MachinePool spreads them",
    { windowsPools: { win1: { kind: "MachineDeployment", zones: ["1"] } } },
  ],
  [
    "single machines with the name of another pool",
    { linuxPools: { a: {} }, windowsPools: { a: { kind: "MachineDeployment" } } },
    "windowsPools.a",
    "linuxPools.a has the same name, and pool names must be unique",
    {
      // A MachineDeployment has no scale set, so its name is not shortened.
      linuxPools: { a: {} },
      windowsPools: { "one-pool-win": {}, "two-pool-win": { kind: "MachineDeployment" } },
    },
  ],
];
