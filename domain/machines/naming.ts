/** How CAPZ names machines. Source: CAPZ v1.26.0 azure/scope/machinepool.go and machine.go, Name(). */

/** Operating system of a node, as Kubernetes has it in kubernetes.io/os. */
export const NodeOs = { linux: "linux", windows: "windows" } as const;
export type NodeOs = (typeof NodeOs)[keyof typeof NodeOs];

/** Longest AzureMachinePool name that CAPZ keeps for Windows: Azure appends 6 characters, and Windows allows 15. */
export const windowsPrefixLimit = 9;

/** Name of a pool's scale set, which is also the prefix of its computer names. */
export function scaleSetName(poolName: string, os: NodeOs): string {
  return os === "windows" && poolName.length > windowsPrefixLimit ? `win-${poolName.slice(-5)}` : poolName;
}

/**
 * Computer name of the machine with a given index (from 0) in a scale set: Azure appends the index in 6 base-36 digits
 * to the prefix. Azure does not reuse indexes, so this predicts the names of a pool's first machines only.
 */
export function computerName(poolName: string, os: NodeOs, index: number): string {
  return `${scaleSetName(poolName, os)}${index.toString(36).toUpperCase().padStart(6, "0")}`.toLowerCase();
}

/**
 * Prefix of the computer names of a Windows MachineDeployment. CAPZ uses the name of the AzureMachine, shortened to its
 * first 9 characters, a hyphen and its last 5 if it has more than 15. It always has more, because Cluster API names the
 * machines of a MachineDeployment `<name>-<5 random>-<5 random>`.
 */
export const machinePrefix = (poolName: string): string =>
  `${poolName.slice(0, windowsPrefixLimit).replace(/-$/, "")}-`;
