/** Names of resource types, as the engine has them. */
export { isAzure, shortType, stackType } from "../engine/resourceTypes";

/** A component of this project. */
export const isOwnComponent = (type: string): boolean => type.startsWith("capz-windows:index:");
