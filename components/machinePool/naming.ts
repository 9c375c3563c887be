/** How CAPZ names machines. Source: CAPZ v1.26.0 azure/scope/machinepool.go and machine.go, Name(). */

export type NodeOs = "linux" | "windows";

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
 * Name of the VM, and computer name, of a Windows machine that is in no scale set: up to 15 characters as the
 * AzureMachine, else its first 9 and, after a hyphen, its last 5, which are random.
 */
export const windowsMachineName = (azureMachineName: string): string =>
  azureMachineName.length > 15
    ? `${azureMachineName.slice(0, 9).replace(/-$/, "")}-${azureMachineName.slice(-5)}`
    : azureMachineName;

/** What those names begin with: Cluster API calls the machines of a MachineDeployment `<name>-<5 random>-<5 random>`. */
export const machinePrefix = (poolName: string): string =>
  `${poolName.slice(0, windowsPrefixLimit).replace(/-$/, "")}-`;
