import { digest, Secret, type Plain, type SimulatedResource, type Simulation } from "pulumi-plan-engine";
import { azure } from "./azure";
import { kubernetes } from "./kubernetes";

/** Random bytes that are not random: those of one resource are the same in every plan. */
function randomBytes({ length }: Plain, { urn }: SimulatedResource) {
  const size = typeof length === "number" ? length : 0;
  const bytes = Buffer.alloc(size, Buffer.from(digest(`simulated ${urn}`), "hex"));
  return { base64: new Secret(bytes.toString("base64")), hex: new Secret(bytes.toString("hex")) };
}

const random: Simulation = { outputs: { "random:index/randomBytes:RandomBytes": randomBytes } };

/** What this project's programs are told by Azure, by Kubernetes and by the provider of random bytes in a plan. */
export const clouds: readonly Simulation[] = [azure, kubernetes, random];
