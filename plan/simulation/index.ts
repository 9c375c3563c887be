import type { Simulation } from "pulumi-plan-engine";
import { azure } from "./azure";
import { kubernetes } from "./kubernetes";
import { random } from "./random";

/** What this project's programs are told by Azure, by Kubernetes and by the provider of random bytes in a plan. */
export const clouds: readonly Simulation[] = [azure, kubernetes, random];
