import type { PlanResource } from "capz-windows-contract";

export { stackType } from "pulumi-plan-engine";

/** `kubernetes:cluster.x-k8s.io/v1beta2:MachinePool` → `MachinePool`. */
export const shortType = (type: string): string => type.slice(type.lastIndexOf(":") + 1);

/** Made by Azure, or looked up there. */
export const isAzure = (type: string): boolean => type.startsWith("azure-native:");

/** Whether a type is a provider, which tells Pulumi how to reach Azure or a cluster. */
export const isProvider = (type: string): boolean => type.startsWith("pulumi:providers:");

/** A component of this project. */
export const isOwnComponent = (type: string): boolean => type.startsWith("capz-windows:index:");

const releaseType = "kubernetes:helm.sh/v3:Release";

export const isRelease = ({ type }: PlanResource): boolean => type === releaseType;

/** Adds fields to an object that another resource makes. */
export const isPatch = ({ type }: Pick<PlanResource, "type">): boolean =>
  type.startsWith("kubernetes:") && type.endsWith("Patch");

/** An object of Kubernetes with its own manifest: neither a Helm release nor a patch. */
export const isKubernetesObject = (resource: PlanResource): boolean =>
  resource.custom && resource.type.startsWith("kubernetes:") && !isRelease(resource) && !isPatch(resource);
