export { runProgram } from "./engine";
export type { Host, ProgressEvent, RunOptions } from "./options";
export { inProcessObstacle } from "./program";
export { stackType } from "./recording";
export type {
  Diagnostic,
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
