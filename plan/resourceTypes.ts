export { stackType } from "./engine";

/** `kubernetes:cluster.x-k8s.io/v1beta2:MachinePool` → `MachinePool`. */
export const shortType = (type: string): string => type.split(":").at(-1) ?? type;

/** Made by Azure, or looked up there. */
export const isAzure = (type: string): boolean => type.startsWith("azure-native:");
