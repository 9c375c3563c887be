import { planVersion } from "../diff/planDocument";
import type { RegisteredResource } from "../engine";
import { redact, type Values } from "../engine";
import type { Plan } from "../plan";

/** Sorted by name and without what differs from run to run, so that two plans of one program are equal bytes. */
const sortedFields = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sortedFields)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, inner]) => inner !== undefined)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, sortedFields(inner)]),
        )
      : value;

/**
 * The version of an SDK stands on each of its resources; its provider says it for all. Triggers and aliases are values
 * of the program, and may be secret.
 */
function optionsJson({ type, options }: RegisteredResource): unknown {
  const { version, pluginDownloadURL, ...own } = options;
  const all = type.startsWith("pulumi:providers:") ? { version, pluginDownloadURL, ...own } : own;
  return redact(all as Values);
}

const resourceJson = (resource: RegisteredResource) => ({
  urn: resource.urn,
  type: resource.type,
  name: resource.name,
  parent: resource.parent,
  custom: resource.custom,
  provider: resource.provider?.urn,
  inputs: redact(resource.inputs),
  options: optionsJson(resource),
  dependencies: resource.dependencies,
});

/**
 * The machine-readable plan: every resource, the user data of the nodes, the outputs and the warnings; secrets are
 * placeholders. `npm run plan -- --against` compares two of them: what changes here changes PlanDocument.
 */
export function planJson({ project, stack, update, warnings, nodes }: Plan): unknown {
  const byUrn = [...update.resources].sort((a, b) => (a.urn < b.urn ? -1 : 1));
  return {
    version: planVersion,
    project,
    stack,
    resources: byUrn.map((resource) => sortedFields(resourceJson(resource))),
    nodes: sortedFields(Object.fromEntries(nodes.map(({ path, text }) => [path, text]))),
    outputs: sortedFields(redact(update.outputs)),
    warnings,
  };
}
