import { type Recording, type RegisteredResource, redact, type Values } from "pulumi-plan-engine";
import type { PlannedResource } from "./planDocument";

/**
 * The version of an SDK is among the options of each of its resources; its provider has it for all. Triggers and
 * aliases are values of the program, and may be secret.
 */
function plainOptions({ type, options }: RegisteredResource): PlannedResource["options"] {
  const { version, pluginDownloadURL, ...own } = options;
  const all = type.startsWith("pulumi:providers:") ? { version, pluginDownloadURL, ...own } : own;
  return redact(all as Values) as PlannedResource["options"];
}

const plainResource = (resource: RegisteredResource): PlannedResource => ({
  urn: resource.urn,
  type: resource.type,
  name: resource.name,
  ...(resource.parent === undefined ? {} : { parent: resource.parent }),
  custom: resource.custom,
  ...(resource.provider === undefined ? {} : { provider: resource.provider.urn }),
  ...(resource.id === undefined ? {} : { id: resource.id }),
  inputs: redact(resource.inputs) as PlannedResource["inputs"],
  options: plainOptions(resource),
  dependencies: resource.dependencies,
});

/**
 * The resources of a run as everything after the engine reads them: secrets and unknown values are placeholders. Fields
 * keep the order that the program gave them, because files are rendered from them.
 */
export const plainResources = ({ resources }: Recording): PlannedResource[] => resources.map(plainResource);
