/** What a plan says to other programs. README.md lists these names; nothing outside of this folder is imported here. */
export { outputsSchema, outputsVersion, parseManagementOutputs } from "./outputs";
export type { ManagementOutputs, StackOutputs, WayIn } from "./outputs";
export { parsePlan, planSchema, planVersion } from "./plan";
export type { OtherStacks, PlanDocument, PlanResource, ReadPlan, StatePlace } from "./plan";
export { stackSchema } from "./stack";
export type { PoolFacts, StackFacts } from "./stack";
