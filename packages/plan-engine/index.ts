/**
 * An offline engine for Pulumi programs in Node.js: runs the unmodified program of a project, as a first preview or as
 * an update over a simulated cloud, and returns what it registered. README.md has an example, which a test runs.
 *
 * Nothing outside of this folder is imported by it. It needs `@pulumi/pulumi` with its dependencies, and `@swc/core` for
 * programs in TypeScript that run in this process.
 */
export { inProcessObstacle, plan } from "./engine";
export type { PlanOptions, ProgressEvent } from "./options";
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
export { SimulatedCloud, address, digest, guid } from "./simulation";
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
export { runProcess } from "./child";
