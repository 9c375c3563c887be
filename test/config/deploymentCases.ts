import type { Case } from "./ruleCases";

/** Pools of single machines: names and zones. */
export const deploymentCases: readonly Case[] = [
  [
    "a pool with the name of the control plane's health check",
    { windowsPools: { "test-control-plane": {} } },
    "windowsPools.test-control-plane: this name is reserved for the control plane",
    { windowsPools: { "text-control-plane": {} } },
  ],
  [
    "single machines in two zones",
    { windowsPools: { win1: { kind: "MachineDeployment", zones: ["1", "2"] } } },
    "windowsPools.win1.zones: a MachineDeployment creates all its machines in one zone; only a MachinePool spreads them",
    { windowsPools: { win1: { kind: "MachineDeployment", zones: ["1"] } } },
  ],
  [
    "single machines of another minor than the control plane, which never come",
    { windowsPools: { win1: { kind: "MachineDeployment", kubernetesVersion: "v1.34.2" } } },
    "windowsPools.win1.kubernetesVersion: a MachineDeployment gets no machines while its minor version is not that of the control plane (v1.35.6): Cluster API's KubeadmVersionSkew check holds them back",
    // A scale set may have an older version.
    {
      windowsPools: {
        win1: { kind: "MachineDeployment", kubernetesVersion: "v1.35.2" },
        win2: { kubernetesVersion: "v1.34.2" },
      },
    },
  ],
  [
    "single machines of a newer minor than the control plane",
    { windowsPools: { win1: { kind: "MachineDeployment", kubernetesVersion: "v1.36.0" } } },
    "windowsPools.win1.kubernetesVersion: a MachineDeployment gets no machines while its minor version is not that of the control plane (v1.35.6)",
    { windowsPools: { win1: { kind: "MachineDeployment", kubernetesVersion: "v1.35.9" } } },
  ],
  [
    "single machines with the name of another pool",
    { linuxPools: { a: {} }, windowsPools: { a: { kind: "MachineDeployment" } } },
    "windowsPools.a: linuxPools.a has the same name, and pool names must be unique",
    {
      // A MachineDeployment has no scale set, so its name is not shortened.
      linuxPools: { a: {} },
      windowsPools: {
        "one-pool-win": { replicas: 1 },
        "two-pool-win": { kind: "MachineDeployment" },
        // The scale set of one-pool-win has this name, but this pool has none.
        "win-l-win": { kind: "MachineDeployment", replicas: 1 },
      },
    },
  ],
];
