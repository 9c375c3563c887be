import { join } from "node:path";

/** The folder of Pulumi.yaml. */
export const projectDir = join(__dirname, "..", "..");
