/** Names of resource types, as the engine has them. */
export { isAzure, shortType, stackType } from "../engine/resourceTypes";
