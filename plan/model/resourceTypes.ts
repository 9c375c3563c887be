import type { PlanResource } from "./planDocument";

/** Names of resource types, as the engine has them. */
export { isAzure, shortType, stackType } from "../engine/resourceTypes";

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
