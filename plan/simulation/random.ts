import { digest, Secret, type Plain, type SimulatedResource, type Simulation } from "pulumi-plan-engine";

/** Random bytes that are not random: those of one resource are the same in every plan. */
function randomBytes({ length }: Plain, { urn }: SimulatedResource) {
  const size = typeof length === "number" ? length : 0;
  const bytes = Buffer.alloc(size, Buffer.from(digest(`simulated ${urn}`), "hex"));
  return { base64: new Secret(bytes.toString("base64")), hex: new Secret(bytes.toString("hex")) };
}

export const random: Simulation = { outputs: { "random:index/randomBytes:RandomBytes": randomBytes } };
