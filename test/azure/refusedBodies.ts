import type { Plan } from "../../plan/model/plan";
import { requestsOf } from "./azureNative";
import { refusalOf } from "./azureTypes";

/** The resources of a plan that Azure would refuse, and why. */
export const refusedBodies = (plan: Plan): string[] =>
  requestsOf(plan).flatMap(({ type, name, apiVersion, content }) => {
    const refusal = refusalOf(type, apiVersion, content);
    return refusal === undefined ? [] : [`${type} ${name}: ${refusal.message}`];
  });
