import type { Simulation } from "../../../packages/plan-engine";
import { azure } from "./azure";
import { kubernetes } from "./kubernetes";

/** What this project's programs are told by Azure and by Kubernetes in a plan. */
export const clouds: readonly Simulation[] = [azure, kubernetes];
