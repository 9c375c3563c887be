import { resolve } from "node:path";

/** The folder of the project, with Pulumi.yaml. */
export const projectDir = resolve(__dirname, "../..");
