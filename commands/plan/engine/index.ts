/**
 * An offline engine for Pulumi programs in Node.js: runs the unmodified program of a project, as a first preview or as
 * an update over a simulated cloud, and returns what it registered. No Pulumi CLI, no plugins, no state, no network.
 *
 * ```ts
 * const recording = await runProgram({
 *   projectDir: "path/to/project", // folder of Pulumi.yaml
 *   project: "network",
 *   stack: "dev",
 *   config: { "network:cidr": "10.0.0.0/16", "network:token": "hunter2" },
 *   secretKeys: ["network:token"],
 *   mode: "update",
 *   simulate: { outputs: { "aws:ec2/vpc:Vpc": (inputs) => ({ arn: `arn:simulated:${String(inputs.cidrBlock)}` }) } },
 * });
 * expect(recording.exitCode).toBe(0);
 * expect(redact(recording.resources[1].inputs)).toEqual({ cidrBlock: "10.0.0.0/16" });
 * ```
 *
 * Secrets and what a preview does not know are values of their own ({@link Secret}, {@link Unknown}); {@link redact}
 * replaces them by placeholders. Nothing outside of this folder is imported by it, and it needs `@pulumi/pulumi` with
 * its dependencies, and `@swc/core` for programs in TypeScript that run in this process.
 */
export { runProgram } from "./engine";
export type { ProgressEvent, RunOptions } from "./options";
export { inProcessObstacle } from "./program";
export { stackType } from "./recording";
export type {
  Diagnostic,
  Host,
  Invoke,
  Mode,
  ProviderReference,
  ReadResource,
  Recording,
  RegisteredResource,
  ResourceOptions,
} from "./recording";
export { SimulatedCloud } from "./simulation";
export type { Place, Plain, SimulatedResource, Simulation } from "./simulation";
export {
  Asset,
  Dependent,
  ResourceReference,
  Secret,
  Unknown,
  containsUnknown,
  isSecret,
  redact,
  reveal,
  secretText,
  unknown,
  unknownText,
  walk,
} from "./values";
export type { Value, ValueMap, Values } from "./values";
export { decodeStruct, encodeStruct } from "./wire";
export { runNode } from "./child";
