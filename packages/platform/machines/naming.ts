import type { PoolKind } from "./pools";

/** How CAPZ names machines. Source: CAPZ v1.27.0 azure/scope/machinepool.go and machine.go, Name(). */

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

/** The longest computer name of Windows, by NetBIOS. */
const windowsNameLimit = 15;

/** Name of the virtual machine of an AzureMachine, which is also its computer name. */
export const singleMachineName = (name: string, os: NodeOs): string =>
  os === "windows" && name.length > windowsNameLimit ? `${machinePrefix(name)}${name.slice(-5)}` : name;

/** What is known in advance about the computer names of a pool's machines. */
export interface PoolMachineNames {
  /** What all of them begin with; for a MachinePool also the name of the scale set. */
  readonly computerNamePrefix: string;
  /** Those that a scale set creates first; those of a MachineDeployment cannot be known. */
  readonly firstNodes: string[];
}

/** @param pool - `replicas` is the number of machines that it starts with */
export function poolMachineNames(pool: {
  readonly name: string;
  readonly os: NodeOs;
  readonly kind: PoolKind;
  readonly replicas: number;
}): PoolMachineNames {
  const { name, os, kind, replicas } = pool;
  const isScaleSet = kind === "MachinePool";
  return {
    computerNamePrefix: isScaleSet ? scaleSetName(name, os) : machinePrefix(name),
    firstNodes: Array.from({ length: isScaleSet ? replicas : 0 }, (_, index) =>
      computerName(name, os, index),
    ),
  };
}

/** Name of a pool's first node for a command, or a placeholder if it cannot be known in advance. */
export const firstNodeText = ({ firstNodes: [first] }: PoolMachineNames): string => first ?? "NODE";
