/** How CAPZ names machines. Source: CAPZ v1.26.0 azure/scope/machinepool.go and machine.go, Name(). */

/** Operating system of a node, as Kubernetes has it in kubernetes.io/os. */
export const NodeOs = { linux: "linux", windows: "windows" } as const;
export type NodeOs = (typeof NodeOs)[keyof typeof NodeOs];

/** Longest AzureMachinePool name that CAPZ keeps for Windows: Azure adds 6 characters, Windows allows 15. */
export const windowsPrefixLimit = 9;

/** Name of the scale set, which is also the prefix of its machines' computer names. */
export function scaleSetName(poolName: string, os: NodeOs): string {
  return os === "windows" && poolName.length > windowsPrefixLimit ? `win-${poolName.slice(-5)}` : poolName;
}

/**
 * Computer name of the n-th machine that a scale set ever made (Azure: prefix and 6 base-36 digits); after
 * machines were replaced the numbers go on, so this predicts a pool's first machines only.
 */
export function computerName(poolName: string, os: NodeOs, index: number): string {
  return `${scaleSetName(poolName, os)}${index.toString(36).toUpperCase().padStart(6, "0")}`.toLowerCase();
}

/**
 * What the computer names of Windows machines in no scale set begin with. CAPZ names them as the AzureMachine, or, when
 * that has more than 15 characters, with its first 9 and, after a hyphen, its last 5; Cluster API calls the machines of
 * a MachineDeployment `<name>-<5 random>-<5 random>`, so they are always longer.
 */
export const machinePrefix = (poolName: string): string =>
  `${poolName.slice(0, windowsPrefixLimit).replace(/-$/, "")}-`;
